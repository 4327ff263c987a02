//! Finding the `accelerate!` blocks of a package.
//!
//! In: the root file of a target. Out: the tokens of each block with the modules around it, and the files that were read. Works on
//! tokens, not on syntax trees, so blocks inside other macros are found, too, and a file with errors yields what can be read of
//! it. `#[cfg]` is not evaluated: kernels of code that is switched off are compiled for nothing, and do no harm. A block
//! made by `macro_rules!` is not seen; it runs all the same (compiled at run time, or on the CPU).

use super::{Block, Found};
use crate::sorted::SortedSet;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use std::path::{Path, PathBuf};

/// A walk over the modules of targets.
#[derive(Default)]
pub(super) struct Scan {
    pub(super) found: Found,
    /// Files that have been read.
    pub(super) visited: SortedSet<PathBuf>,
    /// The only module that is looked for.
    pub(super) wanted: Option<Vec<String>>,
    /// Whether there is such a module.
    pub(super) reached: bool,
    /// Of the target.
    root: PathBuf,
    /// That is being read.
    file: PathBuf,
    /// The modules around the current place; nothing inside of a function or of another macro.
    module: Option<Vec<String>>,
}

impl Scan {
    /// Follows the modules of a target.
    pub(super) fn target(&mut self, root: &Path, package: &Path) {
        let directory = root.parent().unwrap_or(package).to_owned();
        self.root = root.to_owned();
        self.module = Some(Vec::new());
        self.file(root, &directory);
    }

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
            self.reached |= self.wanted.is_some() && self.wanted == self.module;
            let around = std::mem::replace(&mut self.file, path.to_owned());
            self.tokens(tokens, directory, home);
            self.file = around;
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
                        self.found.blocks.push(Block {
                            tokens: group.stream(),
                            root: self.root.clone(),
                            file: self.file.clone(),
                            module: self.module.clone(),
                        });
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
                        self.child(name, path.take(), tokens.get(k + 2), directory, home);
                    }
                }
                TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => {
                    if is_punct(k.checked_sub(1).and_then(|k| tokens.get(k)), '#')
                        && let Some(value) = path_attribute(group)
                    {
                        path = Some(value);
                    }
                    self.inside(group, directory, home);
                }
                TokenTree::Group(group) => {
                    let of_module =
                        k >= 2 && matches!(&tokens[k - 2], TokenTree::Ident(word) if word == "mod");
                    if !of_module {
                        self.inside(group, directory, home);
                    }
                }
                TokenTree::Punct(punct) if punct.as_char() == ';' => path = None,
                TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }

    /// What is no part of a module.
    fn inside(&mut self, group: &Group, directory: &Path, home: &Path) {
        let around = self.module.take();
        self.tokens(group.stream(), directory, home);
        self.module = around;
    }

    /// `mod name;` or `mod name { .. }`
    fn child(
        &mut self,
        name: &str,
        path: Option<String>,
        next: Option<&TokenTree>,
        directory: &Path,
        home: &Path,
    ) {
        let around = self.module.clone();
        if let Some(module) = &mut self.module {
            module.push(name.to_owned());
        }
        let on_the_way = match (&self.wanted, &self.module) {
            (None, _) => true,
            (Some(wanted), Some(module)) => wanted.starts_with(module),
            (Some(_), None) => false,
        };
        if on_the_way {
            self.content(name, path, next, directory, home);
        }
        self.module = around;
    }

    /// What stands in a module.
    fn content(
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
                self.reached |= self.wanted.is_some() && self.wanted == self.module;
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
