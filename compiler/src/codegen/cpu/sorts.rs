//! Sorts: implementations of the driver's trait `Sort`.

use super::names::{Names, scalar, vector, zero};
use super::phases::{Part, attributes, build, cost, imports};
use crate::plan::body::{Statement, Value};
use crate::plan::{Sorted, sorts};
use crate::scalar::Leaf;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

/// The parts of the skeleton.
pub(super) struct Sort<'k> {
    pub(super) extents: &'k [Value],
    pub(super) vars: &'k [Value],
    pub(super) body: &'k [Statement],
    pub(super) length: Value,
    pub(super) parts: &'k [Sorted],
    pub(super) keys: usize,
}

/// The kernel's implementations.
pub(super) fn sort(names: Names<'_>, sort: &Sort<'_>) -> TokenStream {
    let name = names.kernel();
    let part = Part::of_kernel(names);
    let (imports, attributes, cost) = (imports(), attributes(), cost(sort.body));
    let domain = part.domain(sort.extents, sort.vars);
    let leaves: Vec<Leaf> = (sort.parts.iter())
        .map(|part| names.leaf(part.element))
        .collect();
    let types: Vec<Ident> = leaves.iter().copied().map(scalar).collect();
    let vectors: Vec<Ident> = leaves.iter().copied().map(vector).collect();
    let digits = sorts::digits(&leaves[..sort.keys]);
    let digits = digits.iter().map(|(key, shift)| quote!((#key, #shift)));
    let (length, build, keys) = (names.value(sort.length), build(), sort.keys);
    let fields: Vec<Literal> = (0..leaves.len()).map(Literal::usize_unsuffixed).collect();
    let key_fields = &fields[..keys];
    let elements = elements(&part, sort);
    let read = |buffer: usize| {
        let leaf = |(part, leaf): (&Sorted, &Leaf)| match part.buffers[buffer] {
            Some(at) => {
                let at = names.buffer(at);
                quote!(*self.#at.wrapping_add(at as usize))
            }
            None => zero(*leaf),
        };
        let leaves = sort.parts.iter().zip(&leaves).map(leaf);
        quote!((#(#leaves,)*))
    };
    let write = |buffer: usize| {
        let stored = (sort.parts.iter().zip(&fields))
            .filter_map(|(part, field)| Some((names.buffer(part.buffers[buffer]?), field)));
        let stores =
            stored.map(|(at, field)| quote!(*self.#at.wrapping_add(at as usize) = state.#field;));
        quote!(#(#stores)*)
    };
    let (reads, writes) = ([read(0), read(1)], [write(0), write(1)]);
    let [read_first, read_second] = reads;
    let [write_first, write_second] = writes;
    quote! {
        #attributes
        const _: () = {
            #imports
            impl Sort for #name {
                const COST: u32 = #cost;
                const DIGITS: &'static [(usize, u32)] = &[#(#digits),*];
                type State = (#(#types,)*);
                type Keys = [u64; #keys];
                #domain
                #[inline(always)]
                fn length(&self) -> u64 {
                    self.#length
                }
                #[inline(always)]
                fn elements<L: Lanes>(
                    &self, outer: Self::Outer, first: u64, failures: &::accelerate::rt::Failure,
                ) -> (#(L::#vectors,)*) {
                    #elements
                }
                #[inline(always)]
                fn keys(state: Self::State) -> Self::Keys {
                    [#(Ordered::order(state.#key_fields)),*]
                }
                #[inline(always)]
                fn read<const BUFFER: usize>(&self, at: u64) -> Self::State {
                    // SAFETY: below the number of points.
                    unsafe {
                        match BUFFER {
                            0 => #read_first,
                            _ => #read_second,
                        }
                    }
                }
                #[inline(always)]
                fn write<const BUFFER: usize>(&self, at: u64, state: Self::State) {
                    // SAFETY: below the number of points.
                    unsafe {
                        match BUFFER {
                            0 => { #write_first }
                            _ => { #write_second }
                        }
                    }
                }
            }
        };
        #attributes
        impl #name {
            fn launch(&self, failures: &::accelerate::rt::Failure) {
                ::accelerate::rt::cpu::sort::<#build, _>(self, failures);
            }
        }
    }
}

/// The elements at neighbouring points.
fn elements(part: &Part<'_>, sort: &Sort<'_>) -> TokenStream {
    let (mut emitter, start) = part.emitter(sort.vars, sort.body);
    for part in sort.parts {
        *emitter.uses.entry(part.element).or_default() += 1;
    }
    let code = emitter.block(sort.body);
    let leaves: Vec<TokenStream> = (sort.parts.iter())
        .map(|part| emitter.vectors(part.element))
        .collect();
    quote! {
        #start
        #code
        (#(#leaves,)*)
    }
}
