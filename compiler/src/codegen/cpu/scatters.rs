//! Scatters: implementations of the driver's trait `Scatter`.

use super::names::{Names, constant, scalar, vector};
use super::part::{Part, attributes, build, cost, imports, inlining};
use super::statements::Emitter;
use super::uniform::Analysis;
use crate::codegen::names::rust;
use crate::plan::body::{Fold, Op, Statement, Value};
use crate::plan::{Meeting, uses};
use crate::scalar::Scalar;
use crate::sorted::SortedSet;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The parts of the skeleton.
pub(super) struct Scatter<'k> {
    pub(super) extents: &'k [Value],
    pub(super) vars: &'k [Value],
    pub(super) body: &'k [Statement],
    pub(super) condition: Value,
    pub(super) index: Value,
    pub(super) fold: &'k Fold,
    pub(super) size: Value,
    pub(super) targets: &'k [usize],
    pub(super) meeting: &'k Meeting,
}

/// The kernel's implementations.
pub(super) fn scatter(names: Names<'_>, scatter: &Scatter<'_>) -> TokenStream {
    let name = names.kernel();
    let part = Part::of_kernel(names);
    let (imports, attributes, cost) = (imports(), attributes(), cost(scatter.body));
    let domain = part.domain(scatter.extents, scatter.vars);
    let (points, combine) = (points(&part, scatter), combine(&part, scatter));
    let leaves = scatter.fold.results.iter().map(|&value| names.leaf(value));
    let types: Vec<Ident> = leaves.clone().map(scalar).collect();
    let vectors: Vec<Ident> = leaves.clone().map(vector).collect();
    let identity = match &scatter.fold.known {
        Some(known) if *scatter.meeting == Meeting::Apart => {
            let values =
                (known.iter().zip(leaves)).filter_map(|(&op, leaf)| Scalar::identity(op, leaf));
            let values = values.map(constant);
            quote!(::core::option::Option::Some((#(#values,)*)))
        }
        _ => quote!(::core::option::Option::None),
    };
    let brings = brings(scatter).map(|values| {
        let values = values.into_iter().map(constant);
        quote!(const BRINGS: ::core::option::Option<Self::State> = ::core::option::Option::Some((#(#values,)*));)
    });
    let (size, build) = (names.value(scatter.size), build(names));
    let inlining = inlining(names);
    let targets: Vec<Ident> = scatter.targets.iter().map(|&at| names.buffer(at)).collect();
    let parts: Vec<Ident> = (0..targets.len())
        .map(|k| rust::several("leaf", k))
        .collect();
    let arrive = match scatter.meeting {
        Meeting::Once { met, site } => {
            let (met, site) = (names.buffer(*met), site.0);
            quote! {
                let bit = 1u32 << (at % 32);
                // SAFETY: there is a bit for each element, and its word is in the hands of this thread.
                let word = unsafe { &mut *self.#met.wrapping_add((at / 32) as usize) };
                if *word & bit != 0 {
                    failures.report(#site, [at as i64, 0]);
                }
                *word |= bit;
            }
        }
        Meeting::Apart | Meeting::Locked { .. } | Meeting::Never => TokenStream::new(),
    };
    quote! {
        #attributes
        const _: () = {
            #imports
            impl Scatter for #name {
                const COST: u32 = #cost;
                type State = (#(#types,)*);
                const IDENTITY: ::core::option::Option<Self::State> = #identity;
                #brings
                #domain
                #[inline(always)]
                fn targets(&self) -> u64 {
                    self.#size
                }
                #inlining
                fn points<L: Lanes>(
                    &self, outer: Self::Outer, first: u64, failures: &::accelerate::rt::Failure,
                ) -> (L::Mask, L::U64, (#(L::#vectors,)*)) {
                    #points
                }
                #[inline(always)]
                fn combine(
                    &self, left: Self::State, right: Self::State, failures: &::accelerate::rt::Failure,
                ) -> Self::State {
                    #combine
                }
                #[inline(always)]
                fn read(&self, at: u64) -> Self::State {
                    // SAFETY: below the number of targets.
                    unsafe { (#(*self.#targets.wrapping_add(at as usize),)*) }
                }
                #[inline(always)]
                fn write(&self, at: u64, (#(#parts,)*): Self::State) {
                    // SAFETY: below the number of targets.
                    unsafe { #(*self.#targets.wrapping_add(at as usize) = #parts;)* }
                }
                #[inline(always)]
                fn arrive(&self, at: u64, failures: &::accelerate::rt::Failure) {
                    #arrive
                }
            }
        };
        #attributes
        impl #name {
            fn launch(&self, failures: &::accelerate::rt::Failure) {
                ::accelerate::rt::cpu::scatter::<#build, _>(self, failures);
            }
        }
    }
}

/// What every point brings, if that is constant.
fn brings(scatter: &Scatter<'_>) -> Option<Vec<Scalar>> {
    let constant = |element: &Value| {
        scatter.body.iter().find_map(|statement| match statement {
            Statement::Let {
                value,
                op: Op::Constant(x),
            } if value == element => Some(*x),
            _ => None,
        })
    };
    scatter.fold.elements.iter().map(constant).collect()
}

/// What a point says.
fn points(part: &Part<'_>, scatter: &Scatter<'_>) -> TokenStream {
    let (mut emitter, start) = part.emitter(scatter.vars, scatter.body, None);
    let told = [
        &[scatter.condition, scatter.index][..],
        &scatter.fold.elements,
    ]
    .concat();
    for &value in &told {
        *emitter.uses.entry(value).or_default() += 1;
    }
    let code = emitter.block(scatter.body);
    let told: Vec<TokenStream> = told.iter().map(|&value| emitter.vectors(value)).collect();
    let (condition, index, elements) = (&told[0], &told[1], &told[2..]);
    quote! {
        #start
        #code
        (#condition, #index, (#(#elements,)*))
    }
}

/// The operator on one lane, and what of the body it needs: nothing of that depends on the point.
fn combine(part: &Part<'_>, scatter: &Scatter<'_>) -> TokenStream {
    let fold = scatter.fold;
    let mut statements = captured(scatter.body, fold);
    statements.extend(fold.combine.iter().cloned());
    let operands = fold.left.iter().chain(&fold.right).copied();
    let analysis = Analysis::new(operands, &statements);
    let mut emitter = Emitter::new(part.names, analysis, quote!(One), quote!(failures));
    emitter.uses = uses::counts(&statements);
    for &value in &fold.combined {
        *emitter.uses.entry(value).or_default() += 1;
    }
    let mut tokens = part.bindings();
    tokens.extend(emitter.watch(&statements));
    tokens.extend(quote! {
        let (left, right) = (State::of_one(left), State::of_one(right));
    });
    for (k, (&left, &right)) in fold.left.iter().zip(&fold.right).enumerate() {
        let k = proc_macro2::Literal::usize_unsuffixed(k);
        tokens.extend(emitter.bind(left, false, quote!(left.#k)));
        tokens.extend(emitter.bind(right, false, quote!(right.#k)));
    }
    tokens.extend(emitter.block(&statements));
    let combined = fold.combined.iter().map(|&value| emitter.vectors(value));
    quote! {
        #tokens
        State::one((#(#combined,)*))
    }
}

/// The statements of the body behind what the operator uses of it.
fn captured(body: &[Statement], fold: &Fold) -> Vec<Statement> {
    let mut needed: SortedSet<Value> = uses::free(&fold.combine);
    needed.extend(&fold.combined);
    let mut found = Vec::new();
    for statement in body.iter().rev() {
        let one = std::slice::from_ref(statement);
        if uses::defined(one)
            .iter()
            .any(|value| needed.contains(value))
        {
            needed.extend(uses::free(one));
            found.push(statement.clone());
        }
    }
    found.reverse();
    found
}
