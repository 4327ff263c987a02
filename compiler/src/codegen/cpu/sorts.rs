//! Sorts: implementations of the drivers' traits `Records`, and `Sort` or `Merge`.

use super::names::{Names, scalar, vector, zero};
use super::part::{Part, attributes, build, cost, imports, inlining};
use super::statements::Emitter;
use super::uniform::Analysis;
use crate::plan::body::{Statement, Value};
use crate::plan::{Comparison, Sorted, sorts, uses};
use crate::scalar::Leaf;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

/// The parts of the skeleton.
pub(super) struct Sort<'k> {
    pub(super) extents: &'k [Value],
    pub(super) vars: &'k [Value],
    pub(super) body: &'k [Statement],
    pub(super) length: Value,
    pub(super) read: Option<[Value; 2]>,
    pub(super) parts: &'k [Sorted],
    pub(super) keys: usize,
    pub(super) by: Option<&'k Comparison>,
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
    let (length, build) = (names.value(sort.length), build(names));
    let inlining = inlining(names);
    let fields: Vec<Literal> = (0..leaves.len()).map(Literal::usize_unsuffixed).collect();
    let (order, driver) = match sort.by {
        Some(by) => (compared(&part, by), quote!(merge)),
        None => (
            by_keys(names, sort, &leaves[..sort.keys], &fields),
            quote!(sort),
        ),
    };
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
            #order
            impl Records for #name {
                const COST: u32 = #cost;
                type State = (#(#types,)*);
                #domain
                #[inline(always)]
                fn length(&self) -> u64 {
                    self.#length
                }
                #inlining
                fn elements<L: Lanes>(
                    &self, outer: Self::Outer, first: u64, failures: &::accelerate::rt::Failure,
                ) -> (#(L::#vectors,)*) {
                    #elements
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
                ::accelerate::rt::cpu::#driver::<#build, _>(self, failures);
            }
        }
    }
}

/// The order by keys.
fn by_keys(names: Names<'_>, sort: &Sort<'_>, leaves: &[Leaf], fields: &[Literal]) -> TokenStream {
    let (name, keys) = (names.kernel(), leaves.len());
    let places = match sort.read {
        Some(places) => {
            let [from, to] = places.map(|place| names.value(place));
            quote!((self.#from, self.#to))
        }
        None => quote!((0, self.length())),
    };
    let digits = sorts::digits(leaves);
    let digits = digits.iter().map(|(key, shift)| quote!((#key, #shift)));
    let keys_only = fields.len() == keys;
    let fields = &fields[..keys];
    quote! {
        impl Sort for #name {
            const DIGITS: &'static [(usize, u32)] = &[#(#digits),*];
            type Keys = [u64; #keys];
            const KEYS_ONLY: bool = #keys_only;
            #[inline(always)]
            fn places(&self) -> (u64, u64) {
                #places
            }
            #[inline(always)]
            fn keys(state: Self::State) -> Self::Keys {
                [#(Ordered::order(state.#fields)),*]
            }
        }
    }
}

/// The order by a comparison, which is made of one lane.
fn compared(part: &Part<'_>, by: &Comparison) -> TokenStream {
    let name = part.names.kernel();
    let operands = by.left.iter().chain(&by.right).copied();
    let analysis = Analysis::new(operands, &by.body);
    let mut emitter = Emitter::new(part.names, analysis, quote!(One), quote!(failures));
    emitter.uses = uses::counts(&by.body);
    *emitter.uses.entry(by.less).or_default() += 1;
    let mut tokens = part.bindings();
    tokens.extend(emitter.watch(&by.body));
    tokens.extend(quote! {
        let (left, right) = (State::of_one(left), State::of_one(right));
    });
    for (k, (&left, &right)) in by.left.iter().zip(&by.right).enumerate() {
        let k = Literal::usize_unsuffixed(k);
        tokens.extend(emitter.bind(left, false, quote!(left.#k)));
        tokens.extend(emitter.bind(right, false, quote!(right.#k)));
    }
    tokens.extend(emitter.block(&by.body));
    let less = emitter.vectors(by.less);
    quote! {
        impl Merge for #name {
            #[inline(always)]
            fn less(
                &self, left: Self::State, right: Self::State, failures: &::accelerate::rt::Failure,
            ) -> bool {
                #tokens
                <(bool,) as State>::one((#less,)).0
            }
        }
    }
}

/// The elements at neighbouring points.
fn elements(part: &Part<'_>, sort: &Sort<'_>) -> TokenStream {
    let (mut emitter, start) = part.emitter(sort.vars, sort.body, None);
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
