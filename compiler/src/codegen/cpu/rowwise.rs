//! Row-wise kernels: which of their forms a launch takes.

use super::names::Names;
use super::part::{Part, attributes, bindings, build};
use super::phases::rows;
use super::products;
use super::rows::lanes_along_rows;
use super::tiles::{self, HIGH, WIDE};
use crate::plan::body::Value;
use crate::plan::tiles::{Inner, Tiles};
use crate::plan::{Phase, Products};
use crate::sorted::{SortedMap, SortedSet};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// The implementations of a kernel's forms, and the launch that chooses among them by the extents.
pub(super) fn rowwise(
    names: Names<'_>,
    extents: &[Value],
    vars: &[Value],
    phases: &[Phase],
    tiles: Option<&Tiles>,
    products: Option<&Products>,
) -> TokenStream {
    let (kernel, attributes) = (names.kernel(), attributes());
    let rows = rows(names, extents, vars, phases, None);
    let fields = bindings(names, &quote!(self), &SortedSet::new());
    let (other, launch) = launch(names, extents, vars, phases, tiles);
    let (blocks, launch) = match products {
        Some(products) => products::blocks(names, extents, products, launch),
        None => (TokenStream::new(), launch),
    };
    quote! {
        #rows
        #other
        #blocks
        #attributes
        impl #kernel {
            fn launch(&self, failures: &::accelerate::rt::Failure) {
                #fields
                #launch
            }
        }
    }
}

/// The body of `launch`, and the items of the versions with lanes along the rows if there are any.
fn launch(
    names: Names<'_>,
    extents: &[Value],
    vars: &[Value],
    phases: &[Phase],
    tiles: Option<&Tiles>,
) -> (TokenStream, TokenStream) {
    let rows = match extents.is_empty() {
        true => quote!(row),
        false => quote!(rows),
    };
    let build = build(names);
    let mut launch = quote!(::accelerate::rt::cpu::#rows::<#build, _>(self, failures););
    let mut items = TokenStream::new();
    let part = |suffix: &str| Part {
        names,
        name: format_ident!("{}_{suffix}", names.kernel()),
        path: quote!(self.kernel),
        captured: SortedSet::new(),
        constants: SortedMap::new(),
    };
    if let Some(across) = lanes_along_rows(names, extents, vars, phases) {
        let part = part("columns");
        items.extend(part.item());
        items.extend(part.each(extents, vars, &across.body));
        let (made, last) = (part.made(), names.value(extents[extents.len() - 1]));
        let (sizes, most) = (&across.short, across.most);
        // With few rows side by side, lanes along the inner axis and threads do better.
        launch = quote! {
            if #last >= #WIDE #(&& #sizes <= #most)* {
                ::accelerate::rt::cpu::elementwise::<#build, _>(&#made, failures);
            } else {
                #launch
            }
        };
    }
    let part = part("tiles");
    if let Some((tiles, inner)) = tiles.zip(Inner::of(phases))
        && let Some(contraction) = tiles::contraction(&part, extents, vars, inner, tiles)
    {
        items.extend(part.item());
        items.extend(contraction);
        let (made, column) = (part.made(), names.value(extents[tiles.column]));
        let row = tiles.row.map(|axis| names.value(extents[axis]));
        let and_high = row.map(|row| quote!(&& #row >= #HIGH));
        launch = quote! {
            if #column >= #WIDE #and_high {
                ::accelerate::rt::cpu::contraction::<#build, _>(&#made, failures);
            } else {
                #launch
            }
        };
    }
    (items, launch)
}
