//! Elementwise kernels, and the phases of row-wise ones: implementations of the drivers' traits `Each` and `Rows`.

use super::folds::{folded, scanned};
use super::names::Names;
use super::part::{
    Known, Part, attributes, bindings, build, constants, coordinates, cost, imports, inlining,
    known_constants, product,
};
use super::rows::known_size;
use super::statements::Emitter;
use super::uniform::Analysis;
use crate::plan::body::{Fold, Value};
use crate::plan::uses;
use crate::plan::{Phase, Points};
use crate::sorted::SortedSet;
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn elementwise(names: Names<'_>, parts: &[Points]) -> TokenStream {
    let (name, attributes, build) = (names.kernel(), attributes(), build(names));
    let mut items = TokenStream::new();
    // One after the other, each by all threads.
    let launches: Vec<TokenStream> = (parts.iter().enumerate())
        .map(|(index, points)| {
            let (part, made) = match parts {
                [_] => (Part::of_kernel(names), quote!(self)),
                _ => {
                    let part = Part::of_phase(names, index, &SortedSet::new(), &Known::default());
                    items.extend(part.item());
                    let made = part.made();
                    (part, quote!(&#made))
                }
            };
            let Points {
                extents,
                vars,
                body,
                windows: _,
            } = points;
            items.extend(part.each(extents, vars, body));
            let transposed = part.transposed(extents, vars, body);
            let driver = match transposed.is_some() {
                true => quote!(transposed),
                false => quote!(elementwise),
            };
            items.extend(transposed);
            quote!(::accelerate::rt::cpu::#driver::<#build, _>(#made, failures);)
        })
        .collect();
    quote! {
        #items
        #attributes
        impl #name {
            fn launch(&self, failures: &::accelerate::rt::Failure) {
                #(#launches)*
            }
        }
    }
}

/// The part of a phase, which captures what it uses of `before` (values of the row known by then).
fn part<'k>(names: Names<'k>, index: usize, phase: &Phase, before: &Known) -> Part<'k> {
    let (extents, statements, folds): (_, _, &[Fold]) = match phase {
        Phase::Uniform(_) => panic!("a uniform phase is no part"),
        Phase::Fold {
            extents,
            body,
            folds,
            ..
        } => (extents, body, folds),
        Phase::Each { extents, body, .. } => (extents, body, &[]),
        Phase::Scan {
            extents,
            body,
            folds,
            ..
        } => (extents, body, folds),
    };
    let mut used = uses::free(statements);
    used.extend(extents);
    for fold in folds {
        used.extend(&fold.elements);
        used.extend(&fold.combined);
        used.extend(uses::free(&fold.combine));
    }
    if let Phase::Scan { each, after, .. } = phase {
        used.extend(uses::free(each));
        used.extend(after.iter().flat_map(|fold| &fold.elements));
    }
    Part::of_phase(names, index, &used, before)
}

/// The phases in order, for one row; one of them, if so, in blocks.
pub(super) fn rows(
    names: Names<'_>,
    extents: &[Value],
    vars: &[Value],
    phases: &[Phase],
    in_blocks: Option<usize>,
) -> TokenStream {
    let (kernel, attributes, imports) = (names.kernel(), attributes(), imports());
    let mut items = TokenStream::new();
    let mut row = bindings(names, &quote!(self), &SortedSet::new());
    row.extend(coordinates(names, &quote!(row), extents, vars));
    let mut before = Known::default();
    before.values.extend(vars);
    let mut emitter = Emitter::new(
        names,
        Analysis::default(),
        quote!(One),
        quote!(run.failures()),
    );
    let mut work = 0;
    for (index, phase) in phases.iter().enumerate() {
        match phase {
            Phase::Uniform(statements) => {
                row.extend(emitter.watch(statements));
                row.extend(emitter.block(statements));
                // Constants have no variable: phases write them anew.
                before.define(statements);
                row.extend(constants(names, statements));
                work += u64::from(cost(statements));
            }
            Phase::Fold {
                extents,
                vars,
                body,
                folds,
            } => {
                let part = part(names, index, phase, &before);
                items.extend(part.item());
                items.extend(part.fold(extents, vars, body, folds));
                let made = part.made();
                let run = match in_blocks == Some(index) {
                    true => quote!(run.fold_blocks(row, &#made)),
                    false => quote!(run.fold(&#made)),
                };
                row.extend(folded(&mut emitter, &part, index, &run, folds));
                before
                    .values
                    .extend(folds.iter().flat_map(|fold| &fold.results));
                work += u64::from(cost(body));
            }
            Phase::Each {
                extents,
                vars,
                body,
            } => {
                let part = part(names, index, phase, &before);
                items.extend(part.item());
                items.extend(part.each(extents, vars, body));
                let made = part.made();
                row.extend(quote!(run.each(&#made);));
                work += u64::from(cost(body));
            }
            Phase::Scan {
                extents,
                vars,
                body,
                folds,
                prefixes,
                each,
                after,
            } => {
                let part = part(names, index, phase, &before);
                items.extend(part.item());
                items.extend(part.fold(extents, vars, body, folds));
                items.extend(part.scan(vars, prefixes, each, after));
                row.extend(scanned(&mut emitter, &part, index, folds, after));
                let all = folds.iter().chain(after);
                before.values.extend(all.flat_map(|fold| &fold.results));
                work += u64::from(cost(body)) + u64::from(cost(each));
            }
        }
    }
    let rows = product(names, extents);
    let fields = bindings(names, &quote!(self), &SortedSet::new());
    let columns = longest(names, phases);
    let work = u32::try_from(work).unwrap_or(u32::MAX).max(1);
    let inlining = inlining(names);
    quote! {
        #items
        #attributes
        const _: () = {
            #imports
            impl Rows for #kernel {
                const COST: u32 = #work;
                fn size(&self) -> Size {
                    #fields
                    Size { rows: #rows, columns: #columns }
                }
                #inlining
                fn row<X: Execute>(&self, row: u64, run: X) {
                    #row
                }
            }
        };
    }
}

/// The points of the longest phase, where extents are known before the launch; a guess otherwise.
fn longest(names: Names<'_>, phases: &[Phase]) -> TokenStream {
    let constants = known_constants(phases);
    let mut tokens = quote!(1u64);
    for phase in phases {
        let (Phase::Fold { extents, .. }
        | Phase::Each { extents, .. }
        | Phase::Scan { extents, .. }) = phase
        else {
            continue;
        };
        let size = known_size(names, &constants, extents).unwrap_or_else(|| quote!(1024u64));
        tokens = quote!(::core::cmp::max(#tokens, #size));
    }
    tokens
}
