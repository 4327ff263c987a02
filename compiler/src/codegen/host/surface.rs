//! The surface types of a signature: how they are written for the host, and how they come apart into leaves.

use crate::codegen::names::rust::identifier;
use crate::scalar::Leaf;
use crate::typed::{Block, Type};
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};
use std::collections::VecDeque;

/// A type as the host writes it; the language's names need no import.
pub(super) fn host_type(block: &Block, ty: &Type) -> TokenStream {
    match ty {
        Type::Leaf(leaf) => crate::codegen::scalar::leaf(*leaf).into_token_stream(),
        Type::Char => quote!(char),
        Type::Fixed(element, n) => {
            let (element, n) = (host_type(block, element), Literal::usize_unsuffixed(*n));
            quote!([#element; #n])
        }
        Type::Usize => quote!(usize),
        Type::Isize => quote!(isize),
        Type::Tuple(types) => {
            let types = types.iter().map(|ty| host_type(block, ty));
            quote!((#(#types,)*))
        }
        Type::Struct(k) => block.structs[*k].item.ident().to_token_stream(),
        Type::Array(element, rank) => {
            let element = host_type(block, element);
            match rank {
                0 => quote!(::accelerate::Scalar<#element>),
                1 => quote!(::accelerate::Vector<#element>),
                2 => quote!(::accelerate::Matrix<#element>),
                3 => quote!(::accelerate::Cube<#element>),
                rank => {
                    let rank = Literal::usize_unsuffixed(*rank);
                    quote!(::accelerate::Array<#element, #rank>)
                }
            }
        }
        Type::Segmented(element) => {
            let element = host_type(block, element);
            quote!(::accelerate::Segmented<#element>)
        }
        Type::Option(_)
        | Type::Ordering
        | Type::Range(_)
        | Type::Nested { .. }
        | Type::Window(..)
        | Type::Offsets(_)
        | Type::Closure
        | Type::Unknown(_)
        | Type::Never => {
            unreachable!("`check` lets no such type into a public signature")
        }
    }
}

/// Whether there is an array in a type.
pub(super) fn has_array(ty: &Type) -> bool {
    match ty {
        Type::Array(..) | Type::Segmented(_) | Type::Nested { .. } => true,
        Type::Tuple(types) => types.iter().any(has_array),
        _ => false,
    }
}

/// The number of leaves of an element.
pub(super) fn leaf_count(block: &Block, ty: &Type) -> usize {
    match ty {
        Type::Tuple(types) => types.iter().map(|ty| leaf_count(block, ty)).sum(),
        Type::Fixed(element, n) => n * leaf_count(block, element),
        Type::Struct(k) => (block.structs[*k].fields.iter())
            .map(|(_, ty)| leaf_count(block, ty))
            .sum(),
        _ => 1,
    }
}

/// The leaves of a scalar argument, as expressions.
pub(super) fn take_apart(
    block: &Block,
    ty: &Type,
    value: TokenStream,
    leaves: &mut Vec<TokenStream>,
) {
    match ty {
        Type::Tuple(types) => {
            for (k, ty) in types.iter().enumerate() {
                let k = Literal::usize_unsuffixed(k);
                take_apart(block, ty, quote!(#value.#k), leaves);
            }
        }
        Type::Struct(k) if !block.structs[*k].variants.is_empty() => {
            for slot in 0..block.structs[*k].fields.len() {
                let slot = Literal::usize_unsuffixed(slot);
                leaves.push(quote!(#value.__accelerate_leaves().#slot));
            }
        }
        Type::Struct(k) => {
            for (name, ty) in &block.structs[*k].fields {
                let name = member(name);
                take_apart(block, ty, quote!(#value.#name), leaves);
            }
        }
        Type::Fixed(element, n) => {
            for k in 0..*n {
                let k = Literal::usize_unsuffixed(k);
                take_apart(block, element, quote!(#value[#k]), leaves);
            }
        }
        Type::Char => leaves.push(quote!(#value as u32)),
        Type::Usize => leaves.push(quote!(#value as u64)),
        Type::Isize => leaves.push(quote!(#value as i64)),
        _ => leaves.push(value),
    }
}

/// A scalar result from its leaves.
pub(super) fn put_together(
    block: &Block,
    ty: &Type,
    leaves: &mut VecDeque<TokenStream>,
) -> TokenStream {
    match ty {
        Type::Tuple(types) => {
            let fields = types.iter().map(|ty| put_together(block, ty, leaves));
            quote!((#(#fields,)*))
        }
        Type::Fixed(element, n) => {
            let elements = (0..*n).map(|_| put_together(block, element, leaves));
            quote!([#(#elements),*])
        }
        Type::Struct(k) => {
            let strukt = &block.structs[*k];
            let name = strukt.item.ident();
            if !strukt.variants.is_empty() {
                let slots = strukt.fields.len();
                let slots = (0..slots).map(|_| leaves.pop_front().expect("a leaf for each slot"));
                return quote!(#name::__accelerate_value((#(#slots,)*)));
            }
            let fields = strukt.fields.iter().map(|(field, ty)| {
                let (field, value) = (member(field), put_together(block, ty, leaves));
                quote!(#field: #value)
            });
            quote!(#name { #(#fields),* })
        }
        // Of a type with errors.
        Type::Unknown(_) => quote!(::core::unimplemented!("this program has errors")),
        ty => {
            let leaf = leaves.pop_front().expect("as many leaves as the type has");
            match ty {
                Type::Char => quote!(::core::char::from_u32(#leaf).unwrap_or_default()),
                Type::Usize => quote!((#leaf) as usize),
                Type::Isize => quote!((#leaf) as isize),
                _ => leaf,
            }
        }
    }
}

/// The leaf types of an element as the runtime reads them: `usize` is `u64` there.
pub(super) fn leaf_types(block: &Block, ty: &Type, leaves: &mut Vec<Leaf>) {
    match ty {
        Type::Leaf(leaf) => leaves.push(*leaf),
        Type::Char => leaves.push(Leaf::U32),
        Type::Fixed(element, n) => (0..*n).for_each(|_| leaf_types(block, element, leaves)),
        Type::Usize => leaves.push(Leaf::U64),
        Type::Isize => leaves.push(Leaf::I64),
        Type::Tuple(types) => types.iter().for_each(|ty| leaf_types(block, ty, leaves)),
        Type::Struct(k) => {
            (block.structs[*k].fields.iter()).for_each(|(_, ty)| leaf_types(block, ty, leaves))
        }
        _ => unreachable!("`check` lets only elements into arrays"),
    }
}

/// A field's name or position.
pub(super) fn member(name: &str) -> TokenStream {
    match name.parse::<usize>() {
        Ok(position) => Literal::usize_unsuffixed(position).into_token_stream(),
        Err(_) => identifier(name).into_token_stream(),
    }
}
