//! `#[instances(f32, f64)]`: a public generic function stands for one of each type, `norm_f32` and `norm_f64`, and inside the
//! block for a helper of its own name.

use super::{span, words};
use crate::diag::Errors;
use crate::sorted::SortedMap;
use proc_macro2::{Group, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};
use syn::punctuated::Punctuated;

/// A function of the host, and what its type parameters are.
pub(super) struct Instance {
    /// Under its own name.
    pub(super) item: syn::ItemFn,
    /// Its signature without parameters.
    pub(super) signature: syn::Signature,
    /// The types of the parameters.
    pub(super) types: Vec<(String, syn::Type)>,
}

/// Removes the attribute and returns its instances; `None` without the attribute.
pub(super) fn take(item: &mut syn::ItemFn, errors: &mut Errors) -> Option<Vec<Instance>> {
    let ours = |attribute: &syn::Attribute| attribute.path().is_ident("instances");
    let position = item.attrs.iter().position(ours)?;
    let attribute = item.attrs.remove(position);
    let mut refuse = |at, message: String, help| {
        errors.error(at, message, help);
        Some(Vec::new())
    };
    const HELP: &str = "write `#[instances(f32, f64)]`, and `(f32, u32)` for two parameters";
    let at = span(attribute.path());
    if matches!(item.vis, syn::Visibility::Inherited) {
        let message = "`#[instances]` on a helper, which has those that are called".to_owned();
        return refuse(at, message, "leave it out");
    }
    if let Some(rank) = item.sig.generics.const_params().next() {
        let message = format!("the rank `{}` of an instance is open", rank.ident);
        return refuse(span(rank), message, "write the ranks of the arrays");
    }
    let list = attribute.parse_args_with(Punctuated::<syn::Type, syn::Token![,]>::parse_terminated);
    let list = match list {
        Ok(list) if !list.is_empty() => list,
        Ok(_) => return refuse(at, "`#[instances]` without a type".to_owned(), HELP),
        Err(error) => return refuse(error.span(), format!("in `#[instances]`: {error}"), HELP),
    };
    let parameters = item.sig.generics.type_params();
    let parameters: Vec<String> = parameters.map(|p| p.ident.to_string()).collect();
    let mut instances = Vec::new();
    for entry in list {
        let types = match entry {
            syn::Type::Tuple(tuple) => tuple.elems.into_iter().collect(),
            ty => vec![ty],
        };
        if types.len() != parameters.len() {
            let message = format!(
                "an instance has {} types, found {}",
                parameters.len(),
                types.len()
            );
            return refuse(span(&types[0]), message, HELP);
        }
        let mut name = item.sig.ident.to_string();
        for ty in &types {
            let named = matches!(ty, syn::Type::Path(path) if path.path.get_ident().is_some());
            if !named {
                let message = "an instance is named by its types".to_owned();
                return refuse(span(ty), message, "write the name of a scalar or a struct");
            }
            name += &format!("_{}", words(ty.to_token_stream()).concat());
        }
        let types: Vec<(String, syn::Type)> = parameters.iter().cloned().zip(types).collect();
        let mut item = item.clone();
        item.sig.ident = format_ident!("{name}", span = item.sig.ident.span());
        let mut signature = item.sig.clone();
        signature.generics = syn::Generics::default();
        let tokens = (types.iter()).map(|(name, ty)| (name.clone(), ty.to_token_stream()));
        let tokens = replaced(signature.to_token_stream(), &tokens.collect());
        match syn::parse2(tokens) {
            Ok(signature) => instances.push(Instance {
                item,
                signature,
                types,
            }),
            Err(error) => return refuse(error.span(), error.to_string(), HELP),
        }
    }
    Some(instances)
}

/// The tokens with these words replaced.
pub(super) fn replaced(tokens: TokenStream, by: &SortedMap<String, TokenStream>) -> TokenStream {
    let mut out = TokenStream::new();
    for token in tokens {
        match token {
            TokenTree::Ident(word) if let Some(other) = by.get(&word.to_string()) => {
                out.extend(other.clone().into_iter().map(|mut token| {
                    token.set_span(word.span());
                    token
                }));
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), replaced(group.stream(), by));
                inner.set_span(group.span());
                out.extend([TokenTree::Group(inner)]);
            }
            token => out.extend([token]),
        }
    }
    out
}
