//! The files of foreign functions: which a block names, and what they may hold.

use crate::diag::Errors;
use crate::sorted::{SortedMap, SortedSet};
use crate::typed::{Block, Foreign};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The texts of files by their paths, or why they cannot be read.
pub type Files = SortedMap<String, Result<String, String>>;

/// The paths in `#[foreign(cuda = "..")]` anywhere in a block, from the root of the package.
pub(crate) fn foreign_files(tokens: &TokenStream) -> SortedSet<String> {
    let mut found = SortedSet::new();
    find(tokens.clone(), &mut found);
    found
}

fn find(tokens: TokenStream, found: &mut SortedSet<String>) {
    let mut hash = false;
    for token in tokens {
        let is_hash = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '#');
        if let TokenTree::Group(group) = token {
            if hash && group.delimiter() == Delimiter::Bracket {
                found.extend(path(group.stream()));
            } else {
                find(group.stream(), found);
            }
        }
        hash = is_hash;
    }
}

/// The path in `foreign(cuda = "..")`.
fn path(attribute: TokenStream) -> Option<String> {
    let list = syn::parse2::<syn::MetaList>(attribute).ok()?;
    let pair = (list.path.is_ident("foreign"))
        .then(|| list.parse_args::<syn::MetaNameValue>().ok())
        .flatten()?;
    match pair.value {
        syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Str(file),
            ..
        }) if pair.path.is_ident("cuda") => Some(file.value()),
        _ => None,
    }
}

/// Gives the foreign functions of a block their texts. Those with errors are from now on what their bodies say.
pub(crate) fn read(block: &mut Block, files: &Files, errors: &mut Errors) {
    for function in &mut block.functions {
        let attributes = &mut function.attributes;
        let Some(Foreign::Cuda(foreign)) = &mut attributes.foreign else {
            continue;
        };
        let file = &foreign.file;
        let wrong = match files.get(file) {
            Some(Ok(text)) => match include(text) {
                None => {
                    foreign.text.clone_from(text);
                    continue;
                }
                Some(line) => (
                    format!("line {line} of `{file}` includes another file"),
                    "write what it needs of that into the file itself",
                ),
            },
            Some(Err(reason)) => (
                format!("cannot read `{file}`: {reason}"),
                "write a path from the root of the package, where its `Cargo.toml` lies",
            ),
            None => (
                format!("`{file}` has not been read"),
                "give the compiler its text",
            ),
        };
        errors.error(foreign.span, wrong.0, wrong.1);
        attributes.foreign = None;
    }
}

/// The line of the first `#include`, outside of comments.
fn include(text: &str) -> Option<usize> {
    let code = without_comments(text);
    let includes = |line: &str| {
        let line = line.trim_start();
        let directive = line.strip_prefix('#').or(line.strip_prefix("%:"));
        directive.is_some_and(|directive| {
            let word = directive.trim_start();
            word.starts_with("include") || word.starts_with("import")
        })
    };
    code.lines().position(includes).map(|line| line + 1)
}

/// The text with spaces in place of comments; lines stay.
fn without_comments(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = match rest.get(..2) {
            Some("//") => rest.find('\n'),
            Some("/*") => rest[2..].find("*/").map(|at| at + 4),
            _ => None,
        };
        let is_comment = rest.starts_with("//") || rest.starts_with("/*");
        let length = match is_comment {
            true => end.unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (part, after) = rest.split_at(length);
        match is_comment {
            true => code.extend(part.chars().map(|c| if c == '\n' { c } else { ' ' })),
            false => code.push_str(part),
        }
        rest = after;
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_found_wherever_functions_stand() {
        let tokens = "#[foreign(cuda = \"a.cuh\")] fn a() {} pub fn f() { #[inline] #[foreign(cuda = \"b/c.cuh\")] fn b() {} }
            #[foreign(rust = \"d\")] fn d() {} #[other(cuda = \"e\")] fn e() {}";
        let found = foreign_files(&tokens.parse().expect("Rust"));
        assert_eq!(found.into_iter().collect::<Vec<_>>(), ["a.cuh", "b/c.cuh"]);
    }

    #[test]
    fn an_include_is_one_outside_of_comments() {
        for (text, line) in [
            ("float f();\n  #  include <x>\n", Some(2)),
            ("%:include \"x\"", Some(1)),
            ("/* #include\n*/ #import x", Some(2)),
            (
                "// #include <x>\n/* #include <y>\n#include */\n#define include 1\n",
                None,
            ),
            ("#ifdef x\nint include;\n#endif /*", None),
        ] {
            assert_eq!(include(text), line, "{text}");
        }
    }
}
