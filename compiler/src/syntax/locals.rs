//! Items inside functions: constants, types and helpers.
//!
//! They are taken out of the body and become items of the block under the function's name, as `f::LIMIT`. In their place
//! stands what they are called, so that a block knows which names it has.

use super::{Block, Scope, imports, outside};
use crate::diag::Errors;
use crate::sorted::SortedMap;
use proc_macro2::{Literal, TokenTree};
use quote::quote;
use syn::visit_mut::{self, VisitMut};

/// Takes the items out of a body, and gives them with their names in the block. `path`: of the function; `scope`: what it
/// sees around it.
pub(super) fn take_out(
    body: &mut syn::Block,
    path: &str,
    scope: &Scope,
    block: &mut Block,
    errors: &mut Errors,
) -> Vec<(String, syn::Item)> {
    let mut visitor = TakeOut {
        path,
        scope: scope.clone(),
        block,
        errors,
        items: Vec::new(),
    };
    visitor.visit_block_mut(body);
    visitor.items
}

/// The names of the items that stood in a block, as written and as the block of the program knows them.
pub(crate) fn names(block: &syn::Block) -> Vec<(String, String)> {
    let mut names = Vec::new();
    for statement in &block.stmts {
        let syn::Stmt::Item(syn::Item::Verbatim(tokens)) = statement else {
            continue;
        };
        let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
        for pair in tokens.chunks(2) {
            if let [TokenTree::Literal(name), TokenTree::Literal(known)] = pair {
                let text = |literal: &Literal| literal.to_string().trim_matches('"').to_string();
                names.push((text(name), text(known)));
            }
        }
    }
    names
}

/// What stands in the place of items: their names as [`names`] reads them.
fn place(names: &Scope) -> syn::Item {
    let pairs = names.iter().map(|(name, known)| quote!(#name #known));
    syn::Item::Verbatim(pairs.collect())
}

struct TakeOut<'b> {
    path: &'b str,
    scope: Scope,
    block: &'b mut Block,
    errors: &'b mut Errors,
    items: Vec<(String, syn::Item)>,
}

impl TakeOut<'_> {
    /// A name that no item has: blocks of one function may have items of one name.
    fn free(&mut self, name: &syn::Ident) -> String {
        let plain = format!("{}::{name}", self.path);
        let mut free = plain.clone();
        let mut number = 1;
        while self.block.scopes.contains_key(&free) {
            number += 1;
            free = format!("{plain}#{number}");
        }
        self.block.scopes.insert(free.clone(), SortedMap::new());
        free
    }
}

impl VisitMut for TakeOut<'_> {
    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        let outer = self.scope.clone();
        let mut taken = Vec::new();
        for statement in &mut block.stmts {
            let syn::Stmt::Item(item) = statement else {
                continue;
            };
            let name = match item {
                syn::Item::Fn(item) => item.sig.ident.clone(),
                syn::Item::Struct(item) => item.ident.clone(),
                syn::Item::Enum(item) => item.ident.clone(),
                syn::Item::Type(item) => item.ident.clone(),
                syn::Item::Const(item) => item.ident.clone(),
                syn::Item::Use(import) => {
                    let names = imports::add(import, self.block, self.errors);
                    *item = place(&names);
                    self.scope.extend(names);
                    continue;
                }
                other => {
                    self.block.refused.extend(outside::names(other));
                    continue;
                }
            };
            let known = self.free(&name);
            self.scope.insert(name.to_string(), known.clone());
            let place = place(&Scope::from([(name.to_string(), known.clone())]));
            taken.push((known, std::mem::replace(item, place)));
        }
        for (known, item) in taken {
            self.block.scopes.insert(known.clone(), self.scope.clone());
            self.items.push((known, item));
        }
        visit_mut::visit_block_mut(self, block);
        self.scope = outer;
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
