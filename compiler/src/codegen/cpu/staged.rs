//! Staged kernels: rows in the driver's `rows`, whose stages are like the phases of other rows, over arrays on the stack.

use super::names::{Names, scalar, zero};
use super::part::{
    Known, Part, attributes, bindings, build, constants, coordinates, cost, imports, inlining,
    product,
};
use super::statements::Emitter;
use super::uniform::Analysis;
use crate::plan::body::Value;
use crate::plan::{Room, Stage, uses};
use crate::sorted::SortedSet;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

/// The parts of the skeleton.
pub(super) struct Staged<'k> {
    pub(super) extents: &'k [Value],
    pub(super) vars: &'k [Value],
    pub(super) rooms: &'k [Room],
    pub(super) stages: &'k [Stage],
    pub(super) points: u64,
}

/// A row under construction.
struct Row<'k> {
    names: Names<'k>,
    emitter: Emitter<'k>,
    /// The structs of the stages over elements.
    items: TokenStream,
    count: usize,
    /// Operations per point.
    work: u64,
    /// Whether anything can fail: the row is left after the stage in which it does.
    checks: bool,
}

/// The kernel's implementations.
pub(super) fn staged(names: Names<'_>, staged: &Staged<'_>) -> TokenStream {
    let (kernel, attributes, imports, build) =
        (names.kernel(), attributes(), imports(), build(names));
    let inlining = inlining(names);
    let fields = bindings(names, &quote!(self), &SortedSet::new());
    let mut row = Row {
        names,
        emitter: Emitter::new(
            names,
            Analysis::default(),
            quote!(One),
            quote!(run.failures()),
        ),
        items: TokenStream::new(),
        count: 0,
        work: 0,
        checks: checks(staged.stages),
    };
    let arrays = staged.rooms.iter().zip(names.rooms());
    let arrays = arrays.map(|(room, pointer)| {
        let zero = zero(room.leaf);
        let length = Literal::u64_unsuffixed(room.length);
        quote! {
            let mut #pointer = [#zero; #length];
            let mut #pointer = #pointer.as_mut_ptr();
        }
    });
    let at = coordinates(names, &quote!(row), staged.extents, staged.vars);
    let mut before = Known::default();
    before.values.extend(staged.vars);
    let mut stages = row.stages(staged.stages, before);
    if row.checks {
        stages = quote! {
            let (all, own) = (run, ::accelerate::rt::Failure::default());
            let run = all.reporting(&own);
            'row: { #stages }
            if let ::core::option::Option::Some(found) = own.found() {
                all.failures().report(found.site, found.values);
            }
        };
    }
    let (items, points) = (row.items, staged.points);
    let work = u32::try_from(row.work).unwrap_or(u32::MAX).max(1);
    let rows = product(names, staged.extents);
    let driver = match staged.extents {
        [] => quote!(row),
        _ => quote!(rows),
    };
    quote! {
        #items
        #attributes
        const _: () = {
            #imports
            impl Rows for #kernel {
                const COST: u32 = #work;
                fn size(&self) -> Size {
                    #fields
                    Size { rows: #rows, columns: #points }
                }
                #inlining
                fn row<X: Execute>(&self, row: u64, run: X) {
                    #fields
                    #at
                    #(#arrays)*
                    #stages
                }
            }
        };
        #attributes
        impl #kernel {
            fn launch(&self, failures: &::accelerate::rt::Failure) {
                ::accelerate::rt::cpu::#driver::<#build, _>(self, failures);
            }
        }
    }
}

impl Row<'_> {
    /// A list of stages, after which its values are gone; those in `before` are known.
    fn stages(&mut self, stages: &[Stage], mut before: Known) -> TokenStream {
        let names = self.names;
        let mut tokens = TokenStream::new();
        for stage in stages {
            match stage {
                Stage::Uniform(statements) => {
                    tokens.extend(self.emitter.watch(statements));
                    tokens.extend(self.emitter.block(statements));
                    before.define(statements);
                    // Constants have no variable: stages over elements write them anew.
                    tokens.extend(constants(names, statements));
                    self.work += u64::from(cost(statements));
                }
                Stage::Each {
                    extents,
                    vars,
                    body,
                } => {
                    let mut used = uses::free(body);
                    used.extend(extents);
                    let part = Part::of_phase(names, self.count, &used, &before);
                    self.count += 1;
                    self.items.extend(part.item());
                    self.items.extend(part.each(extents, vars, body));
                    self.work += u64::from(cost(body));
                    let (name, kernel) = (&part.name, names.kernel());
                    let rooms = names.rooms();
                    let captured = part.captured.iter().map(|&value| names.value(value));
                    let leave = (self.checks).then(|| {
                        quote!(if own.found().is_some() {
                            break 'row;
                        })
                    });
                    tokens.extend(quote! {
                        run.each(&#name { kernel: #kernel { #(#rooms,)* ..*self }, #(#captured,)* });
                        #leave
                    });
                }
                Stage::Swap(a, b) => {
                    let (a, b) = (names.buffer(*a), names.buffer(*b));
                    tokens.extend(quote!(::core::mem::swap(&mut #a, &mut #b);));
                }
                Stage::Rounds {
                    state,
                    test,
                    condition,
                    body,
                } => {
                    for carry in state {
                        let ty = scalar(names.leaf(carry.state));
                        let initial = self.emitter.scalar(carry.initial);
                        let name = self.emitter.bind_uniform(carry.state);
                        tokens.extend(quote!(let mut #name: #ty = #initial;));
                    }
                    before.values.extend(state.iter().map(|carry| carry.state));
                    let test = self.emitter.block(test);
                    let holds = self.emitter.scalar(*condition);
                    let body = self.stages(body, before.clone());
                    let states: Vec<Ident> = (state.iter())
                        .map(|carry| names.value(carry.state))
                        .collect();
                    let nexts = state.iter().map(|carry| self.emitter.scalar(carry.next));
                    tokens.extend(quote! {
                        loop {
                            #test
                            if !#holds { break; }
                            #body
                            (#(#states,)*) = (#(#nexts,)*);
                        }
                    });
                }
            }
        }
        tokens
    }
}

fn checks(stages: &[Stage]) -> bool {
    stages.iter().any(|stage| match stage {
        Stage::Uniform(body) | Stage::Each { body, .. } => uses::checks(body),
        Stage::Swap(..) => false,
        Stage::Rounds { test, body, .. } => uses::checks(test) || checks(body),
    })
}
