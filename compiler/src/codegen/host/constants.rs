//! Constants of a block, for the host: with the visibilities written, by their values.

use super::surface::{host_type, member};
use crate::codegen::names::rust::identifier;
use crate::scalar::{Leaf, Scalar};
use crate::sorted::SortedSet;
use crate::typed::{Block, Constant, Expr, ExprKind, Foreign, Function, Type};
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};

/// Every constant that the host sees; those of types stand in an `impl` each.
pub(crate) fn constants(block: &Block) -> TokenStream {
    let item = |constant: &Constant| {
        let (attributes, visibility) = (&constant.attributes, &constant.visibility);
        let (name, ty) = (&constant.name, host_type(block, &constant.value.ty));
        let value = value(block, &constant.value);
        let item = quote! {
            #(#attributes)*
            #[allow(dead_code, reason = "may be of use in the block only")]
            #visibility const #name: #ty = #value;
        };
        match constant.owner {
            None => item,
            Some(owner) => {
                let strukt = &block.structs[owner].item;
                let (name, conditions) =
                    (strukt.ident(), super::data::conditions(strukt.attributes()));
                quote!(#(#conditions)* impl #name { #item })
            }
        }
    };
    block.constants.iter().map(item).collect()
}

/// A constant for each file of foreign functions, so that rustc looks again when one changes.
pub(crate) fn foreign_files(block: &Block) -> TokenStream {
    let foreign = |function: &Function| match &function.attributes.foreign {
        Some(Foreign::Cuda(file)) => Some(file.file.clone()),
        Some(Foreign::Rust(_)) | None => None,
    };
    let files: SortedSet<String> = block.functions.iter().filter_map(foreign).collect();
    let item = |file: String| {
        let file = format!("/{file}");
        quote! {
            const _: &::core::primitive::str =
                ::core::include_str!(::core::concat!(::core::env!("CARGO_MANIFEST_DIR"), #file));
        }
    };
    files.into_iter().map(item).collect()
}

/// A value that has been evaluated.
fn value(block: &Block, of: &Expr) -> TokenStream {
    match (&of.kind, &of.ty) {
        (ExprKind::Constant(scalar), ty) => number(*scalar, ty),
        (ExprKind::Tuple(halves), ty) if ty.is_wide() => {
            let halves = halves.iter().map(|half| match half.kind {
                ExprKind::Constant(half) => u128::from(half.bits),
                _ => unreachable!("`check` has evaluated it"),
            });
            let bits = halves.fold(0, |bits, half| bits << 64 | half);
            let bits = Literal::u128_suffixed(bits);
            match ty {
                Type::I128 => quote!(#bits as i128),
                _ => quote!(#bits),
            }
        }
        (ExprKind::Tuple(fields), Type::Struct(k)) => {
            let strukt = &block.structs[*k];
            let name = strukt.path();
            let fields = members(block, &strukt.fields, fields);
            quote!(#name { #fields })
        }
        (ExprKind::Tuple(elements), Type::Fixed(..)) => {
            let elements = elements.iter().map(|element| value(block, element));
            quote!([#(#elements),*])
        }
        (ExprKind::Tuple(fields), _) => {
            let fields = fields.iter().map(|field| value(block, field));
            quote!((#(#fields,)*))
        }
        (ExprKind::Option(Some(inner)), _) => {
            let inner = value(block, inner);
            quote!(::core::option::Option::Some(#inner))
        }
        (ExprKind::Option(None), _) => quote!(::core::option::Option::None),
        (ExprKind::Variant(variant, fields), Type::Struct(k)) => {
            let strukt = &block.structs[*k];
            let variant = &strukt.variants[*variant];
            let (owner, name) = (strukt.path(), identifier(&variant.name));
            let fields = members(block, &variant.fields, fields);
            quote!(#owner::#name { #fields })
        }
        _ => unreachable!("`check` has evaluated it"),
    }
}

fn members(block: &Block, fields: &[(String, Type)], values: &[Expr]) -> TokenStream {
    let fields = fields.iter().zip(values).map(|((name, _), field)| {
        let (name, value) = (member(name), value(block, field));
        quote!(#name: #value,)
    });
    fields.collect()
}

/// A number as a user would write it.
fn number(scalar: Scalar, ty: &Type) -> TokenStream {
    let bits = scalar.bits;
    match (ty, scalar.leaf) {
        (Type::Usize, _) => Literal::usize_unsuffixed(bits as usize).into_token_stream(),
        (Type::Isize, _) => {
            let value = Literal::isize_unsuffixed((bits as isize).wrapping_abs());
            match (bits as isize) < 0 && bits as isize != isize::MIN {
                true => quote!(-#value),
                false if bits as isize == isize::MIN => quote!(isize::MIN),
                false => quote!(#value),
            }
        }
        (Type::Char, _) => {
            let character = char::from_u32(bits as u32).unwrap_or_default();
            Literal::character(character).into_token_stream()
        }
        (_, leaf) if leaf.is_half() => {
            let (name, bits) = (
                identifier(leaf.name()),
                Literal::u16_unsuffixed(bits as u16),
            );
            quote!(::accelerate::#name::from_bits(#bits))
        }
        (_, Leaf::F32) if f32::from_bits(bits as u32).is_finite() => {
            let value = f32::from_bits(bits as u32);
            let literal = Literal::f32_unsuffixed(value.abs());
            match value.is_sign_negative() {
                true => quote!(-#literal),
                false => quote!(#literal),
            }
        }
        (_, Leaf::F64) if f64::from_bits(bits).is_finite() => {
            let value = f64::from_bits(bits);
            let literal = Literal::f64_unsuffixed(value.abs());
            match value.is_sign_negative() {
                true => quote!(-#literal),
                false => quote!(#literal),
            }
        }
        _ => crate::codegen::scalar::constant(scalar),
    }
}
