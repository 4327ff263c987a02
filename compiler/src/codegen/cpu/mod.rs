//! Kernels of a plan as Rust over lanes, for the CPU.
//!
//! In: a `plan::Kernel`. Out: a struct of its pointers and scalars with generic `#[inline(always)]` methods over an
//! instruction set (`rt::lanes::Lanes`), and an expression that runs it through the drivers (`rt::cpu`). Values that
//! are the same in all lanes stay scalars; indices that go up by a constant from lane to lane stay a first value and
//! a stride; other values are vectors of lanes. Control flow that lanes disagree about becomes masks.

mod access;
mod flow;
mod folds;
mod names;
mod operations;
mod part;
mod phases;
mod products;
mod rows;
mod rowwise;
mod scatters;
mod search;
mod sorts;
mod staged;
mod statements;
mod straight;
mod stride;
#[cfg(test)]
mod tests;
mod tiles;
mod transposed;
mod turns;
mod uniform;

use crate::plan::{Kernel, Skeleton};
use names::{Names, scalar};
use proc_macro2::TokenStream;
use quote::quote;

/// The items of a kernel: its struct, which begins with `structs`, and the implementations of the drivers' traits.
pub fn kernel(kernel: &Kernel, structs: &str) -> TokenStream {
    let names = Names { kernel, structs };
    let item = item(names);
    let parts = match &kernel.skeleton {
        Skeleton::Elementwise(parts) => phases::elementwise(names, parts),
        Skeleton::Scatter {
            extents,
            vars,
            body,
            condition,
            index,
            fold,
            size,
            targets,
            meeting,
        } => {
            let parts = scatters::Scatter {
                extents,
                vars,
                body,
                condition: *condition,
                index: *index,
                fold,
                size: *size,
                targets,
                meeting,
            };
            scatters::scatter(names, &parts)
        }
        Skeleton::Sort {
            extents,
            vars,
            body,
            length,
            read,
            parts,
            keys,
            by,
            items: _,
        } => {
            let parts = sorts::Sort {
                extents,
                vars,
                body,
                length: *length,
                read: *read,
                parts,
                keys: *keys,
                by: by.as_deref(),
            };
            sorts::sort(names, &parts)
        }
        Skeleton::Staged {
            extents,
            vars,
            rooms,
            stages,
            points,
        } => {
            let parts = staged::Staged {
                extents,
                vars,
                rooms,
                stages,
                points: *points,
            };
            staged::staged(names, &parts)
        }
        Skeleton::Rowwise {
            extents,
            vars,
            phases,
            tiles,
            products,
        } => rowwise::rowwise(
            names,
            extents,
            vars,
            phases,
            tiles.as_deref(),
            products.as_deref(),
        ),
    };
    quote! {
        #item
        #parts
    }
}

/// The struct of a kernel.
fn item(names: Names<'_>) -> TokenStream {
    let kernel = names.kernel;
    let name = names.kernel();
    let memories = kernel.memories();
    let fields = memories.iter().enumerate().map(|(k, access)| {
        let (field, leaf) = (names.buffer(k), scalar(access.leaf));
        match access.writes {
            true => quote!(#field: *mut #leaf),
            false => quote!(#field: *const #leaf),
        }
    });
    let scalars = kernel.scalars.iter().map(|&value| {
        let (field, leaf) = (names.value(value), scalar(names.leaf(value)));
        quote!(#field: #leaf)
    });
    let summary = &kernel.summary;
    quote! {
        #[doc = #summary]
        #[allow(unused, non_camel_case_types, non_snake_case, clippy::all)]
        #[derive(Clone, Copy)]
        struct #name { #(#fields,)* #(#scalars,)* }
        // SAFETY: threads write disjoint elements of the buffers, and read none that another thread writes.
        unsafe impl ::core::marker::Sync for #name {}
    }
}

/// Runs a kernel. `buffers` are pointers and `scalars` values, for each of the kernel's parameters; `failures`, a
/// reference to the call's `rt::Failure`, is in scope.
pub fn launch(
    kernel: &Kernel,
    structs: &str,
    buffers: &[TokenStream],
    scalars: &[TokenStream],
) -> TokenStream {
    let names = Names { kernel, structs };
    let name = names.kernel();
    let fields = kernel.buffers.iter().enumerate().map(|(k, access)| {
        let (field, leaf, pointer) = (names.buffer(k), scalar(access.leaf), &buffers[k]);
        match access.writes {
            true => quote!(#field: (#pointer) as *mut #leaf),
            false => quote!(#field: (#pointer) as *const #leaf),
        }
    });
    let values = kernel.scalars.iter().zip(scalars).map(|(&value, given)| {
        let field = names.value(value);
        quote!(#field: #given)
    });
    // Each row has its own.
    let rooms = names.rooms();
    quote! {
        #name {
            #(#fields,)* #(#rooms: ::core::ptr::null_mut(),)* #(#values,)*
        }.launch(failures)
    }
}
