//! Enums of a block, for the host: as written, with their leaves: which variant it is, then slots that the variants
//! share.

use super::derives::{ELEMENT, missing_derives};
use super::surface::{put_together, take_apart};
use crate::codegen::names::rust::{self, identifier};
use crate::scalar::{Leaf, Scalar};
use crate::typed::{Block, Struct, Type};
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};
use std::collections::VecDeque;

pub(super) fn enumeration(block: &Block, strukt: &Struct, item: &syn::ItemEnum) -> TokenStream {
    if strukt.variants.is_empty() {
        return item.to_token_stream();
    }
    let name = &item.ident;
    let missing = missing_derives(&item.attrs, &ELEMENT);
    let conditions: Vec<_> = item
        .attrs
        .iter()
        .filter(|a| a.path().is_ident("cfg"))
        .collect();
    let leaves: Vec<Leaf> = strukt
        .fields
        .iter()
        .map(|(_, ty)| match ty {
            Type::Leaf(leaf) => *leaf,
            _ => unreachable!("the fields of an enum are slots"),
        })
        .collect();
    let types: Vec<TokenStream> = leaves
        .iter()
        .map(|leaf| crate::codegen::scalar::leaf(*leaf).into_token_stream())
        .collect();
    let apart = (0..strukt.variants.len()).map(|k| taken_apart(block, strukt, &leaves, k));
    let last = strukt.variants.len() - 1;
    let together = (0..=last).map(|k| {
        let value = made(block, strukt, k);
        // A kernel gives no other number.
        let pattern = match k == last {
            true => quote!(_),
            false => Literal::usize_unsuffixed(k).into_token_stream(),
        };
        quote!(#pattern => #value)
    });
    let count = leaves.len();
    let runtime_leaves = leaves.iter().map(|&leaf| super::steps::runtime_leaf(leaf));
    let positions: Vec<Literal> = (0..count).map(Literal::usize_unsuffixed).collect();
    quote! {
        #[derive(#(#missing),*)]
        #[allow(dead_code, reason = "may be of use in the block only")]
        #item

        #(#conditions)*
        #[allow(dead_code, unused_variables, unreachable_pub, clippy::all, reason = "generated code")]
        impl #name {
            #[doc(hidden)]
            #[inline(always)]
            pub fn __accelerate_leaves(self) -> (#(#types,)*) {
                match self { #(#apart,)* }
            }

            #[doc(hidden)]
            #[inline(always)]
            pub fn __accelerate_value(leaves: (#(#types,)*)) -> Self {
                match leaves.0 { #(#together,)* }
            }
        }

        #(#conditions)*
        // SAFETY: each slot is given its own column, in order; what the slots hold makes the value again.
        unsafe impl ::accelerate::Element for #name {
            const LEAVES: usize = #count;

            fn leaf(k: usize) -> ::accelerate::rt::Leaf {
                match k {
                    #(#positions => #runtime_leaves,)*
                    _ => ::core::unreachable!("no such leaf"),
                }
            }

            #[inline(always)]
            unsafe fn write(self, columns: *const *mut u8, index: usize) {
                let leaves = self.__accelerate_leaves();
                #(
                    // SAFETY: by contract; there is a column for each slot.
                    unsafe { ::accelerate::Element::write(leaves.#positions, columns.add(#positions), index) };
                )*
            }

            #[inline(always)]
            unsafe fn read(columns: *const *const u8, index: usize) -> Self {
                Self::__accelerate_value((#(
                    // SAFETY: by contract; there is a column for each slot.
                    unsafe { <#types as ::accelerate::Element>::read(columns.add(#positions), index) },
                )*))
            }
        }
    }
}

/// An arm that gives the leaves of a variant.
fn taken_apart(block: &Block, strukt: &Struct, leaves: &[Leaf], k: usize) -> TokenStream {
    let variant = &strukt.variants[k];
    let name = identifier(&variant.name);
    let mut own = Vec::new();
    let fields = variant
        .fields
        .iter()
        .enumerate()
        .map(|(position, (field, ty))| {
            let variable = rust::several("field", position);
            take_apart(block, ty, variable.to_token_stream(), &mut own);
            let member = super::surface::member(field);
            quote!(#member: #variable)
        });
    let pattern = quote!(Self::#name { #(#fields),* });
    let slots = leaves.iter().enumerate().map(|(slot, leaf)| {
        let number = (slot == 0).then_some(k as u64);
        match variant.slots.iter().position(|&own| own == slot) {
            Some(position) => own[position].clone(),
            None => crate::codegen::scalar::constant(Scalar {
                leaf: *leaf,
                bits: number.unwrap_or(0),
            }),
        }
    });
    quote!(#pattern => (#(#slots,)*))
}

/// A variant out of the slots.
fn made(block: &Block, strukt: &Struct, k: usize) -> TokenStream {
    let variant = &strukt.variants[k];
    let name = identifier(&variant.name);
    let mut own: VecDeque<TokenStream> = variant
        .slots
        .iter()
        .map(|&slot| {
            let slot = Literal::usize_unsuffixed(slot);
            quote!(leaves.#slot)
        })
        .collect();
    let fields = variant.fields.iter().map(|(field, ty)| {
        let member = super::surface::member(field);
        let value = put_together(block, ty, &mut own);
        quote!(#member: #value)
    });
    quote!(Self::#name { #(#fields),* })
}
