//! The prelude: what kernels share, in CUDA C by hand. Each file gets the items that its kernels use, and what these use.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

#[cfg(test)]
mod tests;

/// All of it: what is used comes before what uses it.
pub const PRELUDE: &str = concat!(
    include_str!("base.cuh"),
    "\n",
    include_str!("math.cuh"),
    "\n",
    include_str!("failures.cuh"),
    "\n",
    include_str!("scan.cuh"),
    "\n",
    include_str!("counts.cuh"),
    "\n",
    include_str!("scatter.cuh"),
    "\n",
    include_str!("tiles.cuh"),
    "\n",
    include_str!("sort.cuh"),
    "\n",
    include_str!("merge.cuh"),
    "\n",
    include_str!("stages.cuh"),
    "\n",
    include_str!("segments.cuh")
);

/// [`PRELUDE`] and its names.
pub(in crate::codegen) static OWN: LazyLock<Prelude<'static>> =
    LazyLock::new(|| Prelude::parse(PRELUDE));

/// A text in items: declarations with nothing between them but one empty line.
pub struct Prelude<'a> {
    items: Vec<Item<'a>>,
    /// By name, the items that declare it: an overload or a specialisation may be one of its own.
    by_name: BTreeMap<&'a str, Vec<usize>>,
}

struct Item<'a> {
    text: &'a str,
    /// Nothing but comments, on all items up to the next of its kind.
    heading: bool,
    words: BTreeSet<&'a str>,
}

impl<'a> Prelude<'a> {
    /// Cuts a text into its items.
    pub fn parse(text: &'a str) -> Prelude<'a> {
        let mut prelude = Prelude {
            items: Vec::new(),
            by_name: BTreeMap::new(),
        };
        for text in paragraphs(text) {
            let words = BTreeSet::from_iter(tokens(text).filter_map(Token::word));
            for name in declared(text) {
                let items = prelude.by_name.entry(name).or_default();
                items.push(prelude.items.len());
            }
            prelude.items.push(Item {
                text,
                heading: words.is_empty(),
                words,
            });
        }
        prelude
    }

    /// The names that it declares, and what its macros say where they are used.
    pub(in crate::codegen) fn names(&self) -> impl Iterator<Item = &'a str> {
        let said = self.items.iter().flat_map(|item| said(item.text));
        self.by_name.keys().copied().chain(said)
    }

    /// The items that kernels use, and those that these use; each under its heading.
    pub fn needed(&self, kernels: &str) -> String {
        let mut open: Vec<&str> = tokens(kernels).filter_map(Token::word).collect();
        let mut kept = BTreeSet::new();
        while let Some(word) = open.pop() {
            for &item in self.by_name.get(word).into_iter().flatten() {
                if kept.insert(item) {
                    open.extend(&self.items[item].words);
                }
            }
        }
        let mut texts = Vec::new();
        let mut headings = Vec::new();
        for (k, item) in self.items.iter().enumerate() {
            if item.heading {
                if k > 0 && !self.items[k - 1].heading {
                    headings.clear();
                }
                headings.push(item.text);
            } else if kept.contains(&k) {
                texts.append(&mut headings);
                texts.push(item.text);
            }
        }
        texts.iter().map(|text| format!("{text}\n\n")).collect()
    }
}

#[derive(Clone, Copy)]
enum Token<'a> {
    Word(&'a str),
    Mark(char),
}

impl<'a> Token<'a> {
    fn word(self) -> Option<&'a str> {
        match self {
            Token::Word(word) => Some(word),
            Token::Mark(_) => None,
        }
    }
}

/// Words and other characters, without space and what stands in comments and quotes.
fn tokens(text: &str) -> impl Iterator<Item = Token<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            rest = rest.trim_start();
            if rest.starts_with("//") {
                rest = rest.find('\n').map_or("", |end| &rest[end..]);
            } else if let Some(quoted) = rest.strip_prefix('"') {
                rest = quoted.find('"').map_or("", |end| &quoted[end + 1..]);
            } else {
                break;
            }
        }
        let first = rest.chars().next()?;
        let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = match is_letter(first) {
            true => rest.find(|c| !is_letter(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (token, after) = rest.split_at(end);
        rest = after;
        Some(match is_letter(first) {
            true => Token::Word(token),
            false => Token::Mark(first),
        })
    })
}

/// The parts between empty lines, of those that stand in no braces and under no `#if`.
fn paragraphs(text: &str) -> Vec<&str> {
    let mut paragraphs = Vec::new();
    let (mut begin, mut at, mut depth) = (0, 0, 0);
    for line in text.split_inclusive('\n') {
        if line.trim().is_empty() && depth == 0 {
            paragraphs.push(text[begin..at].trim_end());
            begin = at + line.len();
        }
        depth += match line.strip_prefix('#') {
            Some(directive) if directive.starts_with("if") => 1,
            Some(directive) if directive.starts_with("endif") => -1,
            Some(_) => 0,
            None => (tokens(line))
                .map(|token| match token {
                    Token::Mark('{') => 1,
                    Token::Mark('}') => -1,
                    _ => 0,
                })
                .sum(),
        };
        at += line.len();
    }
    paragraphs.push(text[begin..].trim_end());
    paragraphs.retain(|text| !text.is_empty());
    paragraphs
}

/// The words of the macros of an item, but for their parameters.
fn said(text: &str) -> BTreeSet<&str> {
    let mut words = BTreeSet::new();
    let mut parameters = None;
    for line in text.lines() {
        let body = match (line.strip_prefix("#define "), &parameters) {
            (Some(rest), _) => {
                let (head, body) = rest.split_once(')').unwrap_or((rest, ""));
                parameters = Some(BTreeSet::from_iter(tokens(head).filter_map(Token::word)));
                body
            }
            (None, Some(_)) => line,
            (None, None) => continue,
        };
        let own = parameters
            .iter()
            .flatten()
            .copied()
            .collect::<BTreeSet<_>>();
        words.extend(
            tokens(body)
                .filter_map(Token::word)
                .filter(|word| !own.contains(word)),
        );
        if !line.ends_with('\\') {
            parameters = None;
        }
    }
    words.retain(|word| !word.starts_with(|c: char| c.is_ascii_digit()));
    words
}

/// What the declarations of an item declare: each the last word before its first bracket, `;`, `=` or `:`, arguments of
/// templates aside.
fn declared(text: &str) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    let mut last = None;
    // Whether the declaration has its name, how deep in brackets it is, and how deep in arguments of a template.
    let (mut named, mut depth, mut angle) = (false, 0, 0);
    let mut directive = false;
    for line in text.lines() {
        if directive || line.starts_with('#') {
            let name = line
                .strip_prefix("#define ")
                .and_then(|rest| tokens(rest).find_map(Token::word));
            names.extend(name);
            directive = line.ends_with('\\');
            continue;
        }
        for token in tokens(line) {
            match token {
                Token::Word(word) if depth == 0 && angle == 0 => last = Some(word),
                Token::Mark('<') if depth == 0 => angle += 1,
                Token::Mark('>') if depth == 0 && angle > 0 => angle -= 1,
                Token::Mark(mark @ ('(' | '[' | '{' | '=' | ':' | ';'))
                    if depth == 0 && angle == 0 =>
                {
                    names.extend(last.filter(|_| !named));
                    named = mark != ';';
                    last = last.filter(|_| named);
                    depth += i32::from("([{".contains(mark));
                }
                Token::Mark('(' | '[' | '{') => depth += 1,
                Token::Mark(mark @ (')' | ']' | '}')) => {
                    depth -= 1;
                    if depth == 0 && mark == '}' {
                        (named, last) = (false, None);
                    }
                }
                _ => {}
            }
        }
    }
    names
}
