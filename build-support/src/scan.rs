//! Finding the `accelerate!` blocks of a package.
//!
//! In: the package's directory. Out: the tokens of each block, and the files that were read. Works on tokens, not on
//! syntax trees, so blocks inside other macros are found, too, and a file with errors yields what can be read of it.
//! `#[cfg]` is not evaluated: kernels of code that is switched off are compiled for nothing, and do no harm. A block
//! made by `macro_rules!` is not seen; it runs all the same (compiled at run time, or on the CPU).

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What was found.
#[derive(Default)]
pub(crate) struct Found {
    /// The tokens of each block.
    pub(crate) blocks: Vec<TokenStream>,
    /// Files and directories whose change means to look again.
    pub(crate) watched: BTreeSet<PathBuf>,
}

/// Follows the modules of every target of the package.
pub(crate) fn scan(package: &Path) -> Found {
    let mut scan = Scan {
        found: Found::default(),
        visited: BTreeSet::new(),
    };
    let manifest = package.join("Cargo.toml");
    // A directory is watched with all its files: new targets are seen, too.
    for name in [
        "src",
        "examples",
        "tests",
        "benches",
        "build.rs",
        "Cargo.toml",
    ] {
        let path = package.join(name);
        if path.exists() {
            scan.found.watched.insert(path);
        }
    }
    for root in roots(
        package,
        &std::fs::read_to_string(manifest).unwrap_or_default(),
    ) {
        let directory = root.parent().unwrap_or(package).to_owned();
        scan.file(&root, &directory);
    }
    scan.found
}

/// The root files of all targets: where cargo looks by itself, and the paths that the manifest names.
fn roots(package: &Path, manifest: &str) -> BTreeSet<PathBuf> {
    let mut roots: BTreeSet<PathBuf> = ["src/lib.rs", "src/main.rs"]
        .iter()
        .map(|path| package.join(path))
        .collect();
    for folder in ["src/bin", "examples", "tests", "benches"] {
        let Ok(entries) = std::fs::read_dir(package.join(folder)) else {
            continue;
        };
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                roots.insert(path.join("main.rs"));
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                roots.insert(path);
            }
        }
    }
    let mut in_target = false;
    for line in manifest.lines().map(str::trim) {
        if line.starts_with('[') {
            in_target = ["[lib]", "[[bin]]", "[[example]]", "[[test]]", "[[bench]]"]
                .iter()
                .any(|section| line.starts_with(section));
        } else if in_target
            && let Some(value) = line.strip_prefix("path").map(str::trim_start)
            && let Some(value) = value.strip_prefix('=')
            && let Some(path) = value.trim().split(['"', '\'']).nth(1)
        {
            roots.insert(package.join(path));
        }
    }
    roots.retain(|root| root.is_file());
    roots
}

struct Scan {
    found: Found,
    visited: BTreeSet<PathBuf>,
}

impl Scan {
    /// Reads a file whose child modules lie in `directory`.
    fn file(&mut self, path: &Path, directory: &Path) {
        let known = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if !self.visited.insert(known) {
            return;
        }
        let Ok(text) = std::fs::read_to_string(path) else {
            return;
        };
        self.found.watched.insert(path.to_owned());
        // A file that is no token stream is rustc's to report.
        if let Ok(tokens) = text.parse::<TokenStream>() {
            let home = path.parent().unwrap_or(directory);
            self.tokens(tokens, directory, home);
        }
    }

    /// `directory`: where child modules lie; `home`: what `#[path]` is relative to.
    fn tokens(&mut self, tokens: TokenStream, directory: &Path, home: &Path) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        // The value of a `#[path]` that stands before the current item.
        let mut path = None;
        for (k, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Ident(word) if word == "accelerate" => {
                    if let (true, Some(TokenTree::Group(group))) =
                        (is_punct(tokens.get(k + 1), '!'), tokens.get(k + 2))
                    {
                        self.found.blocks.push(group.stream());
                    }
                }
                TokenTree::Ident(word) if word == "include" => {
                    if let (true, Some(TokenTree::Group(group))) =
                        (is_punct(tokens.get(k + 1), '!'), tokens.get(k + 2))
                        && let Some(name) = only_string(group)
                    {
                        let file = home.join(name);
                        self.file(&file, directory);
                    }
                }
                TokenTree::Ident(word) if word == "mod" => {
                    if let Some(TokenTree::Ident(name)) = tokens.get(k + 1) {
                        let name = name.to_string();
                        let name = name.trim_start_matches("r#");
                        self.module(name, path.take(), tokens.get(k + 2), directory, home);
                    }
                }
                TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => {
                    if is_punct(k.checked_sub(1).and_then(|k| tokens.get(k)), '#')
                        && let Some(value) = path_attribute(group)
                    {
                        path = Some(value);
                    }
                    self.tokens(group.stream(), directory, home);
                }
                TokenTree::Group(group) => {
                    let of_module =
                        k >= 2 && matches!(&tokens[k - 2], TokenTree::Ident(word) if word == "mod");
                    if !of_module {
                        self.tokens(group.stream(), directory, home);
                    }
                }
                TokenTree::Punct(punct) if punct.as_char() == ';' => path = None,
                TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }

    /// `mod name;` or `mod name { .. }`
    fn module(
        &mut self,
        name: &str,
        path: Option<String>,
        next: Option<&TokenTree>,
        directory: &Path,
        home: &Path,
    ) {
        match next {
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                let inner = match path {
                    Some(path) => home.join(path),
                    None => directory.join(name),
                };
                self.tokens(group.stream(), &inner, &inner);
            }
            Some(TokenTree::Punct(punct)) if punct.as_char() == ';' => {
                if let Some(path) = path {
                    let file = home.join(path);
                    let directory = file.parent().unwrap_or(home).to_owned();
                    self.file(&file, &directory);
                    return;
                }
                let inner = directory.join(name);
                let file = directory.join(format!("{name}.rs"));
                if file.is_file() {
                    self.file(&file, &inner);
                } else {
                    self.file(&inner.join("mod.rs"), &inner);
                }
            }
            _ => {}
        }
    }
}

fn is_punct(token: Option<&TokenTree>, wanted: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == wanted)
}

/// The value of `[path = ".."]`, also within `[cfg_attr(.., path = "..")]`.
fn path_attribute(group: &Group) -> Option<String> {
    let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
    for (k, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(word) if word == "path" && is_punct(tokens.get(k + 1), '=') => {
                return string(tokens.get(k + 2)?);
            }
            TokenTree::Group(inner) => {
                if let Some(path) = path_attribute(inner) {
                    return Some(path);
                }
            }
            _ => {}
        }
    }
    None
}

fn only_string(group: &Group) -> Option<String> {
    let mut tokens = group.stream().into_iter();
    let value = string(&tokens.next()?);
    value.filter(|_| tokens.next().is_none())
}

fn string(token: &TokenTree) -> Option<String> {
    match token {
        TokenTree::Literal(literal) => syn::parse_str::<syn::LitStr>(&literal.to_string())
            .ok()
            .map(|literal| literal.value()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A package made of these files; the names of the functions found in its blocks.
    fn found(test: &str, files: &[(&str, &str)]) -> Vec<String> {
        let package =
            std::env::temp_dir().join(format!("accelerate-scan-{test}-{}", std::process::id()));
        for (name, text) in files {
            let path = package.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let blocks = scan(&package).blocks;
        std::fs::remove_dir_all(&package).unwrap();
        let mut names: Vec<String> = blocks
            .into_iter()
            .map(|tokens| tokens.into_iter().nth(1).unwrap().to_string())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn modules_are_followed_from_every_root() {
        let names = found(
            "modules",
            &[
                (
                    "src/lib.rs",
                    "mod a; #[path = \"other/c.rs\"] mod b; mod d { mod e; accelerate! { fn d() {} } }",
                ),
                ("src/a.rs", "mod f; accelerate::accelerate! { fn a() {} }"),
                ("src/a/f.rs", "fn g() { accelerate! { fn f() {} } }"),
                ("src/other/c.rs", "mod h; accelerate! { fn c() {} }"),
                ("src/other/h.rs", "accelerate! { fn h() {} }"),
                ("src/d/e/mod.rs", "accelerate! { fn e() {} }"),
                ("tests/t.rs", "other_macro! { accelerate! { fn t() {} } }"),
                ("examples/x/main.rs", "include!(\"y.rs\");"),
                ("examples/x/y.rs", "accelerate! { fn x() {} }"),
                (
                    "Cargo.toml",
                    "[[bench]]\nname = \"b\"\npath = \"odd/b.rs\"\n",
                ),
                ("odd/b.rs", "accelerate! { fn odd() {} }"),
                ("src/unused.rs", "accelerate! { fn unused() {} }"),
            ],
        );
        assert_eq!(names, ["a", "c", "d", "e", "f", "h", "odd", "t", "x"]);
    }

    #[test]
    fn a_broken_file_hides_no_other() {
        let names = found(
            "broken",
            &[
                ("src/lib.rs", "mod a; mod gone; fn ("),
                (
                    "src/main.rs",
                    "mod a; fn f( -> accelerate! { fn b() {} } ) {}",
                ),
                ("src/a.rs", "accelerate! { fn a() {} }"),
            ],
        );
        assert_eq!(names, ["a", "b"]);
    }
}
