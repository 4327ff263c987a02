//! The prelude: what kernels share, in CUDA C by hand. Each file gets the items that its kernels use, and what these use.

use crate::ir::QuickMap;
use crate::sorted::SortedSet;
use std::sync::LazyLock;

#[cfg(test)]
mod tests;

/// All of it: what is used comes before what uses it.
pub const PRELUDE: &str = concat!(
    include_str!("base.cuh"),
    "\n",
    include_str!("half.cuh"),
    "\n",
    include_str!("columns.cuh"),
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
    include_str!("transposed.cuh"),
    "\n",
    include_str!("segments.cuh")
);

/// [`PRELUDE`] and its names.
pub(super) static OWN: LazyLock<Prelude<'static>> = LazyLock::new(|| Prelude::parse(PRELUDE));

/// A text in items: declarations with nothing between them but one empty line.
pub struct Prelude<'a> {
    items: Vec<Item<'a>>,
    /// By name, the items that declare it: an overload or a specialisation may be one of its own.
    by_name: QuickMap<&'a str, Vec<usize>>,
}

struct Item<'a> {
    text: &'a str,
    /// Nothing but comments, on all items up to the next of its kind.
    heading: bool,
    /// The items that declare its words.
    uses: Vec<usize>,
}

impl<'a> Prelude<'a> {
    /// Cuts a text into its items.
    pub fn parse(text: &'a str) -> Prelude<'a> {
        let mut prelude = Prelude {
            items: Vec::new(),
            by_name: QuickMap::default(),
        };
        for text in paragraphs(text) {
            for name in declared(text) {
                let items = prelude.by_name.entry(name).or_default();
                items.push(prelude.items.len());
            }
            prelude.items.push(Item {
                text,
                heading: tokens(text).filter_map(Token::word).next().is_none(),
                uses: Vec::new(),
            });
        }
        for k in 0..prelude.items.len() {
            prelude.items[k].uses = prelude.declaring(prelude.items[k].text);
        }
        prelude
    }

    /// The items that declare a word of a text.
    fn declaring(&self, text: &str) -> Vec<usize> {
        let words = tokens(text).filter_map(Token::word);
        let mut items: Vec<usize> = words
            .filter_map(|word| self.by_name.get(word))
            .flatten()
            .copied()
            .collect();
        items.sort_unstable();
        items.dedup();
        items
    }

    /// The names that it declares, and what its macros say where they are used.
    pub(in crate::codegen) fn names(&self) -> impl Iterator<Item = &'a str> {
        let said = self.items.iter().flat_map(|item| said(item.text));
        self.by_name.keys().copied().chain(said)
    }

    /// The items that kernels use, and those that these use; each under its heading.
    pub fn needed(&self, kernels: &str) -> String {
        let mut open = self.declaring(kernels);
        let mut kept = vec![false; self.items.len()];
        while let Some(item) = open.pop() {
            if !std::mem::replace(&mut kept[item], true) {
                open.extend(&self.items[item].uses);
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
            } else if kept[k] {
                texts.append(&mut headings);
                texts.push(item.text);
            }
        }
        let mut needed =
            String::with_capacity(texts.iter().map(|text| text.len() + 2).sum::<usize>());
        for text in texts {
            needed.push_str(text);
            needed.push_str("\n\n");
        }
        needed
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
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let (start, first) = (at, *bytes.get(at)?);
            let rest = &bytes[start..];
            let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
            let until = |end: Option<usize>| end.map_or(bytes.len(), |end| start + end);
            if is_letter(first) {
                at = until(rest.iter().position(|&byte| !is_letter(byte)));
                return Some(Token::Word(&text[start..at]));
            }
            if rest.starts_with(b"//") {
                at = until(rest.iter().position(|&byte| byte == b'\n'));
            } else if first == b'"' {
                let closing = rest[1..].iter().position(|&byte| byte == b'"');
                at = until(closing.map(|end| end + 2));
            } else {
                let mark = text[start..].chars().next()?;
                at += mark.len_utf8();
                if !mark.is_whitespace() {
                    return Some(Token::Mark(mark));
                }
            }
        }
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
fn said(text: &str) -> SortedSet<&str> {
    let mut words = SortedSet::new();
    let mut parameters = None;
    for line in text.lines() {
        let body = match (line.strip_prefix("#define "), &parameters) {
            (Some(rest), _) => {
                let (head, body) = rest.split_once(')').unwrap_or((rest, ""));
                parameters = Some(SortedSet::from_iter(tokens(head).filter_map(Token::word)));
                body
            }
            (None, Some(_)) => line,
            (None, None) => continue,
        };
        let own = parameters
            .iter()
            .flatten()
            .copied()
            .collect::<SortedSet<_>>();
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
fn declared(text: &str) -> SortedSet<&str> {
    let mut names = SortedSet::new();
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
