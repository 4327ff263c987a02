//! Functions as parameters: `f: impl Fn(A) -> R`, also written `f: F` with `F: Fn(A) -> R`.

use super::span;
use crate::sorted::SortedMap;

/// The arguments and the result of `impl Fn(..) -> ..`.
pub(crate) fn function_type(ty: &syn::Type) -> Option<&syn::ParenthesizedGenericArguments> {
    match ty {
        syn::Type::Reference(reference) => function_type(&reference.elem),
        syn::Type::Paren(paren) => function_type(&paren.elem),
        syn::Type::Group(group) => function_type(&group.elem),
        syn::Type::ImplTrait(it) => it.bounds.iter().find_map(function_bound),
        _ => None,
    }
}

/// The same of one bound.
fn function_bound(bound: &syn::TypeParamBound) -> Option<&syn::ParenthesizedGenericArguments> {
    let syn::TypeParamBound::Trait(bound) = bound else {
        return None;
    };
    let last = bound.path.segments.last()?;
    match &last.arguments {
        syn::PathArguments::Parenthesized(signature) if last.ident == "Fn" => Some(signature),
        _ => None,
    }
}

/// Type parameters that stand for functions: taken out of the list, as the types that may be written in their place.
pub(super) fn take(generics: &mut syn::Generics) -> SortedMap<String, syn::Type> {
    let mut bounds: Vec<(String, syn::TypeParamBound)> = Vec::new();
    for parameter in generics.type_params() {
        let name = parameter.ident.to_string();
        bounds.extend(
            parameter
                .bounds
                .iter()
                .map(|bound| (name.clone(), bound.clone())),
        );
    }
    for predicate in generics
        .where_clause
        .iter()
        .flat_map(|clause| &clause.predicates)
    {
        if let syn::WherePredicate::Type(predicate) = predicate {
            let ty = &predicate.bounded_ty;
            let name = quote::quote!(#ty).to_string();
            bounds.extend(
                predicate
                    .bounds
                    .iter()
                    .map(|bound| (name.clone(), bound.clone())),
            );
        }
    }
    let functions = bounds
        .iter()
        .filter(|(_, bound)| function_bound(bound).is_some());
    let functions: SortedMap<String, syn::Type> = functions
        .map(|(name, bound)| {
            let at = span(bound);
            let ty = syn::parse_quote_spanned!(at=> impl #bound);
            (name.clone(), ty)
        })
        .collect();
    let parameters = std::mem::take(&mut generics.params).into_iter();
    generics.params = parameters
        .filter(|parameter| match parameter {
            syn::GenericParam::Type(ty) => !functions.contains_key(&ty.ident.to_string()),
            _ => true,
        })
        .collect();
    if let Some(clause) = &mut generics.where_clause {
        let predicates = std::mem::take(&mut clause.predicates).into_iter();
        clause.predicates = predicates
            .filter(|predicate| match predicate {
                syn::WherePredicate::Type(predicate) => {
                    let ty = &predicate.bounded_ty;
                    !functions.contains_key(&quote::quote!(#ty).to_string())
                }
                _ => true,
            })
            .collect();
    }
    functions
}

/// A parameter's type with the function that its name stands for.
pub(super) fn written(ty: syn::Type, functions: &SortedMap<String, syn::Type>) -> syn::Type {
    match ty {
        syn::Type::Reference(reference) => {
            let elem = Box::new(written(*reference.elem, functions));
            syn::Type::Reference(syn::TypeReference { elem, ..reference })
        }
        syn::Type::Path(path) => match path.path.get_ident() {
            Some(name) if let Some(function) = functions.get(&name.to_string()) => function.clone(),
            _ => syn::Type::Path(path),
        },
        ty => ty,
    }
}
