//! Identifiers of C headers: symbols that functions may have, and names of parameters.

use super::{numbered, reserved, unraw};
use crate::sorted::SortedSet;

/// Functions that the libraries of every C program have: a symbol of such a name would be called in their place.
const LIBRARY: &[&str] = &[
    "abort abs acos acosh aligned_alloc asctime asin asinh assert atan atan2 atanh atexit atof atoi atol bsearch calloc cbrt ceil",
    "clock copysign cos cosh ctime difftime div erf erfc exit exp exp2 expm1 fabs fclose fdim feof ferror fflush fgetc fgets floor",
    "fma fmax fmin fmod fopen fprintf fputc fputs fread free frexp fscanf fseek ftell fwrite getc getchar getenv gets gmtime hypot",
    "ilogb imaxabs isalnum isalpha iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit j0 j1 jn labs ldexp ldiv",
    "lgamma llabs lldiv llrint llround localtime log log10 log1p log2 logb longjmp lrint lround malloc mblen memchr memcmp memcpy",
    "memmove memset mktime modf nan nearbyint nextafter perror pow printf putc putchar puts qsort quick_exit raise rand realloc",
    "remainder remove remquo rename rewind rint round scalbln scalbn scanf setbuf setjmp setlocale signal sin sinh sprintf sqrt srand",
    "sscanf strcat strchr strcmp strcpy strcspn strerror strftime strlen strncat strncmp strncpy strpbrk strrchr strspn strstr strtod",
    "strtok strtol system tan tanh tgamma thrd_create time tmpfile tmpnam tolower toupper trunc ungetc vprintf y0 y1 yn accept access",
    "alarm bind brk chdir chmod close connect dup exec execv fork fsync getpid index ioctl kill link listen lseek mmap munmap nanosleep",
    "open pause pipe poll random read recv rindex sbrk select send sleep socket stat sync times truncate uname unlink usleep wait write",
];

/// A word of C, C++ or CUDA, or a macro of their headers.
fn is_word(name: &str) -> bool {
    let lists = [reserved::CPP, reserved::CUDA, reserved::MACROS];
    let mut words = (lists.into_iter().flatten()).flat_map(|line| line.split_whitespace());
    words.any(|word| word == name)
}

/// Why a function of this name cannot be a symbol of C, if so: what the name is there.
pub(crate) fn taken(name: &str) -> Option<&'static str> {
    let name = unraw(name);
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let of_library = |name: &str| {
        let mut words = LIBRARY.iter().flat_map(|line| line.split(' '));
        words.any(|word| word == name)
    };
    // Of mathematical functions there are three each, by their last letter.
    let stem = name.strip_suffix(['f', 'l']).unwrap_or(name);
    if !name.chars().all(plain) {
        Some("a word with letters outside of ASCII")
    } else if is_word(name) {
        Some("a word of C or C++")
    } else if name.starts_with('_') {
        Some("a name that is kept for C's own libraries")
    } else if name.starts_with("accelerate_") {
        Some("a name that is kept for the functions of the header itself")
    } else if of_library(name) || of_library(stem) {
        Some("a function of C's own libraries")
    } else {
        None
    }
}

/// Whether a function of CUDA C may have this name.
pub(crate) fn is_name(name: &str) -> bool {
    let mut letters = name.chars();
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    letters.next().is_some_and(|c| c.is_ascii_alphabetic()) && letters.all(plain) && !is_word(name)
}

/// A name for a parameter that neither C nor another one of the function has, as near to the wanted one as may be.
pub(crate) fn parameter(wanted: &str, others: &mut SortedSet<String>) -> String {
    let stem = super::identifier(wanted);
    let free = |name: &str| !is_word(name) && !others.contains(name);
    let name = numbered(&stem, free);
    others.insert(name.clone());
    name
}
