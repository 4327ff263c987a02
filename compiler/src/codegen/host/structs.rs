//! Structs of a block, for the host: as written, with what an element needs.

use super::Names;
use super::derives::{ELEMENT, missing_derives};
use crate::typed::{Block, Home, Struct, TypeItem};
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};

/// Every struct with its derives and `impl Element`.
pub(crate) fn structs(block: &Block, names: &Names) -> TokenStream {
    let item = |s: &Struct| match &s.item {
        TypeItem::Struct(item) if names.is_bundle(&s.name) => bundle(&names.strukt(item)),
        TypeItem::Struct(item) => strukt(&names.strukt(item)),
        TypeItem::Enum(item) => super::enums::enumeration(block, s, &names.enumeration(item)),
    };
    (block.structs.iter())
        .filter(|strukt| strukt.home == Home::Block && strukt.arguments.is_empty())
        .map(item)
        .collect()
}

/// A struct of arrays, which is no element.
fn bundle(item: &syn::ItemStruct) -> TokenStream {
    let missing = missing_derives(&item.attrs, &["Clone", "Debug"]);
    quote! {
        #[derive(#(#missing),*)]
        #[allow(dead_code, reason = "may be of use in the block only")]
        #item
    }
}

fn strukt(item: &syn::ItemStruct) -> TokenStream {
    let name = &item.ident;
    let members: Vec<TokenStream> = item
        .fields
        .iter()
        .enumerate()
        .map(|(k, field)| match &field.ident {
            Some(name) => name.to_token_stream(),
            None => Literal::usize_unsuffixed(k).into_token_stream(),
        })
        .collect();
    let types: Vec<TokenStream> = item
        .fields
        .iter()
        .map(|field| match &field.ty {
            // Refused, but to be read by rustc: bounds are a type before `as` in parentheses only.
            ty @ (syn::Type::TraitObject(_) | syn::Type::ImplTrait(_)) => quote!((#ty)),
            ty => ty.to_token_stream(),
        })
        .collect();
    let missing = missing_derives(&item.attrs, &ELEMENT);
    let parameters = item.generics.type_params();
    let parameters: Vec<&syn::Ident> = parameters.map(|parameter| &parameter.ident).collect();
    let (bounded, generics) = match &parameters[..] {
        [] => Default::default(),
        _ => (
            quote!(<#(#parameters: ::accelerate::Element),*>),
            quote!(<#(#parameters),*>),
        ),
    };
    let conditions = item.attrs.iter().filter(|a| a.path().is_ident("cfg"));
    quote! {
        #[derive(#(#missing),*)]
        #[allow(dead_code, reason = "may be of use in the block only")]
        #item

        #(#conditions)*
        // SAFETY: each field is given its own columns, in order.
        unsafe impl #bounded ::accelerate::Element for #name #generics {
            const LEAVES: usize = 0 #(+ <#types as ::accelerate::Element>::LEAVES)*;

            #[allow(unused_mut, unused_assignments, reason = "generated code")]
            fn leaf(mut k: usize) -> ::accelerate::rt::Leaf {
                #(
                    if k < <#types as ::accelerate::Element>::LEAVES {
                        return <#types as ::accelerate::Element>::leaf(k);
                    }
                    k -= <#types as ::accelerate::Element>::LEAVES;
                )*
                ::core::unreachable!("no such leaf")
            }

            #[inline(always)]
            #[allow(unused_mut, unused_assignments, unused_variables, reason = "generated code")]
            unsafe fn write(self, mut columns: *const *mut u8, index: usize) {
                #(
                    // SAFETY: by contract; the columns are counted off.
                    unsafe {
                        ::accelerate::Element::write(self.#members, columns, index);
                        columns = columns.add(<#types as ::accelerate::Element>::LEAVES);
                    }
                )*
            }

            #[inline(always)]
            #[allow(unused_mut, unused_assignments, unused_variables, reason = "generated code")]
            unsafe fn read(mut columns: *const *const u8, index: usize) -> Self {
                #name {
                    #(#members: {
                        // SAFETY: by contract; the columns are counted off.
                        unsafe {
                            let value = <#types as ::accelerate::Element>::read(columns, index);
                            columns = columns.add(<#types as ::accelerate::Element>::LEAVES);
                            value
                        }
                    },)*
                }
            }
        }
    }
}
