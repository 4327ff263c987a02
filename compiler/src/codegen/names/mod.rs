//! Identifiers of the emitted code, CUDA C and Rust: the one place that they come from.
//!
//! A user's name may be anything: a word of C++ or of CUDA, a function of the prelude, a variable of a skeleton, a letter that is
//! not of ASCII. It becomes an identifier that means nothing else, and stays readable: one that meets nothing keeps its text.
//!
//! CUDA C is text, so [`Names`] marks what it gives; everything else that stands in a kernel is the skeleton's, whatever that
//! writes. [`resolved`] reads the finished text and gives each marked name, and each name made from one (`xs` in `xs_pack`),
//! an identifier that no other word of the text is. No skeleton needs to declare its words, and none can be forgotten.
//! Emitted Rust keeps names apart by their form: see [`rust`].

pub(crate) mod c;
mod reserved;
pub(crate) mod rust;
#[cfg(test)]
mod tests;

use super::prelude;
use crate::ir::{QuickMap, QuickSet};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

/// Around a name that is not the skeleton's.
const MARKS: [char; 2] = ['\u{1}', '\u{2}'];

/// The names given in one scope of CUDA C, all marked.
#[derive(Clone, Default)]
pub(super) struct Names {
    taken: QuickSet<String>,
    /// The last numbers that names with these stems have.
    numbers: QuickMap<String, u64>,
}

impl Names {
    /// Whether no name has this stem.
    pub(super) fn is_free(&self, name: &str) -> bool {
        !self.taken.contains(name)
    }

    /// `wanted` made an identifier, with a number at its end if it is taken.
    pub(super) fn fresh(&mut self, wanted: &str) -> String {
        let stem = identifier(wanted);
        let [open, close] = MARKS;
        let mut name = stem.clone();
        let number = self.numbers.entry(stem).or_insert(1);
        let stem = name.len();
        while !self.taken.insert(name.clone()) {
            *number += 1;
            name.truncate(stem);
            name.push_str(&format!("_{number}"));
        }
        format!("{open}{name}{close}")
    }
}

/// `stem`, or `stem_2` and so on: the first that is free.
fn numbered(stem: &str, is_free: impl Fn(&str) -> bool) -> String {
    if is_free(stem) {
        return stem.to_owned();
    }
    let mut numbered = (2..).map(|k: u64| format!("{stem}_{k}"));
    numbered
        .find(|name| is_free(name))
        .expect("a text has finitely many words")
}

/// Without the number that [`numbered`] may have given.
fn unnumbered(name: &str) -> &str {
    match name.rsplit_once('_') {
        Some((stem, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => stem,
        _ => name,
    }
}

/// Letters of ASCII, digits and single underscores; not starting with a digit or an underscore. Macros of headers are in
/// capitals, or CUDA's own: what looks like one is in small letters.
fn identifier(wanted: &str) -> String {
    let mut name = String::new();
    for c in unraw(wanted).chars() {
        if c.is_ascii_alphanumeric() {
            name.push(c);
        } else if !MARKS.contains(&c) && !name.ends_with('_') && !name.is_empty() {
            name.push('_');
        }
    }
    let name = name.trim_end_matches('_');
    let begins = |first: fn(&char) -> bool, second: fn(&char) -> bool| {
        let mut chars = name.chars();
        chars.next().is_some_and(|c| first(&c)) && chars.next().is_some_and(|c| second(&c))
    };
    let of_cuda = name
        .strip_prefix("cuda")
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()));
    match name.chars().next() {
        None => "value".to_owned(),
        Some(c) if c.is_ascii_digit() => format!("value_{name}"),
        Some(_) if of_cuda || begins(char::is_ascii_uppercase, |c| !c.is_ascii_lowercase()) => {
            name.to_ascii_lowercase()
        }
        Some(_) => name.to_owned(),
    }
}

/// `type` of `r#type`.
pub(crate) fn unraw(name: &str) -> &str {
    name.strip_prefix("r#").unwrap_or(name)
}

/// What functions and types of a kernel begin with, and its symbols: no word of the prelude or of C++ does.
pub(super) fn symbol(kernel: &str) -> String {
    let first = unraw(kernel).chars().find(|&c| c != '_');
    let name = identifier(kernel);
    let begins = |word: &&str| {
        word.strip_prefix(&*name)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
    };
    match first.is_some_and(|c| c.is_ascii_alphabetic()) && !WORDS.iter().any(begins) {
        true => name,
        false => format!("kernel_{name}"),
    }
}

/// A function's name in names of files.
pub(crate) fn file(function: &str) -> String {
    identifier(function)
}

/// What an element of a buffer is called: an element of `xs` is an `x`.
pub(super) fn singular(buffer: &str) -> String {
    let buffer = buffer.trim_matches(MARKS);
    match buffer.strip_suffix('s') {
        Some(stem) if !stem.is_empty() && !stem.ends_with('s') => stem.to_owned(),
        _ => format!("{buffer}_element"),
    }
}

/// A text as it will be read, but for numbers at the ends of names.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    match text.contains(MARKS) {
        true => text.replace(MARKS, "").into(),
        false => text.into(),
    }
}

/// Whether an identifier stands in a text.
pub(super) fn mentions(text: &str, name: &str) -> bool {
    text.split(|c: char| !is_letter(c)).any(|word| word == name)
}

fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || MARKS.contains(&c)
}

/// Words that no name is, whether they stand in a kernel or not.
static WORDS: LazyLock<QuickSet<&str>> = LazyLock::new(|| {
    let lists = [reserved::CPP, reserved::CUDA, reserved::MACROS];
    let words = lists.into_iter().flatten();
    let words = words.flat_map(|line| line.split_whitespace());
    words.chain(prelude::OWN.names()).collect()
});

/// The finished text of a kernel without marks: each marked name is an identifier that nothing else in it is.
pub(super) fn resolved(text: &str) -> String {
    let Scanned { own, marked } = scanned(text);
    let mut given: QuickMap<&str, String> = QuickMap::default();
    let mut names: QuickSet<String> = QuickSet::default();
    let mut resolved = String::with_capacity(text.len());
    let mut copied = 0;
    for Marked { range, is_word } in marked {
        resolved.push_str(&text[copied..range.start]);
        copied = range.end;
        let part = &text[range];
        if !is_word {
            resolved.push_str(&plain(part));
            continue;
        }
        let name = given.entry(part).or_insert_with(|| {
            let is_free =
                |name: &str| !WORDS.contains(name) && !own.contains(name) && !names.contains(name);
            let name = plain(part);
            let name = match is_free(&name) {
                true => name.into_owned(),
                false => numbered(unnumbered(&name), is_free),
            };
            names.insert(name.clone());
            name
        });
        resolved.push_str(name);
    }
    resolved.push_str(&text[copied..]);
    resolved
}

/// The words of a text; comments and directives are none.
struct Scanned<'a> {
    /// Identifiers without marks, but for those after a `.` or `::`: they meet no variable.
    own: QuickSet<&'a str>,
    /// What has marks in it, in order.
    marked: Vec<Marked>,
}

struct Marked {
    range: Range<usize>,
    /// Whether it is an identifier.
    is_word: bool,
}

fn scanned(text: &str) -> Scanned<'_> {
    let bytes = text.as_bytes();
    let mut scanned = Scanned {
        own: QuickSet::default(),
        marked: Vec::new(),
    };
    let (mut at, mut begins_line, mut is_member) = (0, true, false);
    // Letters are of ASCII, so what is cut out begins and ends with whole characters.
    while let Some(&first) = bytes.get(at) {
        let rest = &bytes[at..];
        let is_comment = begins_line && first == b'#' || rest.starts_with(b"//");
        let is_word = is_letter(first.into()) && !first.is_ascii_digit();
        let length = if is_comment {
            rest.iter().position(|&byte| byte == b'\n')
        } else if is_letter(first.into()) {
            rest.iter().position(|&byte| !is_letter(byte.into()))
        } else {
            begins_line = first == b'\n';
            is_member = first == b'.' || first == b':' && bytes[..at].ends_with(b":");
            at += 1;
            continue;
        };
        let range = at..at + length.unwrap_or(rest.len());
        at = range.end;
        let part = &text[range.clone()];
        if part.bytes().any(|byte| MARKS.contains(&byte.into())) {
            let is_word = is_word && !is_comment;
            scanned.marked.push(Marked { range, is_word });
        } else if is_word && !is_comment && !is_member {
            scanned.own.insert(part);
        }
        if !is_comment {
            (begins_line, is_member) = (false, false);
        }
    }
    scanned
}
