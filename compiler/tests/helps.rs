//! What errors say to write is right: each `help:` line of the snapshots that shows code is followed in `tests/helps`, by a block
//! that holds the code and compiles.

#[path = "helps/code.rs"]
mod code;

use accelerate_compiler::package::{Crate, Package};
use accelerate_compiler::{Options, Sources, compile};
use code::{holds, parts};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Helps whose code is not written into a block, each with the reason.
const ELSEWHERE: &[(&str, &str)] = &[
    (
        "write a path from the root of the package, where its `Cargo.toml` lies",
        "names a file of the package",
    ),
    (
        "write it in an `impl` of `Point`, in the block of `crate::programs::imports::geometry`",
        "is written into the block of another file",
    ),
];

/// What the words before a code end with if it is what to leave out.
const LEFT_OUT: &[&str] = &[
    "leave out",
    "without",
    "is no",
    "for the literal",
    "in the place of",
];

fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// The files of a folder with this extension, not of those in it.
fn texts(path: &str, extension: &str) -> impl Iterator<Item = (String, String)> {
    let entries = fs::read_dir(folder(path)).expect("a folder").flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|found| found == extension));
    paths.sort();
    paths.into_iter().map(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        (
            name.into_owned(),
            fs::read_to_string(&path).expect("a text"),
        )
    })
}

/// The helps of all errors that show code, each with a snapshot that has it.
fn helps() -> BTreeMap<String, String> {
    let mut helps = BTreeMap::new();
    for (name, text) in texts("compiler/tests/snapshots", "snap") {
        let lines = text
            .lines()
            .filter_map(|line| line.strip_prefix("  = help: "));
        for help in lines.filter(|line| line.contains('`')) {
            helps.insert(help.to_string(), name.clone());
        }
    }
    helps
}

/// A block, and the helps that it follows.
struct Followed {
    /// File and line.
    place: String,
    helps: Vec<String>,
    text: String,
}

/// The blocks of `tests/helps`.
fn followed() -> Vec<Followed> {
    let mut blocks: Vec<Followed> = Vec::new();
    for (name, text) in texts("tests/helps", "rs") {
        let mut before = false;
        let mut inside = false;
        for (number, line) in text.lines().enumerate() {
            let help = line.strip_prefix("// help: ");
            if help.is_some() && !before {
                let place = format!("{name}:{}", number + 1);
                let (helps, text) = (Vec::new(), String::new());
                blocks.push(Followed { place, helps, text });
                inside = true;
            }
            before = help.is_some();
            let Some(block) = blocks.last_mut().filter(|_| inside) else {
                let header = line.is_empty() || line.starts_with("//!");
                assert!(header, "{name}: `{line}` follows no help");
                continue;
            };
            if let Some(help) = help {
                block.helps.push(help.to_string());
            } else {
                block.text += line;
                block.text.push('\n');
            }
        }
    }
    blocks
}

/// The tokens in the `accelerate!` of a text, and how many there are.
fn find(tokens: TokenStream, into: &mut Vec<TokenStream>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (position, token) in tokens.iter().enumerate() {
        if let TokenTree::Group(group) = token {
            let name = position.checked_sub(2).map(|before| &tokens[before]);
            if matches!(name, Some(TokenTree::Ident(name)) if name == "accelerate") {
                into.push(group.stream());
            } else {
                find(group.stream(), into);
            }
        }
    }
}

/// The first item: up to its braces.
fn first(tokens: &[TokenTree]) -> &[TokenTree] {
    let braces = |token: &TokenTree| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
    let end = tokens
        .iter()
        .position(braces)
        .map_or(tokens.len(), |at| at + 1);
    &tokens[..end]
}

/// Whether what a block becomes has a function of this name, as it does for the names of instances.
fn names(expansion: &[TokenTree], code: &str) -> bool {
    let function = format!("fn {code}").parse().expect("tokens");
    syn::parse_str::<syn::Ident>(code).is_ok() && holds(expansion, &parts(function))
}

/// What is wrong with a block that follows a help.
fn unlike(help: &str, block: &[TokenTree], expansion: &[TokenTree]) -> Vec<String> {
    let mut wrong = Vec::new();
    let pieces: Vec<&str> = help.split('`').collect();
    for pair in pieces.chunks_exact(2) {
        let (words, code) = (pair[0].trim_end(), pair[1]);
        let parts = parts(code.parse().expect("tokens"));
        if LEFT_OUT.iter().any(|end| words.ends_with(end)) {
            if holds(first(block), &parts) {
                wrong.push(format!("its first item has `{code}`"));
            }
        } else if !holds(block, &parts) && !names(expansion, code) {
            wrong.push(format!("has no `{code}`"));
        }
    }
    wrong
}

/// What is taken for a code in a program, and what is not.
const TAKEN: &[(&str, &str, bool)] = &[
    ("map(|x| ..)", "xs.map(|x| x + 1.0)", true),
    ("map(|x| ..)", "xs.map(|y| y + 1.0)", false),
    ("map(|x| ..)", "xs.filter(|x| x > 1.0).map(f)", false),
    ("sum(..)", "m.rows().map(|row| row.sum())", true),
    ("for i in 0..n", "for i in 0..n { total += i; }", true),
    ("for i in 0..n", "for i in 0..xs.n { total += i; }", false),
    ("s![..;2]", "xs.slice(s![a..b;2])", true),
    ("s![a..b;2]", "xs.slice(s![..;2])", false),
    ("wrapping_", "x.wrapping_add(1)", true),
    ("map(|x| key).argsort()", "xs.map(|x| -x).argsort()", true),
    ("[{float}; 3]", "fn f(a: [f32; 3]) {}", true),
    ("[{float}; 3]", "fn f(a: [f32; 4]) {}", false),
];

#[test]
fn code_is_found() {
    for (code, program, taken) in TAKEN {
        let program: TokenStream = program.parse().expect("tokens");
        let program: Vec<TokenTree> = program.into_iter().collect();
        let found = holds(&program, &parts(code.parse().expect("tokens")));
        assert_eq!(found, *taken, "`{code}`");
    }
}

#[test]
fn each_help_is_followed_once() {
    let mut left = helps();
    for (help, _) in ELSEWHERE {
        assert!(left.remove(*help).is_some(), "no error says `{help}`");
    }
    let mut wrong = String::new();
    for block in followed() {
        for help in &block.helps {
            if left.remove(help).is_none() {
                wrong += &format!(
                    "{}: no error says, or it is followed twice: {help}\n",
                    block.place
                );
            }
        }
    }
    for (help, snapshot) in left {
        wrong += &format!("{snapshot}: nothing follows: {help}\n");
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn what_errors_say_to_write_compiles() {
    let package = Package::new(folder("tests/helps"));
    let mut wrong = String::new();
    for Followed { place, helps, text } in followed() {
        let mut blocks = Vec::new();
        find(text.parse().expect("tokens"), &mut blocks);
        let [block] = blocks.as_slice() else {
            panic!("{place}: one `accelerate!` follows a help");
        };
        let root = Crate::Root(folder("tests/helps/src/lib.rs"));
        let options = Options {
            sources: Sources::read(block, &package.reader(root)),
            ..Options::default()
        };
        let unit = compile(block.clone(), &options);
        for error in &unit.errors {
            wrong += &format!("{place}: {}\n", error.message);
        }
        let block: Vec<TokenTree> = block.clone().into_iter().collect();
        let expansion: Vec<TokenTree> = unit.expand(|_| false).into_iter().collect();
        for help in &helps {
            for unlike in unlike(help, &block, &expansion) {
                wrong += &format!("{place}: {unlike}: {help}\n");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
