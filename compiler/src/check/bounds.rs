//! The parameters of generic functions: what they may be called with, and what instances for the host give them.

use super::{Checker, Generics};
use crate::syntax::{self, span};
use crate::typed::{Host, Type};
use proc_macro2::Span;

impl Checker<'_> {
    /// The types of the parameters of an instance for the host.
    pub(super) fn instance(&mut self, function: &syntax::Function) -> Generics {
        let mut generics = Generics::default();
        for (name, ty) in &function.instance {
            generics.types.insert(name.clone(), self.written_type(ty));
        }
        generics
    }

    /// Generics of a helper: known bounds, and not public.
    pub(super) fn check_generics(&mut self, function: &syntax::Function) {
        if !matches!(function.host, Host::Helper) {
            self.error(
                span(&function.generics.params),
                "a public function cannot be generic",
                format!(
                    "write `#[instances(f32, f64)]` before it, which gives `{0}_f32` and `{0}_f64`",
                    function.name
                ),
            );
        }
        for parameter in &function.generics.params {
            match parameter {
                syn::GenericParam::Const(parameter) => {
                    if self.written_type(&parameter.ty) != Type::Usize {
                        self.error(
                            span(&parameter.ty),
                            "a const parameter is a rank here",
                            "write `const N: usize`",
                        );
                    }
                }
                syn::GenericParam::Type(_) | syn::GenericParam::Lifetime(_) => {}
            }
        }
        for (_, bound) in bounds(function) {
            let name = bound.segments.last().map(|s| s.ident.to_string());
            let name = name.unwrap_or_default();
            if !BOUNDS.contains(&&*name) {
                let mut help = super::suggest::did_you_mean(&name, BOUNDS.iter().copied());
                if help.is_empty() {
                    help = "the bounds are `Number`, `Float`, `Integer` and `Element`".into();
                }
                self.error(span(bound), format!("unknown bound `{name}`"), help);
            }
        }
    }

    pub(super) fn check_bounds(
        &mut self,
        function: &syntax::Function,
        generics: &Generics,
        at: Span,
    ) -> bool {
        let Some((ty, bound)) = broken_bound(function, generics) else {
            return true;
        };
        let shown = self.show(ty);
        let leaf = super::infer::leaf(ty);
        self.error(
            at,
            format!("{shown} is not a `{bound}`, as `{}` asks", function.name),
            match &*bound {
                _ if !function.instance.is_empty() => "leave it out of the list",
                "Float" if leaf.is_some() => "convert with `as f32`",
                "Integer" if leaf.is_some() => "convert with `as i32`",
                _ => "",
            },
        );
        false
    }
}

/// A type that a parameter of a function stands for, and a bound that it does not have.
pub(super) fn broken_bound<'g>(
    function: &syntax::Function,
    generics: &'g Generics,
) -> Option<(&'g Type, String)> {
    let written = bounds(function).into_iter();
    let mut written = written.filter_map(|(parameter, bound)| {
        let bound = bound.segments.last()?.ident.to_string();
        Some((generics.types.get(&parameter)?, bound))
    });
    written.find(|(ty, bound)| {
        let leaf = super::infer::leaf(ty);
        !match &**bound {
            "Number" => leaf.is_some_and(|leaf| leaf.is_float() || leaf.is_integer()),
            "Float" => leaf.is_some_and(|leaf| leaf.is_float()),
            "Integer" => leaf.is_some_and(|leaf| leaf.is_integer()),
            _ => !ty.has_array(),
        }
    })
}

const BOUNDS: &[&str] = &[
    "Number",
    "Float",
    "Integer",
    "Element",
    "Copy",
    "Clone",
    "PartialEq",
    "PartialOrd",
    "Send",
    "Sync",
];

/// The bounds of type parameters, from their list and from `where`.
fn bounds(function: &syntax::Function) -> Vec<(String, &syn::Path)> {
    fn of<'b>(
        name: String,
        list: impl Iterator<Item = &'b syn::TypeParamBound>,
        into: &mut Vec<(String, &'b syn::Path)>,
    ) {
        for bound in list {
            if let syn::TypeParamBound::Trait(bound) = bound {
                into.push((name.clone(), &bound.path));
            }
        }
    }
    let mut result = Vec::new();
    for parameter in &function.generics.params {
        if let syn::GenericParam::Type(parameter) = parameter {
            let name = parameter.ident.to_string();
            of(name, parameter.bounds.iter(), &mut result);
        }
    }
    for predicate in function
        .generics
        .where_clause
        .iter()
        .flat_map(|w| &w.predicates)
    {
        if let syn::WherePredicate::Type(predicate) = predicate {
            let ty = &predicate.bounded_ty;
            let name = quote::quote!(#ty).to_string();
            of(name, predicate.bounds.iter(), &mut result);
        }
    }
    result
}
