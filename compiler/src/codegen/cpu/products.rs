//! Blocks of rows whose products are made first: the structs of both halves, and implementations of the drivers' traits `Blocks`
//! or `FoldBlocks`.

use super::item;
use super::names::{Names, scalar};
use super::part::{Part, attributes, build, imports};
use super::phases::rows;
use super::rows::scattered;
use super::tiles::{HIGH, WIDE, contraction};
use crate::plan::body::Value;
use crate::plan::tiles::Inner;
use crate::plan::{Kernel, Phase, Products, Skeleton};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

/// Columns beyond which the rooms of even a few rows would take tens of megabytes.
const MOST: u64 = 1 << 18;
/// Elements of a product from which on it pays to put it into a room.
const DEEP: u64 = 12;
/// The same where lanes would gather what they read, along rows and along columns.
const GATHERED: u64 = 4;

/// The items of the blocks, and the body of `launch` that takes them where that pays, and `otherwise` elsewhere.
pub(super) fn blocks(
    names: Names<'_>,
    extents: &[Value],
    products: &Products,
    otherwise: TokenStream,
) -> (TokenStream, TokenStream) {
    let none = |otherwise| (TokenStream::new(), otherwise);
    let Some(halves) = products.blocks(names.kernel) else {
        return none(otherwise);
    };
    let structs = names.structs;
    let [made, reading] = [&halves.products, &halves.rows].map(|kernel| Names { kernel, structs });
    let Some((tiles, domain, deep)) = tiles_of(made) else {
        return none(otherwise);
    };
    let of_rows = products.of_rows(extents.len());
    let (reading_vars, reading_phases) = match &halves.rows.skeleton {
        Skeleton::Rowwise { vars, phases, .. } => (vars, phases),
        _ => return none(otherwise),
    };
    let in_blocks = (!of_rows).then_some(products.phase);
    let rows = rows(reading, extents, reading_vars, reading_phases, in_blocks);
    let rooms = own(reading, names.kernel).count();
    let (items, made_name, reading_name) =
        ([made, reading].map(item), made.kernel(), reading.kernel());
    let (attributes, imports, kernel) = (attributes(), imports(), names.kernel());
    let count = Literal::usize_unsuffixed(rooms);
    let fields = fields(names);
    let [given, taken] = [made, reading].map(|half| filled(half, names.kernel));
    let implementation = match of_rows {
        true => quote! {
            impl Blocks for #kernel {
                const ROOMS: usize = #count;
                type Products = #made_name;
                type Rows = #reading_name;
                fn products(&self, rooms: Rooms, first: u64) -> #made_name {
                    #made_name { #(#fields: self.#fields,)* #given }
                }
                fn rows(&self, rooms: Rooms, first: u64) -> #reading_name {
                    #reading_name { #(#fields: self.#fields,)* #taken }
                }
            }
        },
        false => {
            let phase = reading.phase(products.phase);
            quote! {
                impl FoldBlocks for #phase {
                    const ROOMS: usize = #count;
                    type Products = #made_name;
                    fn products(&self, rooms: Rooms, first: u64) -> #made_name {
                        #made_name { #(#fields: self.kernel.#fields,)* #given }
                    }
                    fn of_block(self, rooms: Rooms, first: u64) -> Self {
                        let kernel = #reading_name { #(#fields: self.kernel.#fields,)* #taken };
                        Self { kernel, ..self }
                    }
                }
            }
        }
    };
    let build = build(names);
    let call = match of_rows {
        true => quote!(::accelerate::rt::cpu::blocks::<#build, _>(self, failures);),
        false => {
            let run = match extents.is_empty() {
                true => quote!(row),
                false => quote!(rows),
            };
            let none = own(reading, names.kernel);
            let first = first(reading);
            quote! {
                let reading = #reading_name {
                    #(#fields: self.#fields,)* #(#none: ::core::ptr::null(),)* #first: 0,
                };
                ::accelerate::rt::cpu::#run::<#build, _>(&reading, failures);
            }
        }
    };
    let [row, column, depth] = domain;
    let is_deep = match names.kernel.scalars.contains(&depth) {
        true => {
            let depth = names.value(depth);
            quote!(#depth >= #deep)
        }
        // A constant.
        false => quote!(true),
    };
    let (row, column) = (names.value(row), names.value(column));
    let items = quote! {
        #(#items)*
        #rows
        #tiles
        #attributes
        const _: () = {
            #imports
            #implementation
        };
    };
    let launch = quote! {
        if #row >= #HIGH && (#WIDE..=#MOST).contains(&#column) && #is_deep {
            #call
        } else {
            #otherwise
        }
    };
    (items, launch)
}

/// The contraction of the products, its rows, columns and depth, and from which depth on it pays.
fn tiles_of(names: Names<'_>) -> Option<(TokenStream, [Value; 3], u64)> {
    let Skeleton::Rowwise {
        extents,
        vars,
        phases,
        tiles: Some(tiles),
        ..
    } = &names.kernel.skeleton
    else {
        return None;
    };
    let inner = Inner::of(phases)?;
    let part = Part::of_kernel(names);
    let tokens = contraction(&part, extents, vars, inner, tiles)?;
    let [.., row, column] = extents[..] else {
        return None;
    };
    let uniform = match phases.first() {
        Some(Phase::Uniform(list)) => &list[..],
        _ => &[],
    };
    let gathers = |var: Value| scattered(var, uniform, inner.body) > 0;
    let [.., down, across] = vars[..] else {
        return None;
    };
    let deep = match gathers(down) && gathers(across) {
        true => GATHERED,
        false => DEEP,
    };
    Some((tokens, [row, column, inner.extent], deep))
}

/// The fields that a kernel and its halves have alike.
fn fields(names: Names<'_>) -> Vec<Ident> {
    let buffers = (0..names.kernel.buffers.len()).map(|k| names.buffer(k));
    let scalars = names.kernel.scalars.iter();
    buffers
        .chain(scalars.map(|&value| names.value(value)))
        .collect()
}

/// The pointers to the rooms.
fn own<'k>(half: Names<'k>, kernel: &Kernel) -> impl Iterator<Item = Ident> + use<'k> {
    let first = kernel.buffers.len();
    (first..half.kernel.buffers.len()).map(move |buffer| half.buffer(buffer))
}

/// The first row of a block.
fn first(half: Names<'_>) -> Option<Ident> {
    half.kernel.scalars.last().map(|&value| half.value(value))
}

/// The fields of a half for a block.
fn filled(half: Names<'_>, kernel: &Kernel) -> TokenStream {
    let rooms = own(half, kernel).enumerate().map(|(k, field)| {
        let access = &half.kernel.buffers[kernel.buffers.len() + k];
        let leaf = scalar(access.leaf);
        let number = Literal::usize_unsuffixed(k);
        match access.writes {
            true => quote!(#field: rooms.room::<#leaf>(#number)),
            false => quote!(#field: rooms.room::<#leaf>(#number) as *const #leaf),
        }
    });
    let first = first(half);
    quote!(#(#rooms,)* #first: first,)
}
