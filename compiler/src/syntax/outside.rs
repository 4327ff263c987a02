//! Items that are not part of the language.

use super::span;
use proc_macro2::Span;

/// The names that an item outside of the language would give.
pub(super) fn names(item: &syn::Item) -> Vec<String> {
    match item {
        syn::Item::Static(item) => vec![item.ident.to_string()],
        syn::Item::Trait(item) => vec![item.ident.to_string()],
        syn::Item::Mod(item) => vec![item.ident.to_string()],
        syn::Item::Union(item) => vec![item.ident.to_string()],
        _ => Vec::new(),
    }
}

/// An item that is not part of the language: its place, its name and what to write instead.
pub(super) fn outside(item: &syn::Item) -> (Span, &'static str, &'static str) {
    match item {
        syn::Item::ForeignMod(item) => (
            item.abi.extern_token.span,
            "foreign code is",
            "write the function in Rust",
        ),
        syn::Item::Static(item) => (item.static_token.span, "a `static` is", "write a `const`"),
        syn::Item::Trait(item) => (
            item.trait_token.span,
            "a `trait` is",
            "write functions, generic over `T: Number`",
        ),
        syn::Item::Mod(item) => (
            item.mod_token.span,
            "a module in a block is",
            "write one block per module",
        ),
        syn::Item::Union(item) => (item.union_token.span, "a `union` is", "write a `struct`"),
        syn::Item::Macro(item) => (
            span(&item.mac.path),
            "a macro in a block is",
            "write the items out",
        ),
        syn::Item::ExternCrate(item) => (
            item.extern_token.span,
            "`extern crate` is",
            "name it outside the block",
        ),
        other => (span(other), "this item is", "write a function"),
    }
}
