//! `use` in a block. What is of Rust's library is read over, since a block knows what the language has of it; but its constants
//! of floats are names from then on. Items of other blocks of the package are looked for by `others`.

use super::{Block, Scope, words};
use crate::diag::Errors;
use crate::sorted::{SortedMap, SortedSet};
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;

/// The texts of the blocks in a module, or why there are none.
pub type Module = Result<Vec<String>, String>;

/// The modules that blocks import from, by their paths: `crate::shapes`, or `my_crate::shapes` of the package's library.
pub type Modules = SortedMap<String, Module>;

/// An item of another block that a `use` names.
pub(super) struct Request {
    /// What it is called here.
    pub(super) name: syn::Ident,
    /// Where it is.
    pub(super) target: Target,
    /// The word that the path begins with.
    pub(super) root: Span,
}

/// An item of another block.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Target {
    /// `crate::shapes`
    pub(super) module: String,
    /// `Point`
    pub(super) item: String,
}

impl Target {
    /// The name that the program knows it by.
    pub(super) fn known(&self) -> String {
        format!("{}::{}", self.module, self.item)
    }
}

/// The paths of the modules that the tokens of a block import from. `root`: what `crate` is there.
pub fn imported_modules(tokens: &TokenStream, root: &str) -> SortedSet<String> {
    let targets = uses(tokens.clone()).into_iter();
    let targets = targets.flat_map(|import| targets_of(&import, root));
    targets.map(|(_, target)| target.module).collect()
}

/// Every `use` in some tokens, of functions, too.
pub(super) fn uses(tokens: TokenStream) -> Vec<syn::ItemUse> {
    let mut found = Vec::new();
    let mut rest = tokens.into_iter();
    while let Some(token) = rest.next() {
        match token {
            TokenTree::Ident(word) if word == "use" => {
                let is_end =
                    |token: &TokenTree| matches!(token, TokenTree::Punct(p) if p.as_char() == ';');
                let mut item = vec![TokenTree::Ident(word)];
                for token in rest.by_ref() {
                    let end = is_end(&token);
                    item.push(token);
                    if end {
                        break;
                    }
                }
                found.extend(syn::parse2::<syn::ItemUse>(item.into_iter().collect()));
            }
            TokenTree::Group(group) => found.extend(uses(group.stream())),
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
    found
}

/// What a `use` names of other blocks, by what they are called.
pub(super) fn targets_of(import: &syn::ItemUse, root: &str) -> Vec<(String, Target)> {
    let leaves = leaves(&import.tree).into_iter();
    let targets = leaves.filter_map(|leaf| Some((leaf.name()?.to_string(), leaf.target(root)?)));
    targets.collect()
}

/// Reads a `use`: the names that it gives to constants of floats and to items of other blocks. `PI` is `f32::consts::PI`, and `*`
/// what all others are in.
pub(super) fn add(import: &syn::ItemUse, block: &mut Block, errors: &mut Errors) -> Scope {
    let mut names = Scope::new();
    for leaf in leaves(&import.tree) {
        if leaf.is_of_std() {
            names.extend(leaf.constant());
            continue;
        }
        let root = block.root();
        let first = leaf.path.first().unwrap_or(&leaf.last);
        let mut refuse = |at: Span, message: String, help: &str| {
            errors.error(at, message, help);
            let name = leaf.name().map(ToString::to_string);
            block.refused.extend(name);
        };
        match (leaf.target(&root), leaf.name()) {
            _ if *first == "accelerate" => refuse(
                first.span(),
                "the language's own names need no import".to_owned(),
                "leave it out",
            ),
            (Some(target), Some(name)) => {
                names.insert(name.to_string(), target.known());
                block.requests.push(Request {
                    name: name.clone(),
                    target,
                    root: first.span(),
                });
            }
            _ if *first == "self" || *first == "super" => refuse(
                first.span(),
                format!("`{first}` in a block: expected a path from `crate`"),
                "write `use crate::shapes::Point;`",
            ),
            _ if leaf.last == "self" => refuse(
                leaf.last.span(),
                "`self` in a `use` of a block: expected the names of items".to_owned(),
                "write `use crate::shapes::{Point, norm};`",
            ),
            (_, None) => refuse(
                leaf.last.span(),
                "`*` in a `use` of a block: expected the names of items".to_owned(),
                "write `use crate::shapes::{Point, norm};`",
            ),
            _ => refuse(
                first.span(),
                format!("`{first}` is no item of a block"),
                "write `use crate::shapes::Point;`",
            ),
        }
    }
    names
}

/// A name at the end of a `use`.
struct Leaf {
    path: Vec<syn::Ident>,
    /// `*` as a word that no item has.
    last: syn::Ident,
    known: Option<syn::Ident>,
}

/// The word for `*`.
const ALL: &str = "__all";

impl Leaf {
    /// What it is called from now on; of a `*` nothing.
    fn name(&self) -> Option<&syn::Ident> {
        self.known.as_ref()
    }

    fn is_of_std(&self) -> bool {
        let first = self.path.first().unwrap_or(&self.last);
        first == "std" || first == "core"
    }

    /// A constant of floats, or a module of them.
    fn constant(&self) -> Option<(String, String)> {
        let last = self.known.as_ref().map(|_| &self.last);
        let words = self.path.iter().chain(last).skip(1);
        let words: Vec<String> = words.map(ToString::to_string).collect();
        let name = self
            .known
            .as_ref()
            .map_or("*".to_owned(), |known| known.to_string());
        (words.get(1).is_some_and(|module| module == "consts")).then(|| (name, words.join("::")))
    }

    fn target(&self, root: &str) -> Option<Target> {
        let (first, rest) = self.path.split_first()?;
        if first == "self" || first == "super" || self.is_of_std() {
            return None;
        }
        if self.known.is_none() || self.last == "self" {
            return None;
        }
        let first = match first == "crate" {
            true => root.to_owned(),
            false => first.to_string(),
        };
        let module = [first]
            .into_iter()
            .chain(rest.iter().map(ToString::to_string));
        Some(Target {
            module: module.collect::<Vec<_>>().join("::"),
            item: self.last.to_string(),
        })
    }
}

fn leaves(tree: &syn::UseTree) -> Vec<Leaf> {
    fn collect(tree: &syn::UseTree, path: &mut Vec<syn::Ident>, found: &mut Vec<Leaf>) {
        let (last, known) = match tree {
            syn::UseTree::Path(part) => {
                path.push(part.ident.clone());
                collect(&part.tree, path, found);
                path.pop();
                return;
            }
            syn::UseTree::Group(group) => {
                return (group.items.iter()).for_each(|tree| collect(tree, path, found));
            }
            syn::UseTree::Name(name) => (name.ident.clone(), Some(name.ident.clone())),
            syn::UseTree::Rename(name) => (name.ident.clone(), Some(name.rename.clone())),
            syn::UseTree::Glob(glob) => (syn::Ident::new(ALL, super::span(glob)), None),
        };
        found.push(Leaf {
            path: path.clone(),
            last,
            known,
        });
    }
    let mut found = Vec::new();
    collect(tree, &mut Vec::new(), &mut found);
    found
}

/// The words of an item, to know what it may need.
pub(super) fn words_of(item: &syn::Item) -> SortedSet<String> {
    words(item.to_token_stream()).into_iter().collect()
}
