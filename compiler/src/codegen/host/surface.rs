//! The surface types of a signature: how they are written for the host, and how they come apart into leaves.

use crate::codegen::names::rust::{identifier, local};
use crate::scalar::{Leaf, Scalar};
use crate::typed::{Block, Type};
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};
use std::collections::VecDeque;

/// A type as the host writes it; the language's names need no import.
pub(super) fn host_type(block: &Block, ty: &Type) -> TokenStream {
    match ty {
        Type::Leaf(leaf) if leaf.is_half() => {
            let name = identifier(leaf.name());
            quote!(::accelerate::#name)
        }
        Type::Leaf(leaf) => crate::codegen::scalar::leaf(*leaf).into_token_stream(),
        Type::Char => quote!(char),
        Type::Fixed(element, n) => {
            let (element, n) = (host_type(block, element), Literal::usize_unsuffixed(*n));
            quote!([#element; #n])
        }
        Type::Option(inner) => {
            let inner = host_type(block, inner);
            quote!(::core::option::Option<#inner>)
        }
        Type::Usize => quote!(usize),
        Type::Isize => quote!(isize),
        Type::I128 => quote!(i128),
        Type::U128 => quote!(u128),
        Type::Tuple(types) => {
            let types = types.iter().map(|ty| host_type(block, ty));
            quote!((#(#types,)*))
        }
        Type::Struct(k) | Type::Bundle(k) => {
            let strukt = &block.structs[*k];
            let name = strukt.path();
            let arguments = strukt.arguments.iter().map(|ty| host_type(block, ty));
            match strukt.arguments.is_empty() {
                true => quote!(#name),
                false => quote!(#name<#(#arguments),*>),
            }
        }
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
        Type::Ordering
        | Type::Range(_)
        | Type::Nested { .. }
        | Type::Window(..)
        | Type::Offsets(_)
        | Type::Closure
        | Type::Function(..)
        | Type::Unknown(_)
        | Type::Never => {
            unreachable!("`check` lets no such type into a public signature")
        }
    }
}

/// The number of leaves of an element.
pub(super) fn leaf_count(block: &Block, ty: &Type) -> usize {
    match ty {
        Type::Tuple(types) => types.iter().map(|ty| leaf_count(block, ty)).sum(),
        Type::Fixed(element, n) => n * leaf_count(block, element),
        Type::Option(inner) => 1 + leaf_count(block, inner),
        Type::Struct(k) => (block.structs[*k].fields.iter())
            .map(|(_, ty)| leaf_count(block, ty))
            .sum(),
        _ => 1,
    }
}

/// The fields of what has some, with the names that the host reads them by.
pub(super) fn fields<'b>(
    block: &'b Block,
    ty: &'b Type,
) -> impl Iterator<Item = (TokenStream, &'b Type)> {
    let (tuple, named) = match ty {
        Type::Tuple(types) => (&types[..], &[][..]),
        Type::Bundle(k) => (&[][..], &block.structs[*k].fields[..]),
        _ => (&[][..], &[][..]),
    };
    let tuple = tuple.iter().enumerate();
    let tuple = tuple.map(|(k, ty)| (Literal::usize_unsuffixed(k).into_token_stream(), ty));
    tuple.chain(named.iter().map(|(name, ty)| (member(name), ty)))
}

/// The parts of an argument that are parameters of the program, as expressions: arrays by reference, scalars whole.
pub(super) fn parts<'b>(
    block: &'b Block,
    ty: &'b Type,
    value: TokenStream,
    into: &mut Vec<(TokenStream, &'b Type)>,
) {
    match ty {
        Type::Segmented(_) => {
            into.extend([quote!(#value.values()), quote!(#value.offsets())].map(|part| (part, ty)));
        }
        Type::Array(..) => into.push((quote!(&#value), ty)),
        ty if ty.has_array() => {
            for (field, ty) in fields(block, ty) {
                parts(block, ty, quote!(#value.#field), into);
            }
        }
        ty => into.push((value, ty)),
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
        Type::Option(inner) => {
            leaves.push(quote!(#value.is_some()));
            let (mut own, mut types) = (Vec::new(), Vec::new());
            let payload = local("some");
            take_apart(block, inner, payload.to_token_stream(), &mut own);
            leaf_types(block, inner, &mut types);
            for (leaf_value, leaf) in own.into_iter().zip(types) {
                let zero = crate::codegen::scalar::constant(Scalar { leaf, bits: 0 });
                leaves.push(quote! {
                    match #value {
                        ::core::option::Option::Some(#payload) => #leaf_value,
                        ::core::option::Option::None => #zero,
                    }
                });
            }
        }
        Type::Leaf(leaf) if leaf.is_half() => leaves.push(quote!(#value.to_bits())),
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
        Type::Option(inner) => {
            let some = leaves.pop_front().expect("whether there is a value");
            let value = put_together(block, inner, leaves);
            quote! {
                match #some {
                    true => ::core::option::Option::Some(#value),
                    false => ::core::option::Option::None,
                }
            }
        }
        Type::Struct(k) => {
            let strukt = &block.structs[*k];
            let name = strukt.path();
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
                Type::Leaf(half) if half.is_half() => {
                    let half = host_type(block, ty);
                    quote!(#half::from_bits(#leaf))
                }
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
        Type::Option(inner) => {
            leaves.push(Leaf::Bool);
            leaf_types(block, inner, leaves);
        }
        Type::Tuple(types) => types.iter().for_each(|ty| leaf_types(block, ty, leaves)),
        Type::Struct(k) => {
            (block.structs[*k].fields.iter()).for_each(|(_, ty)| leaf_types(block, ty, leaves))
        }
        // Of a type with errors.
        Type::Unknown(_) => {}
        _ => unreachable!("`check` lets only elements into arrays, not {ty:?}"),
    }
}

/// A field's name or position.
pub(super) fn member(name: &str) -> TokenStream {
    match name.parse::<usize>() {
        Ok(position) => Literal::usize_unsuffixed(position).into_token_stream(),
        Err(_) => identifier(name).into_token_stream(),
    }
}
