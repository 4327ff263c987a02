//! PTX texts in pieces, one for each entry: the driver compiles all that it is given, and a call needs few of a function's
//! entries.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::ffi::CString;
use std::ops::Range;

/// A text and its pieces.
#[derive(Debug)]
pub(super) struct Pieces {
    text: Cow<'static, str>,
    pieces: Vec<Piece>,
}

/// What is compiled together.
#[derive(Debug)]
struct Piece {
    entry: Range<usize>,
    parts: Vec<Range<usize>>,
}

impl Pieces {
    /// An entry goes with the directives that all need, and with the functions and variables that it names. A text stays whole if
    /// it is not understood, or holds a variable of the module without a value: that is there to be written, by one entry
    /// for the other.
    pub(super) fn of(text: Cow<'static, str>) -> Pieces {
        let pieces = split(&text).unwrap_or_default();
        let whole = || Piece {
            entry: 0..0,
            parts: std::iter::once(0..text.len()).collect(),
        };
        let pieces = match pieces.len() {
            0 => vec![whole()],
            _ => pieces,
        };
        Pieces { text, pieces }
    }

    pub(super) fn len(&self) -> usize {
        self.pieces.len()
    }

    /// The piece with this entry. The only one has all that there are.
    pub(super) fn with(&self, entry: &str) -> Option<usize> {
        match &self.pieces[..] {
            [_] => Some(0),
            pieces => (pieces.iter()).position(|piece| self.text[piece.entry.clone()] == *entry),
        }
    }

    /// The text of a piece.
    pub(super) fn image(&self, piece: usize) -> CString {
        let parts = self.pieces[piece].parts.iter();
        let text: String = parts.map(|part| &self.text[part.clone()]).collect();
        CString::new(text).expect("PTX holds no NUL")
    }
}

/// The pieces of a text, in the order of their entries, for whoever asks whether each is whole.
pub fn pieces(text: String) -> Vec<CString> {
    let pieces = Pieces::of(text.into());
    (0..pieces.len()).map(|piece| pieces.image(piece)).collect()
}

/// What stands at the level of the module.
struct Statement {
    /// With the comments before it.
    range: Range<usize>,
    /// What it declares; a directive that declares nothing is for all.
    names: Vec<Range<usize>>,
    is_entry: bool,
}

fn split(text: &str) -> Option<Vec<Piece>> {
    let statements = statements(text)?;
    let mut known: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, statement) in statements.iter().enumerate() {
        for name in &statement.names {
            known.entry(&text[name.clone()]).or_default().push(index);
        }
    }
    let named: Vec<BTreeSet<usize>> = (statements.iter())
        .map(|statement| {
            let words =
                Tokens::of(&text[statement.range.clone()]).filter_map(|token| match token.kind {
                    Kind::Word => known.get(token.text),
                    _ => None,
                });
            words.flatten().copied().collect()
        })
        .collect();
    let common = |index: usize| statements[index].names.is_empty();
    let piece = |entry: usize| {
        let mut reached: BTreeSet<usize> = (0..statements.len())
            .filter(|&index| common(index))
            .collect();
        let mut open = vec![entry];
        while let Some(index) = open.pop() {
            if reached.insert(index) {
                open.extend(&named[index]);
            }
        }
        Piece {
            entry: statements[entry].names[0].clone(),
            parts: reached
                .into_iter()
                .map(|index| statements[index].range.clone())
                .collect(),
        }
    };
    let entries = (0..statements.len()).filter(|&index| statements[index].is_entry);
    Some(entries.map(piece).collect())
}

/// All of them, if the text is understood and its entries share no memory.
fn statements(text: &str) -> Option<Vec<Statement>> {
    let mut statements = Vec::new();
    let mut tokens = Tokens::of(text);
    let mut start = 0;
    while let Some(first) = tokens.next() {
        let mut statement = Statement {
            range: start..0,
            names: Vec::new(),
            is_entry: false,
        };
        match first.text {
            // These end with their lines.
            ".version" | ".target" | ".address_size" | ".file" => tokens.skip_line(),
            // Sections tell debuggers of all entries.
            ".section" => return None,
            _ if first.kind == Kind::Word && first.text.starts_with('.') => {
                declaration(first, &mut tokens, &mut statement)?;
            }
            _ => return None,
        }
        statement.range.end = tokens.at;
        start = tokens.at;
        statements.push(statement);
    }
    Some(statements)
}

/// Reads a declaration to its end: of a function the brace that closes it, of anything else a semicolon.
fn declaration(first: Token<'_>, tokens: &mut Tokens<'_>, statement: &mut Statement) -> Option<()> {
    let (mut depth, mut is_function, mut is_global, mut has_value) = (0u32, false, false, false);
    let mut next = Some(first);
    while let Some(token) = next {
        match (token.kind, token.text) {
            (Kind::Word, ".entry") => (is_function, statement.is_entry) = (true, true),
            (Kind::Word, ".func") => is_function = true,
            (Kind::Word, ".global") if depth == 0 => is_global = true,
            (Kind::Word, word) if depth == 0 && !has_value && is_identifier(word) => {
                statement.names.push(token.at..token.at + word.len());
            }
            (Kind::Mark, "(" | "[" | "{") => depth += 1,
            (Kind::Mark, ")" | "]" | "}") => depth = depth.checked_sub(1)?,
            (Kind::Mark, "=") if depth == 0 => has_value = true,
            (Kind::Mark, ",") if depth == 0 && !is_function => {
                // Of the variables of one declaration each has a value or none.
                if is_global && !has_value {
                    return None;
                }
                has_value = false;
            }
            (Kind::Unclosed, _) => return None,
            _ => {}
        }
        let ends = match token.text {
            "}" => is_function && depth == 0,
            ";" => depth == 0,
            _ => false,
        };
        if ends {
            let is_shared = is_global && !is_function && !has_value;
            let is_nameless = is_function && statement.names.is_empty();
            return (!is_shared && !is_nameless).then_some(());
        }
        next = tokens.next();
    }
    None
}

fn is_identifier(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '$' | '%'))
}

/// A piece of the text: no space, no comment, no text in quotes.
#[derive(Clone, Copy)]
struct Token<'a> {
    kind: Kind,
    at: usize,
    text: &'a str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// An identifier, a number, or a directive with its dot.
    Word,
    Mark,
    /// A comment or a quote without an end.
    Unclosed,
}

struct Tokens<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Tokens<'a> {
    fn of(text: &'a str) -> Tokens<'a> {
        Tokens { text, at: 0 }
    }

    fn skip_line(&mut self) {
        self.at = self.after("\n").unwrap_or(self.text.len());
    }

    /// The place after the next text like this.
    fn after(&self, text: &str) -> Option<usize> {
        let rest = &self.text[self.at..];
        rest.find(text).map(|found| self.at + found + text.len())
    }

    fn end_of_word(&self, from: usize) -> usize {
        let belongs =
            |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'%');
        let rest = &self.text.as_bytes()[from..];
        from + rest.iter().take_while(|byte| belongs(byte)).count()
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let bytes = self.text.as_bytes();
        loop {
            let at = self.at;
            let &byte = bytes.get(at)?;
            let skipped = match byte {
                _ if byte.is_ascii_whitespace() => Some(at + 1),
                b'/' if bytes[at..].starts_with(b"//") => {
                    Some(self.after("\n").unwrap_or(bytes.len()))
                }
                b'/' if bytes[at..].starts_with(b"/*") => {
                    self.at += 2;
                    self.after("*/")
                }
                b'"' => {
                    let mut escaped = false;
                    let end = bytes[at + 1..].iter().position(|&byte| {
                        let ends = byte == b'"' && !escaped;
                        escaped = byte == b'\\' && !escaped;
                        ends
                    });
                    end.map(|end| at + 1 + end + 1)
                }
                _ => {
                    let word = self.end_of_word(at + usize::from(byte == b'.'));
                    let kind = if word > at { Kind::Word } else { Kind::Mark };
                    // One byte, or all of one character that is no ASCII.
                    let one = self.text[at..].chars().next().map_or(1, char::len_utf8);
                    self.at = word.max(at + one);
                    let text = &self.text[at..self.at];
                    return Some(Token { kind, at, text });
                }
            };
            match skipped {
                Some(after) => self.at = after,
                None => {
                    self.at = bytes.len();
                    let text = &self.text[at..];
                    return Some(Token {
                        kind: Kind::Unclosed,
                        at,
                        text,
                    });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str =
        "// accelerate-module: 0f\n//\n.version 9.0\n.target sm_80, debug\n.address_size 64\n";

    /// The pieces of a text with that head, by their entries; without it.
    fn pieces_of(text: &str) -> Vec<(String, String)> {
        let pieces = Pieces::of(format!("{HEAD}{text}").into());
        let piece = |index: usize| {
            let image = pieces.image(index);
            let body = (image.to_str().expect("text").strip_prefix(HEAD))
                .expect("the head is in each piece");
            let entry = &pieces.text[pieces.pieces[index].entry.clone()];
            assert_eq!(pieces.with(entry), Some(index));
            (entry.to_owned(), body.to_owned())
        };
        (0..pieces.len()).map(piece).collect()
    }

    #[track_caller]
    fn assert_pieces(text: &str, expected: &[(&str, &[&str])]) {
        let expected =
            (expected.iter()).map(|(entry, parts)| ((*entry).to_owned(), parts.concat()));
        assert_eq!(pieces_of(text), expected.collect::<Vec<_>>());
    }

    #[track_caller]
    fn assert_whole(text: &str) {
        assert_pieces(text, &[("", &[text])]);
    }

    const F: &str = ".visible .entry f(\n\t.param .u64 f_param_0\n)\n.maxntid 256, 1, 1\n.minnctapersm 2\n{\n\tret;\n}\n";
    const G: &str = ".visible .entry g()\n{\n\tret;\n}\n";

    #[test]
    fn each_entry_is_a_piece() {
        let (f, g) = (F.trim_end(), G.trim_end());
        assert_pieces(
            &format!("\n{f}\n\t// .globl\tg\n{g}"),
            &[("f", &["\n", f]), ("g", &["\n\t// .globl\tg\n", g])],
        );
        assert_pieces(
            &format!(".weak .entry h() {{ }} {g}"),
            &[("h", &[".weak .entry h() { }"]), ("g", &[" ", g])],
        );
    }

    #[test]
    fn no_brace_of_a_comment_or_a_quote_counts() {
        let f = "// { not .entry x\n/* }\n.entry y() { */ .entry f() {\n.pragma \"nounroll } \\\" {\"; // }\n{ ret; } /* \" */ }";
        let g = "\n.entry g() { ret; // \"\n}";
        assert_pieces(&format!("{f}{g}"), &[("f", &[f]), ("g", &[g])]);
    }

    #[test]
    fn functions_go_where_they_are_called() {
        let declared = ".func (.param .b32 r) deep(.param .b32 x);";
        let near = "\n.func near(.param .b32 x) { call (r), deep, (x); // far\n }";
        let far =
            "\n.func  (.param .align 8 .b8 r[16]) far\n(\n.param .b32 x)\n.noreturn\n{ ret; }";
        let deep = "\n.func (.param .b32 r) deep(.param .b32 x) { { ret; } }";
        let f = "\n.entry f() { call.uni near, (p); }";
        let g = "\n.entry g() { call.uni (r), far, (p); .reg .b32 nearer; }";
        let h = "\n.entry h() { ret; }";
        assert_pieces(
            &[declared, near, far, f, g, h, deep].concat(),
            &[
                ("f", &[declared, near, f, deep]),
                ("g", &[far, g]),
                ("h", &[h]),
            ],
        );
    }

    #[test]
    fn variables_go_where_they_are_named() {
        let shared = ".extern .shared .align 16 .b8 dynamic[];";
        let table = "\n.global .align 4 .b8 table[8] = {65, 144,\n67, 60};";
        let constant = "\n.const .f32 unit = 0f3F800000, half = 0f3F000000;";
        let pointers = "\n.visible .const .u64 pointers[2] = {generic(table), 0};";
        let f = "\n.entry f() { mov.u64 %rd1, dynamic; ld.const.f32 %f1, [half]; }";
        let g = "\n.entry g() { ld.const.u64 %rd1, [pointers+8]; }";
        assert_pieces(
            &[shared, table, constant, pointers, f, g].concat(),
            &[("f", &[shared, constant, f]), ("g", &[table, pointers, g])],
        );
    }

    #[test]
    fn what_declares_nothing_goes_everywhere() {
        let (f, g) = (format!("\n{}", F.trim_end()), G.trim_end());
        let (pragma, file) = (".pragma \"nounroll\";", "\n.file 1 \"a b{.cu\"\n");
        assert_pieces(
            &[pragma, &f, file, g].concat(),
            &[("f", &[pragma, &f, file]), ("g", &[pragma, file, g])],
        );
    }

    #[test]
    fn entries_that_share_memory_stay_together() {
        assert_whole(&format!(".global .u32 count;\n{F}{G}"));
        assert_whole(&format!(
            ".visible .global .align 4 .u32 first = 1, count;\n{F}{G}"
        ));
        assert_whole(&format!(".global .u32 count, last = 1;\n{F}{G}"));
    }

    #[test]
    fn what_is_not_understood_stays_together() {
        for text in [
            "",
            "// nothing\n",
            ".entry f() { ret;",
            ".entry f() } {",
            ".entry () { }",
            "entry f() { ret; }",
            ".const .u32 x = 1",
            "é .entry f() { }",
        ] {
            assert_whole(text);
        }
        for end in ["/* {", "\"", ".section .debug_str { .b8 0 }", "}"] {
            assert_whole(&format!("{F}{G}{end}"));
        }
    }

    #[test]
    fn the_only_piece_has_every_entry() {
        assert_eq!(Pieces::of("".into()).with("f"), Some(0));
        assert_eq!(Pieces::of(format!("{HEAD}{F}{G}").into()).with("h"), None);
    }
}
