//! The items of a block: split at their ends, so that an error in one hides no other, then parsed one by one.

use super::{Block, Function, Host, Parameter, Scope, functions, locals, report, span};
use crate::diag::Errors;
use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::format_ident;

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
    for tokens in split(tokens) {
        match syn::parse2::<syn::Item>(tokens.clone()) {
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
fn split(tokens: TokenStream) -> Vec<TokenStream> {
    let mut items = Vec::new();
    let mut current: Vec<TokenTree> = Vec::new();
    let mut to_semicolon = false;
    for token in tokens {
        let ends = match &token {
            TokenTree::Ident(word) => {
                let word = word.to_string();
                let function = current
                    .iter()
                    .any(|t| matches!(t, TokenTree::Ident(i) if i == "fn"));
                to_semicolon |= !function && matches!(&*word, "const" | "static" | "type" | "use");
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

/// The names that an item outside of the language would give.
pub(super) fn names(item: &syn::Item) -> Vec<String> {
    fn imported(tree: &syn::UseTree, into: &mut Vec<String>) {
        match tree {
            syn::UseTree::Path(path) => imported(&path.tree, into),
            syn::UseTree::Name(name) => into.push(name.ident.to_string()),
            syn::UseTree::Rename(name) => into.push(name.rename.to_string()),
            syn::UseTree::Group(group) => {
                group.items.iter().for_each(|tree| imported(tree, into));
            }
            syn::UseTree::Glob(_) => {}
        }
    }
    match item {
        syn::Item::Use(item) => {
            let mut names = Vec::new();
            imported(&item.tree, &mut names);
            names
        }
        syn::Item::Static(item) => vec![item.ident.to_string()],
        syn::Item::Trait(item) => vec![item.ident.to_string()],
        syn::Item::Mod(item) => vec![item.ident.to_string()],
        syn::Item::Union(item) => vec![item.ident.to_string()],
        syn::Item::Enum(item) => vec![item.ident.to_string()],
        syn::Item::Type(item) => vec![item.ident.to_string()],
        _ => Vec::new(),
    }
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
    let kept = |attribute: &&syn::Attribute| !is_ours(attribute);
    Some(Host::Item {
        visibility: item.vis.clone(),
        attributes: item.attrs.iter().filter(kept).cloned().collect(),
        signature: item.sig.clone(),
    })
}

/// Attributes that mean something to this compiler.
fn is_ours(attribute: &syn::Attribute) -> bool {
    [
        "fused",
        "associative",
        "deterministic",
        "fast_math",
        "foreign",
    ]
    .iter()
    .any(|name| attribute.path().is_ident(name))
}

fn add(item: syn::Item, block: &mut Block, errors: &mut Errors) {
    match item {
        syn::Item::Fn(item) => function(item, block, errors),
        syn::Item::Struct(mut item) => {
            name_fields(&mut item.fields, errors);
            block.structs.push(item);
        }
        syn::Item::Enum(mut item) => {
            for variant in &mut item.variants {
                name_fields(&mut variant.fields, errors);
            }
            block.enums.push(item);
        }
        syn::Item::Impl(item) => super::impls::add(item, block, errors),
        syn::Item::Const(item) => block.constants.push((item.ident.to_string(), item)),
        syn::Item::Type(item) => block.aliases.push(item),
        other => {
            let (span, what, help) = outside(&other);
            errors.error(span, format!("{what} not supported yet"), help);
            block.refused.extend(names(&other));
        }
    }
}

/// Refuses fields without a name, and gives them one, so that what is expanded is Rust.
fn name_fields(fields: &mut syn::Fields, errors: &mut Errors) {
    for (position, field) in fields.iter_mut().enumerate() {
        if let Some(ident) = &mut field.ident
            && ident == "_"
        {
            errors.error(
                ident.span(),
                "expected a field's name, found `_`",
                "every field has a name, so that it can be read",
            );
            *ident = format_ident!("field_{position}", span = ident.span());
        }
    }
}

fn function(item: syn::ItemFn, block: &mut Block, errors: &mut Errors) {
    let host = host(&item).unwrap_or(Host::Helper);
    push(item, host, Owner::Block, block, errors);
}

/// An item of a function, under the name that it has in the block.
pub(super) fn add_local(
    item: syn::Item,
    known: String,
    scope: &Scope,
    block: &mut Block,
    errors: &mut Errors,
) {
    match item {
        syn::Item::Fn(item) => push(
            item,
            Host::Helper,
            Owner::Function(known, scope),
            block,
            errors,
        ),
        syn::Item::Struct(mut item) => {
            name_fields(&mut item.fields, errors);
            block.local_structs.insert(block.structs.len(), known);
            block.structs.push(item);
        }
        syn::Item::Const(item) => block.constants.push((known, item)),
        _ => {}
    }
}

/// Where a function stands.
pub(super) enum Owner<'o> {
    Block,
    /// In an `impl` of this type.
    Type(&'o syn::Type),
    /// In a function, with the name that it has in the block, and with the items around it.
    Function(String, &'o Scope),
}

/// A function.
pub(super) fn push(
    mut item: syn::ItemFn,
    host: Host,
    owner: Owner,
    block: &mut Block,
    errors: &mut Errors,
) {
    let mut sig = item.sig;
    let functions = functions::take(&mut sig.generics);
    let mut refuse = |at: Option<Span>, what: &str, help: &str| {
        if let Some(at) = at {
            errors.error(at, format!("{what} not supported in `accelerate!`"), help);
        }
    };
    let help = "write a plain `fn`";
    refuse(
        sig.constness.as_ref().map(|t| t.span),
        "a `const fn` is",
        help,
    );
    refuse(
        sig.asyncness.as_ref().map(|t| t.span),
        "an `async fn` is",
        help,
    );
    refuse(
        sig.abi.as_ref().map(|abi| abi.extern_token.span),
        "an `extern fn` is",
        help,
    );
    refuse(
        sig.variadic.as_ref().map(span),
        "a variable number of arguments is",
        "write a tuple",
    );
    if let syn::Safety::Unsafe(token) = &sig.safety {
        refuse(Some(token.span), "an `unsafe fn` is", help);
    }
    let mut parameters = Vec::new();
    for input in sig.inputs {
        match input {
            syn::FnArg::Typed(typed) => {
                let attribute = typed.attrs.first().map(|attribute| span(attribute.path()));
                refuse(attribute, "an attribute of a parameter is", "leave it out");
                parameters.push(Parameter {
                    pattern: *typed.pat,
                    ty: Some(functions::written(*typed.ty, &functions)),
                });
            }
            syn::FnArg::Receiver(receiver) => {
                let at = receiver.self_token.span;
                let changes = matches!(receiver.kind, syn::ReceiverKind::Reference(_, _, Some(_)));
                match owner {
                    Owner::Block | Owner::Function(..) => refuse(
                        Some(at),
                        "`self` outside an `impl` is",
                        "write a function with a named parameter",
                    ),
                    Owner::Type(_) if changes => refuse(
                        Some(at),
                        "`&mut self` is",
                        "take `self` and return the new value",
                    ),
                    Owner::Type(owner) => parameters.push(Parameter {
                        pattern: receiver_pattern(&receiver),
                        ty: Some(owner.clone()),
                    }),
                }
            }
        }
    }
    for attribute in &item.attrs {
        if attribute.path().is_ident("foreign") {
            errors.error(
                span(attribute),
                "`#[foreign]` is not supported yet",
                "leave it out: the body is the meaning of the function",
            );
        }
    }
    let name = &sig.ident;
    let (owner, known, scope) = match owner {
        Owner::Block => (None, name.to_string(), Scope::new()),
        Owner::Type(ty) => {
            let owner = quote::quote!(#ty).to_string();
            let known = format!("{owner}::{name}");
            (Some(owner), known, Scope::new())
        }
        Owner::Function(known, scope) => {
            let owner = known.rsplit_once("::").map(|(owner, _)| owner.to_owned());
            (owner, known, scope.clone())
        }
    };
    locals::take_out(&mut item.block, &known, &scope, block, errors);
    block.functions.push(Function {
        name: sig.ident,
        owner,
        known,
        scope,
        named: true,
        host,
        attributes: item.attrs,
        generics: sig.generics,
        parameters,
        output: sig.output,
        body: syn::Expr::Block(syn::ExprBlock {
            attrs: Vec::new(),
            label: None,
            block: *item.block,
        }),
    });
}

/// `self` as the name of a parameter.
fn receiver_pattern(receiver: &syn::Receiver) -> syn::Pat {
    let (mutability, name) = (receiver.mutability, receiver.self_token);
    let tokens = quote::quote!(#mutability #name);
    let parse = syn::Pat::parse_single;
    syn::parse::Parser::parse2(parse, tokens).unwrap_or(syn::Pat::Wild(syn::PatWild {
        attrs: Vec::new(),
        underscore_token: syn::Token![_](receiver.self_token.span),
    }))
}

/// An item that is not part of the language: its place, its name and what to write instead.
fn outside(item: &syn::Item) -> (Span, &'static str, &'static str) {
    match item {
        syn::Item::Use(item) => (
            item.use_token.span,
            "`use` in a block is",
            "move the item into this block; the language's own names need no import",
        ),
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
