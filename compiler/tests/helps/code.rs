//! What is written between the backticks of a help, and where it stands in a program.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// Names in helps that stand for any code.
const ANY: &[&str] = &["axis", "boundary", "key"];

/// A part of a help's code.
pub(crate) enum Part {
    /// Any tokens, also none.
    Any,
    /// A name that begins with this.
    Begins(String),
    Token(String),
    Group(Delimiter, Vec<Part>),
}

/// The parts of a code. `..` stands for anything, but in a range, where it touches one of its ends.
pub(crate) fn parts(code: TokenStream) -> Vec<Part> {
    let tokens: Vec<TokenTree> = code.into_iter().collect();
    let end = |at: Option<&TokenTree>| match at {
        Some(TokenTree::Ident(_) | TokenTree::Literal(_)) => at.map(TokenTree::span),
        _ => None,
    };
    let mut parts = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        at += 1;
        let part = match token {
            TokenTree::Group(group) => {
                let text = group.stream().to_string();
                // What messages call the type of a literal.
                if text == "float" || text == "integer" {
                    Part::Any
                } else {
                    Part::Group(group.delimiter(), self::parts(group.stream()))
                }
            }
            TokenTree::Ident(name) if ANY.iter().any(|any| name == any) => Part::Any,
            TokenTree::Ident(name) if name.to_string().ends_with('_') && name != "_" => {
                Part::Begins(name.to_string())
            }
            TokenTree::Punct(dot) if dot.as_char() == '.' && dot.spacing() == Spacing::Joint => {
                at += 1;
                let before = at.checked_sub(3).and_then(|before| end(tokens.get(before)));
                let touches = before.is_some_and(|end| end.end() == dot.span().start())
                    || end(tokens.get(at))
                        .is_some_and(|end| end.start().column == dot.span().start().column + 2);
                if touches {
                    parts.push(Part::Token(".".into()));
                    Part::Token(".".into())
                } else {
                    Part::Any
                }
            }
            token => Part::Token(token.to_string()),
        };
        parts.push(part);
    }
    parts
}

/// Whether tokens begin with the parts, or are all of them.
fn matches(parts: &[Part], tokens: &[TokenTree], all: bool) -> bool {
    let Some((part, parts)) = parts.split_first() else {
        return !all || tokens.is_empty();
    };
    if let Part::Any = part {
        return (0..=tokens.len()).any(|any| matches(parts, &tokens[any..], all));
    }
    let Some((token, tokens)) = tokens.split_first() else {
        return false;
    };
    let first = match (part, token) {
        (Part::Group(delimiter, inside), TokenTree::Group(group)) => {
            let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
            group.delimiter() == *delimiter && self::matches(inside, &tokens, true)
        }
        (Part::Begins(prefix), TokenTree::Ident(name)) => name.to_string().starts_with(prefix),
        (Part::Token(text), token) => token.to_string() == *text,
        _ => false,
    };
    first && matches(parts, tokens, all)
}

/// Whether the parts stand in the tokens, next to each other, or in a group of them.
pub(crate) fn holds(tokens: &[TokenTree], parts: &[Part]) -> bool {
    let inside = |token: &TokenTree| match token {
        TokenTree::Group(group) => holds(&group.stream().into_iter().collect::<Vec<_>>(), parts),
        _ => false,
    };
    (0..tokens.len()).any(|at| matches(parts, &tokens[at..], false)) || tokens.iter().any(inside)
}
