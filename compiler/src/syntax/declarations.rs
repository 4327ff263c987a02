//! Functions, wherever they stand: in the block, in an `impl`, in another function; with the items inside of them.

use super::fields::name_fields;
use super::{Block, Declared, Function, Home, Host, Parameter, Scope, functions, locals, span};
use crate::diag::Errors;
use proc_macro2::Span;
use quote::format_ident;
use syn::{parse_quote, parse_quote_spanned};

/// Where a function stands.
pub(super) enum Owner<'o> {
    Block,
    /// In an `impl` of this type.
    Type(&'o syn::Type),
    /// In a function, with the name that it has in the block, and with the items around it.
    Function(String, &'o Scope),
    /// It is a method of a type of Rust's.
    Rust,
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
    refuse(
        sig.unsafety.map(|token| token.span),
        "an `unsafe fn` is",
        help,
    );
    let (mut parameters, mut patterns) = (Vec::new(), Vec::<syn::Stmt>::new());
    for input in sig.inputs {
        match input {
            syn::FnArg::Typed(typed) => {
                let attribute = typed.attrs.first().map(|attribute| span(attribute.path()));
                refuse(attribute, "an attribute of a parameter is", "leave it out");
                let pattern = match *typed.pat {
                    // The host gives public functions' parameters by their names.
                    pattern
                        if matches!(host, Host::Helper)
                            && !matches!(pattern, syn::Pat::Ident(_)) =>
                    {
                        let name = format_ident!("__{}", parameters.len(), span = span(&pattern));
                        patterns.push(parse_quote_spanned!(name.span()=> let #pattern = #name;));
                        parse_quote!(#name)
                    }
                    pattern => pattern,
                };
                parameters.push(Parameter {
                    pattern,
                    ty: Some(functions::written(*typed.ty, &functions)),
                });
            }
            syn::FnArg::Receiver(receiver) => {
                let at = receiver.self_token.span;
                let changes = receiver.reference.is_some() && receiver.mutability.is_some();
                match owner {
                    Owner::Block | Owner::Rust | Owner::Function(..) => refuse(
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
    item.block.stmts.splice(0..0, patterns);
    let name = &sig.ident;
    let of_rust = matches!(owner, Owner::Rust);
    let (owner, known, scope) = match owner {
        Owner::Rust => (None, name.to_string(), Scope::new()),
        Owner::Block => (None, block.known(&name.to_string()), Scope::new()),
        Owner::Type(ty) => {
            let owner = block.owner(ty);
            let known = format!("{owner}::{name}");
            (Some(owner), known, Scope::new())
        }
        Owner::Function(known, scope) => {
            let owner = known.rsplit_once("::").map(|(owner, _)| owner.to_owned());
            (owner, known, scope.clone())
        }
    };
    add_locals(&mut item.block, &known, &scope, block, errors);
    block.functions.push(Function {
        name: sig.ident,
        owner,
        known,
        scope,
        named: !of_rust,
        of_rust,
        imported: false,
        host,
        method: None,
        attributes: item.attrs,
        generics: sig.generics,
        instance: Vec::new(),
        parameters,
        output: sig.output,
        body: syn::Expr::Block(syn::ExprBlock {
            attrs: Vec::new(),
            label: None,
            block: *item.block,
        }),
    });
}

/// Takes the items out of a body, and adds them to the block. `path`: of the function; `scope`: what it sees around it.
pub(super) fn add_locals(
    body: &mut syn::Block,
    path: &str,
    scope: &Scope,
    block: &mut Block,
    errors: &mut Errors,
) {
    for (known, item) in locals::take_out(body, path, scope, block, errors) {
        let scope = block.scopes[&known].clone();
        add_local(item, known, &scope, block, errors);
    }
}

/// An item of a function, under the name that it has in the block.
fn add_local(
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
            block.structs.push(in_function(known, item));
        }
        syn::Item::Enum(mut item) => {
            for variant in &mut item.variants {
                name_fields(&mut variant.fields, errors);
            }
            block.enums.push(in_function(known, item));
        }
        syn::Item::Type(item) => block.aliases.push(in_function(known, item)),
        syn::Item::Const(item) => block.constants.push(in_function(known, item)),
        _ => {}
    }
}

fn in_function<T>(known: String, item: T) -> Declared<T> {
    Declared {
        known,
        home: Home::Function,
        item,
    }
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
