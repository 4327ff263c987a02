//! The items of a block: split at their ends, so that an error in one hides no other, then parsed one by one.

use super::declarations::{Owner, push};
use super::fields::name_fields;
use super::outside::{names, outside};
use super::{Block, Declared, Host, attributes, report};
use crate::diag::Errors;
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Whether a block that begins with this word holds items.
pub(super) fn starts_item(word: &str) -> bool {
    const WORDS: &[&str] = &[
        "fn",
        "pub",
        "struct",
        "const",
        "type",
        "enum",
        "impl",
        "use",
        "extern",
        "static",
        "trait",
        "unsafe",
        "mod",
        "async",
        "union",
        "macro_rules",
    ];
    WORDS.contains(&word)
}

pub(super) fn parse(tokens: TokenStream, errors: &mut Errors) -> Block {
    let mut block = Block::default();
    let items = split(tokens).into_iter();
    let mut items: Vec<_> = items
        .map(|tokens| (syn::parse2::<syn::Item>(tokens.clone()), tokens))
        .collect();
    // What is imported may have an `impl` here, before the `use`, too.
    items.sort_by_key(|(item, _)| !matches!(item, Ok(syn::Item::Use(_))));
    for (item, tokens) in items {
        match item {
            Ok(item) => add(item, &mut block, errors),
            Err(error) => {
                report(&error, errors);
                block.refused.extend(name(tokens.clone()));
                block.failed.extend(signature(tokens));
            }
        }
    }
    block
}

/// The tokens of each item: up to a brace or a semicolon; those that may have braces inside, up to the semicolon.
pub(super) fn split(tokens: TokenStream) -> Vec<TokenStream> {
    let mut items = Vec::new();
    let mut current: Vec<TokenTree> = Vec::new();
    let mut to_semicolon = false;
    for token in tokens {
        let ends = match &token {
            TokenTree::Ident(word) => {
                let word = word.to_string();
                // There are constants among the parameters of items, too.
                let begun = |word: &TokenTree| match word {
                    TokenTree::Ident(word) => ["fn", "struct", "enum", "impl"]
                        .iter()
                        .any(|item| word == item),
                    _ => false,
                };
                to_semicolon |= !current.iter().any(begun)
                    && matches!(&*word, "const" | "static" | "type" | "use");
                to_semicolon &= word != "fn";
                false
            }
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace && !to_semicolon,
            TokenTree::Punct(punct) => punct.as_char() == ';',
            TokenTree::Literal(_) => false,
        };
        current.push(token);
        if ends {
            items.push(current.drain(..).collect());
            to_semicolon = false;
        }
    }
    if !current.is_empty() {
        items.push(current.into_iter().collect());
    }
    items
}

/// The name of an item that cannot be parsed: the word after its keyword.
fn name(tokens: TokenStream) -> Option<String> {
    let words = tokens.into_iter().filter_map(|token| match token {
        TokenTree::Ident(word) => Some(word.to_string()),
        _ => None,
    });
    let mut words =
        words.skip_while(|word| !starts_item(word) || matches!(&**word, "pub" | "unsafe"));
    words.next();
    words.find(|word| !starts_item(word) && word != "mut")
}

/// The signature of a public function whose body cannot be parsed.
fn signature(tokens: TokenStream) -> Option<Host> {
    let mut tokens: Vec<TokenTree> = tokens.into_iter().collect();
    tokens.pop()?;
    let text: TokenStream = tokens.into_iter().collect();
    let item: syn::ItemFn = syn::parse2(quote::quote!(#text {})).ok()?;
    host(&item)
}

/// What the host sees of a function.
fn host(item: &syn::ItemFn) -> Option<Host> {
    if matches!(item.vis, syn::Visibility::Inherited) {
        return None;
    }
    Some(Host::Item {
        visibility: item.vis.clone(),
        attributes: attributes::of_rust(&item.attrs),
        signature: item.sig.clone(),
    })
}

pub(super) fn add(item: syn::Item, block: &mut Block, errors: &mut Errors) {
    for attribute in attributes_of_others(&item) {
        let (what, help) = match attribute.path() {
            path if path.is_ident("export") => {
                ("export", "write it before a `pub fn` of the block")
            }
            path if path.is_ident("foreign") => ("foreign", "write it before a function"),
            _ => continue,
        };
        let message = format!("`#[{what}]` cannot stand here");
        errors.error(super::span(attribute.path()), message, help);
    }
    match item {
        syn::Item::Fn(item) => function(item, block, errors),
        syn::Item::Struct(mut item) => {
            name_fields(&mut item.fields, errors);
            let item = declared(item.ident.clone(), item, block);
            block.structs.push(item);
        }
        syn::Item::Enum(mut item) => {
            for variant in &mut item.variants {
                name_fields(&mut variant.fields, errors);
            }
            let item = declared(item.ident.clone(), item, block);
            block.enums.push(item);
        }
        syn::Item::Impl(item) => super::impls::add(item, block, errors),
        syn::Item::Const(item) => {
            let item = declared(item.ident.clone(), item, block);
            block.constants.push(item);
        }
        syn::Item::Type(item) => {
            let item = declared(item.ident.clone(), item, block);
            block.aliases.push(item);
        }
        syn::Item::Use(import) => {
            let names = super::imports::add(&import, block, errors);
            block.imports.extend(names);
        }
        other => {
            let (span, what, help) = outside(&other);
            errors.error(span, format!("{what} not supported yet"), help);
            block.refused.extend(names(&other));
        }
    }
}

fn declared<T>(name: syn::Ident, item: T, block: &Block) -> Declared<T> {
    Declared {
        known: block.known(&name.to_string()),
        home: block.home(&name),
        item,
    }
}

/// The attributes of an item that is no function.
fn attributes_of_others(item: &syn::Item) -> &[syn::Attribute] {
    match item {
        syn::Item::Struct(item) => &item.attrs,
        syn::Item::Enum(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        syn::Item::Const(item) => &item.attrs,
        syn::Item::Type(item) => &item.attrs,
        _ => &[],
    }
}

fn function(mut item: syn::ItemFn, block: &mut Block, errors: &mut Errors) {
    let Some(instances) = super::instances::take(&mut item, errors) else {
        let host = host(&item).unwrap_or(Host::Helper);
        return push(item, host, Owner::Block, block, errors);
    };
    for instance in instances {
        let mut seen = instance.item.clone();
        seen.sig = instance.signature;
        let host = host(&seen).unwrap_or(Host::Helper);
        push(instance.item, host, Owner::Block, block, errors);
        if let Some(function) = block.functions.last_mut() {
            function.instance = instance.types;
        }
    }
    let of_helpers = |attribute: &syn::Attribute| attribute.path().is_ident("associative");
    item.attrs.retain(of_helpers);
    push(item, Host::Helper, Owner::Block, block, errors);
}
