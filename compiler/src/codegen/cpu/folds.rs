//! Reductions and scans of a row: implementations of the drivers' traits `Fold` and `Scan`.

use super::names::{constant, scalar, vector, zero};
use super::operations::binary;
use super::part::{Part, attributes, cost, imports, inlining};
use super::statements::{Emitter, Straight};
use super::uniform::Analysis;
use crate::codegen::names::rust;
use crate::plan::Prefix;
use crate::plan::body::{Fold, Statement, Value};
use crate::plan::uses;
use crate::scalar::Binary;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

/// Operations about an element that is gathered, up to which many lanes gain nothing.
const LIGHT: u32 = 32;

impl Part<'_> {
    /// What the reductions after a scan are: their types, identities, and operators.
    fn gathered(&self, after: &[Fold]) -> TokenStream {
        let leaf = |value: Value| self.names.leaf(value);
        let leaves = known(after).map(|(_, result)| scalar(leaf(result)));
        let vectors: Vec<Ident> = known(after)
            .map(|(_, result)| vector(leaf(result)))
            .collect();
        let identities =
            known(after).map(|(op, result)| constant(Fold::identity(op, leaf(result))));
        let combined = known(after).enumerate().map(|(k, (op, result))| {
            let k = Literal::usize_unsuffixed(k);
            binary(op, leaf(result), &quote!(left.#k), &quote!(right.#k))
        });
        quote! {
            type Gathered = (#(#leaves,)*);
            const NOTHING: Self::Gathered = (#(#identities,)*);
            #[inline(always)]
            fn gather<L: Lanes>(
                left: (#(L::#vectors,)*), right: (#(L::#vectors,)*),
            ) -> (#(L::#vectors,)*) {
                (#(#combined,)*)
            }
        }
    }

    /// The reductions of a phase, or what the scans of one are made of.
    pub(super) fn fold(
        &self,
        extents: &[Value],
        vars: &[Value],
        body: &[Statement],
        folds: &[Fold],
    ) -> TokenStream {
        let begin = |straight| {
            let (mut emitter, start) = self.emitter(vars, body, straight);
            emitter.live = Some(format_ident!("live"));
            for &element in folds.iter().flat_map(|fold| &fold.elements) {
                *emitter.uses.entry(element).or_default() += 1;
            }
            (emitter, start)
        };
        let given = |emitter: &Emitter<'_>| {
            let elements = folds.iter().flat_map(|fold| &fold.elements);
            let elements = elements.map(|&element| emitter.vectors(element));
            let elements: Vec<TokenStream> = elements.collect();
            quote!((#(#elements,)*))
        };
        let (mut emitter, otherwise) = begin(None);
        let code = emitter.block(body);
        let elements = given(&emitter);
        let otherwise = quote!(#otherwise #code #elements);
        let (mut emitter, start) = begin(Some(Straight::after(&emitter)));
        let code = emitter.block(body);
        let assumed = emitter
            .straight
            .take()
            .is_some_and(|straight| straight.assumed);
        let narrow = emitter.gathers && cost(body) <= LIGHT;
        let elements = given(&emitter);
        let straight = assumed.then(|| quote!('straight: { #start #code return #elements; }));
        let accumulate = match straight {
            Some(_) => None,
            None => self.accumulate(begin(None), body, folds),
        };
        // The operators: all operands vary.
        let combines: Vec<Statement> = folds.iter().flat_map(|fold| fold.combine.clone()).collect();
        let operands: Vec<Value> = folds
            .iter()
            .flat_map(|fold| fold.left.iter().chain(&fold.right))
            .copied()
            .collect();
        let analysis = Analysis::new(operands, &combines);
        let mut emitter = Emitter::new(self.names, analysis, quote!(L), quote!(failures));
        emitter.uses = uses::counts(&combines);
        for fold in folds {
            for &value in &fold.combined {
                *emitter.uses.entry(value).or_default() += 1;
            }
        }
        let mut combine = self.bindings();
        combine.extend(emitter.watch(&combines));
        if uses::checks(&combines) {
            emitter.live = Some(format_ident!("live"));
        }
        let lefts = folds.iter().flat_map(|fold| &fold.left);
        let rights = folds.iter().flat_map(|fold| &fold.right);
        for (k, (&left, &right)) in lefts.zip(rights).enumerate() {
            let k = Literal::usize_unsuffixed(k);
            combine.extend(emitter.bind(left, false, quote!(left.#k)));
            combine.extend(emitter.bind(right, false, quote!(right.#k)));
        }
        combine.extend(emitter.block(&combines));
        let combined: Vec<TokenStream> = folds
            .iter()
            .flat_map(|fold| &fold.combined)
            .map(|&value| emitter.vectors(value))
            .collect();
        let leaves = folds
            .iter()
            .flat_map(|fold| &fold.results)
            .map(|&value| scalar(self.names.leaf(value)));
        let vectors: Vec<Ident> = folds
            .iter()
            .flat_map(|fold| &fold.results)
            .map(|&value| vector(self.names.leaf(value)))
            .collect();
        let commutes = folds
            .iter()
            .all(|fold| fold.commutes || fold.known.is_some());
        let (name, domain, imports) = (&self.name, self.domain(extents, vars), imports());
        let (attributes, cost) = (attributes(), cost(body));
        let inlining = inlining(self.names);
        quote! {
            #attributes
            const _: () = {
                #imports
                impl Fold for #name {
                    const COST: u32 = #cost;
                    const COMMUTES: bool = #commutes;
                    const NARROW: bool = #narrow;
                    type State = (#(#leaves,)*);
                    #domain
                    #inlining
                    fn element<L: Lanes>(
                        &self, outer: Self::Outer, first: u64, live: L::Mask, failures: &::accelerate::rt::Failure,
                    ) -> (#(L::#vectors,)*) {
                        #straight
                        #otherwise
                    }
                    #accumulate
                    #[inline(always)]
                    fn combine<L: Lanes>(
                        &self, left: (#(L::#vectors,)*), right: (#(L::#vectors,)*), live: L::Mask,
                        failures: &::accelerate::rt::Failure,
                    ) -> (#(L::#vectors,)*) {
                        #combine
                        (#(#combined,)*)
                    }
                }
            };
        }
    }

    /// A state and elements, where a sum among the operators takes a product as it is.
    fn accumulate(
        &self,
        (mut emitter, start): (Emitter<'_>, TokenStream),
        body: &[Statement],
        folds: &[Fold],
    ) -> Option<TokenStream> {
        let is_float = |value: Value| self.names.leaf(value).is_float();
        let product = |fold: &Fold, k| fold.factors(k, is_float(fold.results[k]), body);
        let products: Vec<_> = folds
            .iter()
            .flat_map(|fold| (0..fold.results.len()).map(|k| product(fold, k)))
            .collect();
        let are_known = folds.iter().all(|fold| fold.known.is_some());
        if !are_known || products.iter().all(Option::is_none) {
            return None;
        }
        let code = emitter.block(body);
        let elements = folds.iter().flat_map(|fold| &fold.elements);
        let operands = known(folds).zip(elements).zip(&products).enumerate();
        let combined = operands.map(|(k, (((op, result), &element), product))| {
            let k = Literal::usize_unsuffixed(k);
            match product {
                Some((a, b)) => {
                    let (a, b) = (emitter.vectors(*a), emitter.vectors(*b));
                    quote!(Float::fused(#a, #b, state.#k))
                }
                None => {
                    let element = emitter.vectors(element);
                    binary(op, self.names.leaf(result), &quote!(state.#k), &element)
                }
            }
        });
        let vectors = known(folds).map(|(_, result)| vector(self.names.leaf(result)));
        let vectors: Vec<Ident> = vectors.collect();
        let inlining = inlining(self.names);
        Some(quote! {
            #inlining
            fn accumulate<L: Lanes>(
                &self, outer: Self::Outer, first: u64, state: (#(L::#vectors,)*), failures: &::accelerate::rt::Failure,
            ) -> (#(L::#vectors,)*) {
                let live = <<L as Lanes>::Mask as Value>::splat(true);
                #start
                #code
                (#(#combined,)*)
            }
        })
    }

    /// What a scan does at each point.
    pub(super) fn scan(
        &self,
        vars: &[Value],
        prefixes: &[Prefix],
        each: &[Statement],
        after: &[Fold],
    ) -> TokenStream {
        let all = |of: fn(&Prefix) -> &Vec<Value>| prefixes.iter().flat_map(of).copied();
        let through: Vec<Value> = all(|prefix| &prefix.through).collect();
        let varying = through.iter().copied().chain(all(|prefix| &prefix.before));
        let analysis = Analysis::new(vars.iter().copied().chain(varying), each);
        let mut emitter = Emitter::new(self.names, analysis, quote!(L), quote!(failures));
        emitter.constants = self.bits();
        let mut start = self.bindings();
        emitter.bind_progression(vars[0], quote!(first));
        emitter.uses = uses::counts(each);
        let elements = after.iter().flat_map(|fold| &fold.elements);
        for &element in elements.clone() {
            *emitter.uses.entry(element).or_default() += 1;
        }
        emitter.past = true;
        start.extend(emitter.watch(each));
        let mut k = 0;
        for prefix in prefixes {
            for leaf in 0..prefix.through.len() {
                let component = Literal::usize_unsuffixed(k);
                start.extend(emitter.bind(prefix.through[leaf], false, quote!(through.#component)));
                if let Some(&value) = prefix.before.get(leaf) {
                    start.extend(emitter.bind(value, false, quote!(before.#component)));
                }
                k += 1;
            }
        }
        let code = emitter.block(each);
        let elements: Vec<TokenStream> = elements.map(|&value| emitter.vectors(value)).collect();
        let gathered = self.gathered(after);
        let vectors: Vec<Ident> = through
            .iter()
            .map(|&value| vector(self.names.leaf(value)))
            .collect();
        let before = prefixes.iter().any(|prefix| !prefix.before.is_empty());
        let (name, imports, attributes) = (&self.name, imports(), attributes());
        let inlining = inlining(self.names);
        quote! {
            #attributes
            const _: () = {
                #imports
                impl Scan for #name {
                    const BEFORE: bool = #before;
                    #gathered
                    #inlining
                    fn at<L: Lanes>(
                        &self, first: u64, through: (#(L::#vectors,)*), before: (#(L::#vectors,)*),
                        past: bool, failures: &::accelerate::rt::Failure,
                    ) -> <Self::Gathered as State>::Of<L> {
                        #start
                        #code
                        (#(#elements,)*)
                    }
                }
            };
        }
    }
}

/// The known operators of folds, by result.
fn known(folds: &[Fold]) -> impl Iterator<Item = (Binary, Value)> {
    let known = |fold: &Fold| fold.known.clone().expect("known operators");
    folds
        .iter()
        .flat_map(move |fold| known(fold).into_iter().zip(fold.results.clone()))
}

/// Runs a `Fold` phase and lets its results be.
pub(super) fn folded(
    emitter: &mut Emitter<'_>,
    part: &Part<'_>,
    index: usize,
    run: &TokenStream,
    folds: &[Fold],
) -> TokenStream {
    let state = rust::several("state", index);
    let mut tokens = quote!(let #state = #run;);
    tokens.extend(results(emitter, part, &state, folds));
    tokens
}

/// Runs a `Scan` phase and lets its results be.
pub(super) fn scanned(
    emitter: &mut Emitter<'_>,
    part: &Part<'_>,
    index: usize,
    folds: &[Fold],
    after: &[Fold],
) -> TokenStream {
    let made = part.made();
    let [state, gathered] = ["state", "gathered"].map(|name| rust::several(name, index));
    let mut tokens = quote!(let (#state, #gathered) = run.scan(&#made););
    tokens.extend(results(emitter, part, &state, folds));
    if !after.is_empty() {
        tokens.extend(quote!(let #gathered = ::core::option::Option::Some(#gathered);));
        tokens.extend(results(emitter, part, &gathered, after));
    }
    tokens
}

/// The results of folds, from a state if there were elements.
fn results(
    emitter: &mut Emitter<'_>,
    part: &Part<'_>,
    state: &Ident,
    folds: &[Fold],
) -> TokenStream {
    let mut tokens = TokenStream::new();
    let mut k = 0;
    for fold in folds {
        let mut some = TokenStream::new();
        let mut components = Vec::new();
        for (n, _) in fold.results.iter().enumerate() {
            let component = Literal::usize_unsuffixed(k + n);
            components.push(quote!(state.#component));
        }
        k += fold.results.len();
        let (given, missing): (Vec<TokenStream>, Vec<TokenStream>) = match &fold.initial {
            None => {
                let zeros = fold
                    .results
                    .iter()
                    .map(|&result| zero(part.names.leaf(result)));
                (components, zeros.collect())
            }
            Some(initial) => {
                let initial: Vec<TokenStream> =
                    initial.iter().map(|&value| emitter.scalar(value)).collect();
                for (n, component) in components.into_iter().enumerate() {
                    some.extend(emitter.bind(fold.left[n], true, initial[n].clone()));
                    some.extend(emitter.bind(fold.right[n], true, component));
                }
                some.extend(emitter.block(&fold.combine));
                let combined = fold
                    .combined
                    .iter()
                    .map(|&value| emitter.scalar(value))
                    .collect();
                (combined, initial)
            }
        };
        let names: Vec<Ident> = fold
            .results
            .iter()
            .map(|&result| emitter.bind_uniform(result))
            .collect();
        tokens.extend(quote! {
            let (#(#names,)*) = match #state {
                Some(state) => { #some (#(#given,)*) }
                None => (#(#missing,)*),
            };
        });
    }
    tokens
}
