//! What the documentation and the errors name is there: each word of their code occurs in a program of the corpus, or in one that
//! is met with an error.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What the host calls things, and what is no code of a block: variables of the environment, files, names of results.
const OF_HOST: &[&str] = &[
    // Errors at run time.
    "AssertionFailed",
    "DivisionByZero",
    "EmptyReduction",
    "Indivisible",
    "OutOfBounds",
    "SegmentMismatch",
    "ShapeMismatch",
    // Beside functions.
    "PEAK",
    "PLAN",
    "KERNELS",
    "COST",
    "Cost",
    "Choice",
    "Error",
    "ptx",
    "warm",
    "norm_f32",
    "norm_f64",
    "norm_f32_u32",
    "norm_f64_u8",
    // Around blocks.
    "accelerate_build",
    "accelerate_last_error",
    "cdylib",
    "package",
    "toml",
    "Cargo",
    "BINS",
    "ACCELERATE_ARCH",
    "sm_80",
    "sm_90",
    "ACCELERATE_CHOICE",
    "ACCELERATE_CUDA",
    "ACCELERATE_DEVICE",
    "ACCELERATE_POOLS",
    "CUDA_CACHE_PATH",
    "RAYON_NUM_THREADS",
    "cpu",
    "require",
    "off",
    "sanitizer",
    "sums_rows_warp_8",
    "libcublas",
    "cublas",
    "ndarray",
    "from_ndarray",
    "to_ndarray",
    // CUDA C.
    "__device__",
    "fma",
    "cuh",
    "Stream",
    "View",
    "ViewMut",
    "stream",
    "gemm",
    "Result",
];

/// Names that stand for any.
const OF_PROSE: &[&str] = &[
    "xi",
    "bx",
    "option",
    "closure",
    "u16",
    "Name",
    "f_f32",
    "f_f64",
    "generic_f32",
    "generic_f64",
    "to_vec",
];

fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// All files below a folder.
fn texts(folder: &Path, into: &mut String) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            texts(&path, into);
        } else {
            into.push_str(&fs::read_to_string(path).expect("text"));
            into.push('\n');
        }
    }
}

/// The words of a text: letters, digits and `_`, not beginning with a digit; and the suffixes of numbers.
fn words(text: &str) -> BTreeSet<&str> {
    let parts = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let word = |part: &'_ str| part.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let words = parts.map(|part| &part[part.len() - word(part)..]);
    words.filter(|word| !word.is_empty()).collect()
}

/// The words of all programs.
fn known(text: &str) -> impl Fn(&str) -> bool {
    let words: BTreeSet<String> = words(text).into_iter().map(str::to_owned).collect();
    move |word: &str| {
        // `checked_` and `_axis` are parts of names; so are those that a table has beside its prefixes.
        let part = |known: &String| match (word.strip_suffix('_'), word.strip_prefix('_')) {
            (Some(prefix), _) => known.starts_with(prefix),
            (_, Some(suffix)) => known.ends_with(suffix),
            (None, None) => known.ends_with(&format!("_{word}")),
        };
        words.contains(word)
            || OF_HOST.contains(&word)
            || OF_PROSE.contains(&word)
            || words.iter().any(part)
    }
}

/// What stands between backticks, outside of blocks of code.
fn spans(text: &str) -> Vec<&str> {
    let mut spans = Vec::new();
    for (position, part) in text.split("```").enumerate() {
        if position % 2 == 0 {
            let lines = part.split('\n');
            spans.extend(lines.flat_map(|line| line.split('`').skip(1).step_by(2)));
        }
    }
    spans
}

/// The words in code that no program has.
fn missing(code: &[&str], known: impl Fn(&str) -> bool) -> Vec<String> {
    let mut missing = Vec::new();
    for span in code {
        for word in words(span) {
            if !known(word) {
                missing.push(format!("`{word}` in `{span}`"));
            }
        }
    }
    missing.sort();
    missing.dedup();
    missing
}

fn programs() -> String {
    let mut programs = String::new();
    for path in ["tests/programs", "tests/errors", "tests/helps"] {
        texts(&folder(path), &mut programs);
    }
    programs
}

#[test]
fn what_the_documentation_names_is_in_a_program() {
    let operations = fs::read_to_string(folder("runtime/src/operations.md")).expect("text");
    let library = fs::read_to_string(folder("runtime/src/lib.rs")).expect("text");
    let pages = library.lines().filter_map(|line| line.strip_prefix("//!"));
    let library = pages.collect::<Vec<_>>().join("\n");
    let code = [spans(&operations), spans(&library)].concat();
    let missing = missing(&code, known(&programs()));
    assert!(missing.is_empty(), "in no program:\n{}", missing.join("\n"));
}

#[test]
fn what_errors_say_to_write_is_in_a_program() {
    let mut errors = String::new();
    texts(&folder("compiler/tests/snapshots"), &mut errors);
    let helps = errors
        .lines()
        .filter_map(|line| line.strip_prefix("  = help: "));
    let code: Vec<&str> = helps.flat_map(spans).collect();
    let missing = missing(&code, known(&programs()));
    assert!(missing.is_empty(), "in no program:\n{}", missing.join("\n"));
}
