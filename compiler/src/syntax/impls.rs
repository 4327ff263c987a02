//! `impl` blocks: their methods become functions of the block, `Self` the type's name.

use super::declarations::{Owner, push};
use super::instances::replaced;
use super::{Block, Operator, span};
use crate::diag::Errors;
use crate::typed::Host;
use quote::ToTokens;
use std::collections::BTreeMap;

/// The traits of Rust's operators, and their methods.
const OPERATORS: &[(&str, &str)] = &[
    ("Add", "add"),
    ("Sub", "sub"),
    ("Mul", "mul"),
    ("Div", "div"),
    ("Rem", "rem"),
    ("BitAnd", "bitand"),
    ("BitOr", "bitor"),
    ("BitXor", "bitxor"),
    ("Shl", "shl"),
    ("Shr", "shr"),
    ("Neg", "neg"),
    ("Not", "not"),
];

pub(super) fn add(item: syn::ItemImpl, block: &mut Block, errors: &mut Errors) {
    if let Some(parameter) = item.generics.params.first() {
        errors.error(
            span(parameter),
            "a generic `impl` is not supported yet",
            "write one for each type",
        );
        return;
    }
    let owner = (*item.self_ty).clone();
    let own = BTreeMap::from([("Self".to_owned(), owner.to_token_stream())]);
    let tokens = replaced(item.to_token_stream(), &own);
    let item: syn::ItemImpl = match syn::parse2(tokens) {
        Ok(item) => item,
        Err(error) => return super::report(&error, errors),
    };
    let operator = match &item.trait_ {
        None => None,
        Some((path, _)) => {
            let last = path.segments.last();
            let known = last.and_then(|last| {
                let (_, method) = OPERATORS.iter().find(|(name, _)| last.ident == name)?;
                Some((last, *method))
            });
            match known {
                Some(known) => Some(known),
                None => {
                    errors.error(
                        span(path),
                        "an `impl` of this trait is not supported in `accelerate!`",
                        "the traits are those of operators: `Add`, `Sub`, `Mul`, `Div`, `Rem`, `Neg`, ..",
                    );
                    return;
                }
            }
        }
    };
    let before = block.functions.len();
    for inner in &item.items {
        match inner {
            syn::ImplItem::Fn(function) => {
                // The same tokens as a function that stands alone.
                match syn::parse2::<syn::ItemFn>(function.to_token_stream()) {
                    Ok(function) => {
                        let of = Owner::Type(&owner);
                        push(function, Host::Helper, of, block, errors);
                    }
                    Err(error) => super::report(&error, errors),
                }
            }
            syn::ImplItem::Const(constant) => {
                let name = format!("{}::{}", owner.to_token_stream(), constant.ident);
                match syn::parse2(constant.to_token_stream()) {
                    Ok(constant) => block.constants.push((name, constant)),
                    Err(error) => super::report(&error, errors),
                }
            }
            syn::ImplItem::Type(_) if operator.is_some() => {}
            other => errors.error(
                span(other),
                "this item of an `impl` is not supported in `accelerate!`",
                "write functions and constants",
            ),
        }
    }
    let Some((path, method)) = operator else {
        return;
    };
    let text = owner.to_token_stream().to_string();
    for position in before..block.functions.len() {
        // Helpers inside of the method are none.
        if block.functions[position].owner.as_ref() != Some(&text) {
            continue;
        }
        block.functions[position].named = false;
        if block.functions[position].name != method {
            errors.error(
                block.functions[position].name.span(),
                format!("`{}` has no method of this name", path.ident),
                format!("its method is `{method}`"),
            );
            continue;
        }
        let mut operands = vec![owner.clone()];
        if !matches!(method, "neg" | "not") {
            let argument = match &path.arguments {
                syn::PathArguments::AngleBracketed(list) => list.args.first(),
                _ => None,
            };
            operands.push(match argument {
                Some(syn::GenericArgument::Type(ty)) => ty.clone(),
                _ => owner.clone(),
            });
        }
        block.operators.push(Operator {
            method: method.to_string(),
            operands,
            function: position,
        });
    }
}
