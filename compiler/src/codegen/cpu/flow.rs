//! Branches, loops and reductions inside a body.
//!
//! Where lanes agree they are Rust's own. Where they do not, masks say which lanes are live; a side or a round that
//! no lane needs is skipped.

use super::names::{constant, zero};
use super::search;
use super::statements::{Emitter, Held};
use crate::plan::body::{Carry, Fold, Join, Op, Statement, Value};
use crate::plan::uses;
use crate::scalar::{Leaf, Scalar};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// Whether a side is so cheap that computing it costs less than asking who needs it.
fn cheap(statements: &[Statement]) -> bool {
    let call = |op: &Op| matches!(op, Op::Math(f, _) if !f.is_relaxed());
    let plain = |statement: &Statement| matches!(statement, Statement::Let { op, .. } if !call(op));
    statements.iter().all(plain) && uses::cost(statements) <= 8
}

impl Emitter<'_> {
    pub(super) fn branch(
        &mut self,
        condition: Value,
        then: &[Statement],
        otherwise: &[Statement],
        results: &[Join],
    ) -> TokenStream {
        let uniform: Vec<bool> = results
            .iter()
            .map(|join| !self.analysis.varies(join.result))
            .collect();
        if self.is_uniform(condition) {
            let test = self.scalar(condition);
            let mut side = |statements: &[Statement], value: fn(&Join) -> Value| {
                let block = self.block(statements);
                let values = results
                    .iter()
                    .zip(&uniform)
                    .map(|(join, &uniform)| self.as_held(value(join), uniform));
                quote!({ #block (#(#values,)*) })
            };
            let (then, otherwise) = (
                side(then, |join| join.then),
                side(otherwise, |join| join.otherwise),
            );
            let types: Vec<TokenStream> = results
                .iter()
                .zip(&uniform)
                .map(|(join, &uniform)| self.type_of(join.result, uniform))
                .collect();
            let names: Vec<Ident> = results
                .iter()
                .zip(&uniform)
                .map(|(join, &uniform)| match uniform {
                    true => self.bind_uniform(join.result),
                    false => self.bind_lanes(join.result),
                })
                .collect();
            return quote!(let (#(#names,)*): (#(#types,)*) = if #test #then else #otherwise;);
        }
        let lanes = self.lanes.clone();
        let test = self.vectors(condition);
        let outer = self.live.clone();
        let all = || quote!(<<#lanes as Lanes>::Mask as Value>::splat(true));
        let live = outer.as_ref().map_or_else(all, |live| quote!(#live));
        let (taken, left) = (self.temporary("then"), self.temporary("otherwise"));
        let mut tokens = quote! {
            let #taken = Mask::and(#live, #test);
            let #left = Mask::but_not(#live, #test);
        };
        let mut sides = Vec::new();
        for (mask, statements, value) in [
            (taken, then, (|join| join.then) as fn(&Join) -> Value),
            (left, otherwise, |join| join.otherwise),
        ] {
            self.live = Some(mask.clone());
            let block = self.block(statements);
            self.live = outer.clone();
            let values: Vec<TokenStream> = results
                .iter()
                .map(|join| self.vectors(value(join)))
                .collect();
            let names: Vec<Ident> = results.iter().map(|_| self.temporary("side")).collect();
            let types: Vec<TokenStream> = results
                .iter()
                .map(|join| self.type_of(join.result, false))
                .collect();
            if cheap(statements) {
                tokens
                    .extend(quote!(let (#(#names,)*): (#(#types,)*) = { #block (#(#values,)*) };));
            } else {
                let zeros = results.iter().map(|join| {
                    let (vector, zero) = (
                        self.type_of(join.result, false),
                        zero(self.leaf(join.result)),
                    );
                    quote!(<#vector as Value>::splat(#zero))
                });
                tokens.extend(quote! {
                    let (#(#names,)*): (#(#types,)*) = if Mask::any(#mask) { #block (#(#values,)*) } else { (#(#zeros,)*) };
                });
            }
            sides.push(names);
        }
        for (k, join) in results.iter().enumerate() {
            let (a, b) = (&sides[0][k], &sides[1][k]);
            tokens.extend(self.bind(join.result, false, quote!(Value::select(#test, #a, #b))));
        }
        tokens
    }

    pub(super) fn a_loop(
        &mut self,
        state: &[Carry],
        test: &[Statement],
        condition: Value,
        body: &[Statement],
    ) -> TokenStream {
        let search = search::find(state, test, condition, body, &self.constants);
        if let Some(tokens) = search
            .as_ref()
            .and_then(|search| self.shared(state, search))
        {
            return tokens;
        }
        let masked = self.analysis.varies(condition);
        let inside: Vec<bool> = state
            .iter()
            .map(|carry| !self.analysis.inside(carry.state))
            .collect();
        let kept: Vec<bool> = state
            .iter()
            .map(|carry| self.read_after(carry.state, state, test, body, condition))
            .collect();
        let lanes = self.lanes.clone();
        let mut tokens = TokenStream::new();
        let near = search.and_then(|search| self.near(state, &search));
        let begins = near.map(|(found, names)| {
            tokens.extend(found);
            names
        });
        for (k, (carry, &uniform)) in state.iter().zip(&inside).enumerate() {
            let ty = self.type_of(carry.state, uniform);
            let initial = match &begins {
                Some(names) => {
                    let name = &names[k];
                    match uniform {
                        true => quote!(#name),
                        false => quote!(<#ty as Value>::splat(#name)),
                    }
                }
                None => self.as_held(carry.initial, uniform),
            };
            let name = self.names.value(carry.state);
            tokens.extend(quote!(let mut #name: #ty = #initial;));
        }
        // The value with which each lane left, of states that are uniform in a round.
        let mut exits = Vec::new();
        for (k, carry) in state.iter().enumerate() {
            if masked && inside[k] && kept[k] {
                let (exit, ty) = (self.temporary("exit"), self.type_of(carry.state, false));
                let name = self.names.value(carry.state);
                tokens.extend(quote!(let mut #exit: #ty = <#ty as Value>::splat(#name);));
                exits.push(Some(exit));
            } else {
                exits.push(None);
            }
        }
        for (carry, &uniform) in state.iter().zip(&inside) {
            match uniform {
                true => self.bind_uniform(carry.state),
                false => self.bind_lanes(carry.state),
            };
        }
        let outer = self.live.clone();
        let mut live = None;
        if masked {
            let mask = self.temporary("live");
            let all = || quote!(<<#lanes as Lanes>::Mask as Value>::splat(true));
            let initial = outer.as_ref().map_or_else(all, |live| quote!(#live));
            tokens.extend(quote!(let mut #mask: <#lanes as Lanes>::Mask = #initial;));
            self.live = Some(mask.clone());
            live = Some(mask);
        }
        let test = self.block(test);
        let leave = match &live {
            Some(live) => {
                let holds = self.vectors(condition);
                let failed = self
                    .failed
                    .as_ref()
                    .map(|failed| quote!(#live = Mask::but_not(#live, #failed);));
                quote! {
                    #live = Mask::and(#live, #holds);
                    #failed
                    if !Mask::any(#live) { break; }
                }
            }
            None => {
                let holds = self.scalar(condition);
                let failed = self.failed.as_ref().map(|failed| {
                    let failed = match &outer {
                        Some(live) => quote!(Mask::or(#failed, Mask::not(#live))),
                        None => quote!(#failed),
                    };
                    quote!(if Mask::all(#failed) { break; })
                });
                quote!(if !#holds { break; } #failed)
            }
        };
        let body = self.block(body);
        let mut next = TokenStream::new();
        let mut assign = TokenStream::new();
        for (k, carry) in state.iter().enumerate() {
            let (name, new) = (self.names.value(carry.state), self.temporary("next"));
            let (value, ty) = (
                self.as_held(carry.next, inside[k]),
                self.type_of(carry.state, inside[k]),
            );
            next.extend(quote!(let #new: #ty = #value;));
            match (&live, &exits[k]) {
                (Some(live), Some(exit)) => {
                    let ty = self.type_of(carry.state, false);
                    assign.extend(quote! {
                        #exit = <#ty as Value>::select(#live, <#ty as Value>::splat(#new), #exit);
                        #name = #new;
                    });
                }
                // States that nothing reads after the loop may hold anything in lanes that have left.
                (Some(live), None) if !inside[k] && kept[k] => {
                    assign.extend(quote!(#name = <#ty as Value>::select(#live, #new, #name);));
                }
                _ => assign.extend(quote!(#name = #new;)),
            }
        }
        self.live = outer;
        tokens.extend(quote!(loop { #test #leave #body #next #assign }));
        for (carry, exit) in state.iter().zip(exits) {
            if let Some(exit) = exit {
                self.held.insert(carry.state, Held::Lanes(quote!(#exit)));
            }
        }
        tokens
    }

    /// Whether anything but the loop itself uses the state.
    fn read_after(
        &self,
        value: Value,
        state: &[Carry],
        test: &[Statement],
        body: &[Statement],
        condition: Value,
    ) -> bool {
        let mut within = uses::count(test, value) + uses::count(body, value);
        within += usize::from(condition == value);
        for carry in state {
            within += usize::from(carry.initial == value) + usize::from(carry.next == value);
        }
        self.uses.get(&value).copied().unwrap_or(0) > within
    }

    pub(super) fn fold(
        &mut self,
        extents: &[Value],
        vars: &[Value],
        body: &[Statement],
        folds: &[Fold],
    ) -> TokenStream {
        let lanes = self.lanes.clone();
        let all = || quote!(<<#lanes as Lanes>::Mask as Value>::splat(true));
        let masked = extents.iter().any(|&extent| !self.is_uniform(extent));
        let mut tokens = TokenStream::new();
        // The accumulators.
        let mut states = Vec::new();
        for fold in folds {
            let uniform = !fold
                .results
                .iter()
                .chain(&fold.left)
                .any(|&value| self.analysis.varies(value));
            let identities: Option<Vec<Scalar>> = fold.known.as_ref().and_then(|known| {
                let leaves = known.iter().zip(&fold.results);
                leaves
                    .map(|(&op, &result)| Scalar::identity(op, self.leaf(result)))
                    .collect()
            });
            let started = match (&fold.initial, &identities) {
                (None, None) => Some(self.temporary("started")),
                _ => None,
            };
            if let Some(started) = &started {
                let none = match masked {
                    true => quote!(<<#lanes as Lanes>::Mask as Value>::splat(false)),
                    false => quote!(false),
                };
                tokens.extend(quote!(let mut #started = #none;));
            }
            let mut accumulators = Vec::new();
            for (k, &result) in fold.results.iter().enumerate() {
                let (accumulator, ty) = (self.temporary("folded"), self.type_of(result, uniform));
                let initial = match (&fold.initial, &identities) {
                    (Some(initial), _) => self.as_held(initial[k], uniform),
                    (None, identities) => {
                        let zero = zero(self.leaf(result));
                        let start = identities
                            .as_ref()
                            .map_or(zero, |identities| constant(identities[k]));
                        match uniform {
                            true => start,
                            false => quote!(<#ty as Value>::splat(#start)),
                        }
                    }
                };
                tokens.extend(quote!(let mut #accumulator: #ty = #initial;));
                accumulators.push(accumulator);
            }
            states.push((uniform, started, accumulators));
        }
        // The loops, from the outermost.
        let outer = self.live.clone();
        let mut heads = Vec::new();
        for (&extent, &var) in extents.iter().zip(vars) {
            if self.is_uniform(extent) {
                let (bound, name) = (self.scalar(extent), self.bind_uniform(var));
                heads.push((quote!(for #name in 0..#bound), TokenStream::new()));
            } else {
                let live = self.live.as_ref().map_or_else(all, |live| quote!(#live));
                let (bound, name, mask) = (
                    self.vectors(extent),
                    self.bind_uniform(var),
                    self.temporary("live"),
                );
                let vector = self.vector(Leaf::U64);
                heads.push((
                    quote!(for #name in 0..greatest::<#lanes>(#bound, #live)),
                    quote! {
                        let #mask = Mask::and(#live, Number::lt(<#vector as Value>::splat(#name), #bound));
                    },
                ));
                self.live = Some(mask);
            }
        }
        let mut inner = self.block(body);
        for (fold, (uniform, started, accumulators)) in folds.iter().zip(&states) {
            let mut step = TokenStream::new();
            for (k, accumulator) in accumulators.iter().enumerate() {
                let element = self.as_held(fold.elements[k], *uniform);
                step.extend(self.bind(fold.right[k], *uniform, element));
                step.extend(self.bind(fold.left[k], *uniform, quote!(#accumulator)));
            }
            let combine = self.block(&fold.combine_in_order(vars));
            let mut assign = TokenStream::new();
            let mut first = TokenStream::new();
            for (k, accumulator) in accumulators.iter().enumerate() {
                let is_float = self.leaf(fold.results[k]).is_float();
                let combined = match fold.factors(k, is_float && !uniform, body) {
                    Some((a, b)) => {
                        let (a, b) = (self.vectors(a), self.vectors(b));
                        quote!(Float::fused(#a, #b, #accumulator))
                    }
                    None => self.as_held(fold.combined[k], *uniform),
                };
                let right = self.as_held(fold.right[k], *uniform);
                let live = if masked { self.live.clone() } else { None };
                assign.extend(match (&live, started) {
                    (None, _) => quote!(#accumulator = #combined;),
                    (Some(live), None) => quote!(#accumulator = Value::select(#live, #combined, #accumulator);),
                    (Some(live), Some(started)) => quote! {
                        #accumulator = Value::select(#live, Value::select(#started, #combined, #right), #accumulator);
                    },
                });
                first.extend(quote!(#accumulator = #right;));
            }
            inner.extend(match started {
                Some(started) if !masked => quote!({
                    #step
                    if #started { #combine #assign } else { #first #started = true; }
                }),
                Some(started) => {
                    let live = self.live.clone();
                    quote!({ #step #combine #assign #started = Mask::or(#started, #live); })
                }
                None => quote!({ #step #combine #assign }),
            });
        }
        self.live = outer;
        for (head, start) in heads.into_iter().rev() {
            inner = quote!(#head { #start #inner });
        }
        tokens.extend(inner);
        for (fold, (uniform, _, accumulators)) in folds.iter().zip(&states) {
            for (&result, accumulator) in fold.results.iter().zip(accumulators) {
                tokens.extend(self.bind(result, *uniform, quote!(#accumulator)));
            }
        }
        tokens
    }
}
