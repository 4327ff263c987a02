//! `impl` blocks: their methods become functions of the block, `Self` the type's name.

use super::declarations::{Owner, push};
use super::{Block, Declared, Method, Operator, attributes, base, span};
use crate::diag::Errors;
use crate::sorted::SortedMap;
use crate::typed::Host;
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};

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
    let owner = (*item.self_ty).clone();
    let mut item = item;
    SelfType::new(&owner).visit_item_impl_mut(&mut item);
    let generic = item.generics.clone();
    let operator = match &item.trait_ {
        None => None,
        Some((_, path, _)) => {
            let last = path.segments.last();
            let known = last.and_then(|last| {
                let (name, method) = OPERATORS.iter().find(|(name, _)| last.ident == name)?;
                Some((last, *name, *method))
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
                    Ok(mut function) => {
                        let operator = operator.map(|(_, name, _)| name);
                        let method = method(&function, &owner, operator);
                        add_parameters(&generic, &mut function.sig.generics);
                        let of = Owner::Type(&owner);
                        push(function, Host::Helper, of, block, errors);
                        if let Some(function) = block.functions.last_mut() {
                            function.method = method;
                        }
                    }
                    Err(error) => super::report(&error, errors),
                }
            }
            syn::ImplItem::Const(constant) if !generic.params.is_empty() => errors.error(
                constant.ident.span(),
                "a constant of a generic type is not supported yet",
                "write a function without parameters",
            ),
            syn::ImplItem::Const(constant) => {
                let of = block.owner(&owner);
                let known = format!("{of}::{}", constant.ident);
                match syn::parse2(constant.to_token_stream()) {
                    Ok(item) => block.constants.push(Declared {
                        known,
                        home: block.home(&constant.ident),
                        item,
                    }),
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
    let Some((path, _, method)) = operator else {
        return;
    };
    let text = block.owner(&owner);
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

/// What the host sees of a function of an `impl`: one that is `pub` and has no parameters of its own, or an operator.
fn method(
    function: &syn::ItemFn,
    owner: &syn::Type,
    operator: Option<&'static str>,
) -> Option<Method> {
    let public = !matches!(function.vis, syn::Visibility::Inherited);
    let seen = (public || operator.is_some()) && function.sig.generics.params.is_empty();
    seen.then(|| Method {
        owner: owner.clone(),
        operator,
        visibility: function.vis.clone(),
        attributes: attributes::of_rust(&function.attrs),
        signature: function.sig.clone(),
    })
}

/// The parameters of an `impl`, before a method's own.
fn add_parameters(of: &syn::Generics, to: &mut syn::Generics) {
    let own = std::mem::take(&mut to.params);
    to.params = of.params.iter().cloned().chain(own).collect();
    if let Some(clause) = &of.where_clause {
        let all = to.make_where_clause();
        all.predicates.extend(clause.predicates.iter().cloned());
    }
}

/// Writes `Self` out: as a type with its arguments, and in expressions by its name.
struct SelfType {
    ty: syn::Type,
    name: TokenStream,
}

impl SelfType {
    fn new(owner: &syn::Type) -> SelfType {
        SelfType {
            ty: owner.clone(),
            name: base(owner),
        }
    }

    fn named(&self, tokens: TokenStream) -> TokenStream {
        let own = SortedMap::from([("Self".to_owned(), self.name.clone())]);
        super::instances::replaced(tokens, &own)
    }
}

impl VisitMut for SelfType {
    fn visit_type_mut(&mut self, ty: &mut syn::Type) {
        match ty {
            syn::Type::Path(path) if path.qself.is_none() && path.path.is_ident("Self") => {
                let own = SortedMap::from([("Self".to_owned(), self.ty.to_token_stream())]);
                let tokens = super::instances::replaced(path.to_token_stream(), &own);
                if let Ok(written) = syn::parse2(tokens) {
                    *ty = written;
                }
            }
            ty => visit_mut::visit_type_mut(self, ty),
        }
    }

    /// The type of `self` and `&self` is not written: `syn` keeps one that says `Self`, and writes it if it says something else.
    fn visit_receiver_mut(&mut self, receiver: &mut syn::Receiver) {
        if receiver.colon_token.is_some() {
            visit_mut::visit_receiver_mut(self, receiver);
        }
    }

    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        visit_mut::visit_path_mut(self, path);
        if let Some(first) = path.segments.first_mut()
            && first.ident == "Self"
            && let Ok(name) = syn::parse2::<syn::Ident>(self.name.clone())
        {
            first.ident = syn::Ident::new(&name.to_string(), first.ident.span());
        }
    }

    fn visit_macro_mut(&mut self, item: &mut syn::Macro) {
        item.tokens = self.named(std::mem::take(&mut item.tokens));
    }
}
