//! Skeletons: implementations of the drivers' traits `Each` and `Rows`.

use super::folds::{folded, scanned};
use super::names::{Names, scalar};
use super::rows::lanes_along_rows;
use super::statements::{Emitter, Straight};
use super::tiles;
use super::uniform::Analysis;
use crate::plan::body::{Fold, Statement, Value};
use crate::plan::tiles::{Inner, Tiles};
use crate::plan::uses;
use crate::plan::{Phase, Points};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn attributes() -> TokenStream {
    quote!(#[allow(unused, non_camel_case_types, non_snake_case, clippy::all)])
}

/// Which versions of a kernel there are: the user's build decides.
pub(super) fn build() -> TokenStream {
    quote!(::accelerate::rt::cpu::Build<{ ::core::cfg!(debug_assertions) }>)
}

pub(super) fn imports() -> TokenStream {
    quote! {
        use ::accelerate::rt::cpu::*;
        use ::accelerate::rt::lanes::*;
        use ::accelerate::rt::math::{Functions, rsqrt};
    }
}

/// Binds the kernel's pointers and scalars, found at `path`, and the captured values of `self`.
pub(super) fn bindings(
    names: Names<'_>,
    path: &TokenStream,
    captured: &BTreeSet<Value>,
) -> TokenStream {
    let buffers = (0..names.kernel.buffers.len()).map(|k| names.buffer(k));
    let scalars = names.kernel.scalars.iter().map(|&value| names.value(value));
    let fields: Vec<Ident> = buffers.chain(names.rooms()).chain(scalars).collect();
    let captured: Vec<Ident> = captured.iter().map(|&value| names.value(value)).collect();
    quote! {
        #(let #fields = #path.#fields;)*
        #(let #captured = self.#captured;)*
    }
}

/// A struct that implements one of the traits.
pub(super) struct Part<'k> {
    pub(super) names: Names<'k>,
    pub(super) name: Ident,
    /// Where the kernel is, from `self`.
    pub(super) path: TokenStream,
    /// Values of earlier phases, and coordinates of the row.
    pub(super) captured: BTreeSet<Value>,
}

/// A product of extents.
pub(super) fn product(names: Names<'_>, extents: &[Value]) -> TokenStream {
    let extents = extents.iter().map(|&extent| names.value(extent));
    quote!(1u64 #(.wrapping_mul(#extents))*)
}

/// Lets `vars` be the coordinates of the flat index `flat` in `extents`.
pub(super) fn coordinates(
    names: Names<'_>,
    flat: &TokenStream,
    extents: &[Value],
    vars: &[Value],
) -> TokenStream {
    let mut tokens = quote!(let rest: u64 = #flat;);
    for (k, (&extent, &var)) in extents.iter().zip(vars).enumerate().rev() {
        let (extent, var) = (names.value(extent), names.value(var));
        tokens.extend(match k {
            0 => quote!(let #var: u64 = rest;),
            _ => quote!(let #var: u64 = rest % #extent; let rest: u64 = rest / #extent;),
        });
    }
    tokens
}

impl<'k> Part<'k> {
    /// The kernel itself.
    pub(super) fn of_kernel(names: Names<'k>) -> Part<'k> {
        Part {
            names,
            name: names.kernel(),
            path: quote!(self),
            captured: BTreeSet::new(),
        }
    }

    pub(super) fn bindings(&self) -> TokenStream {
        bindings(self.names, &self.path, &self.captured)
    }

    /// `Outer`, `size` and `outer`, which `Each` and `Fold` have alike.
    pub(super) fn domain(&self, extents: &[Value], vars: &[Value]) -> TokenStream {
        let names = self.names;
        let bindings = self.bindings();
        let (rows, columns) = match extents.split_last() {
            None => (quote!(1), quote!(1)),
            Some((last, outer)) => {
                let last = names.value(*last);
                (product(names, outer), quote!(#last))
            }
        };
        let outer = &vars[..vars.len().saturating_sub(1)];
        let coordinates = coordinates(names, &quote!(row), &extents[..outer.len()], outer);
        let outer: Vec<Ident> = outer.iter().map(|&var| names.value(var)).collect();
        let types = outer.iter().map(|_| quote!(u64));
        quote! {
            type Outer = (#(#types,)*);
            #[inline(always)]
            fn size(&self) -> Size {
                #bindings
                Size { rows: #rows, columns: #columns }
            }
            #[inline(always)]
            fn outer(&self, row: u64) -> Self::Outer {
                #bindings
                #coordinates
                (#(#outer,)*)
            }
        }
    }

    /// An emitter for a method over `L` at the points `first..` of the last of `vars`.
    pub(super) fn emitter(
        &self,
        vars: &[Value],
        statements: &[Statement],
    ) -> (Emitter<'k>, TokenStream) {
        let analysis = Analysis::new(vars.last().copied(), statements);
        let mut emitter = Emitter::new(self.names, analysis, quote!(L), quote!(failures));
        let mut start = self.bindings();
        if let Some((&last, outer)) = vars.split_last() {
            let outer = outer.iter().map(|&var| self.names.value(var));
            start.extend(quote!(let (#(#outer,)*) = outer;));
            emitter.bind_progression(last, quote!(first));
        }
        emitter.uses = uses::counts(statements);
        start.extend(emitter.watch(statements));
        (emitter, start)
    }

    pub(super) fn each(
        &self,
        extents: &[Value],
        vars: &[Value],
        body: &[Statement],
    ) -> TokenStream {
        let (mut emitter, start) = self.emitter(vars, body);
        emitter.straight = Some(Straight::default());
        let turns = |emitter: &mut Emitter<'_>| {
            if let Some(&last) = vars.last() {
                emitter.find_turns(last, body);
            }
        };
        turns(&mut emitter);
        let code = emitter.block(body);
        let straight = (emitter.straight.take())
            .filter(|straight| straight.assumed)
            .map(|_| quote!('straight: { #start #code return; }));
        let (mut emitter, start) = self.emitter(vars, body);
        turns(&mut emitter);
        let code = emitter.block(body);
        let (name, domain, imports) = (&self.name, self.domain(extents, vars), imports());
        let (attributes, cost) = (attributes(), cost(body));
        quote! {
            #attributes
            const _: () = {
                #imports
                impl Each for #name {
                    const COST: u32 = #cost;
                    #domain
                    #[inline(always)]
                    fn at<L: Lanes>(&self, outer: Self::Outer, first: u64, failures: &::accelerate::rt::Failure) {
                        #straight
                        #start
                        #code
                    }
                }
            };
        }
    }

    /// The struct itself.
    pub(super) fn item(&self) -> TokenStream {
        let (name, kernel, attributes) = (&self.name, self.names.kernel(), attributes());
        let fields = self.captured.iter().map(|&value| {
            let (field, leaf) = (self.names.value(value), scalar(self.names.leaf(value)));
            quote!(#field: #leaf)
        });
        quote! {
            #attributes
            #[derive(Clone, Copy)]
            struct #name { kernel: #kernel, #(#fields,)* }
        }
    }

    /// An expression that makes it, where the captured values are variables.
    pub(super) fn made(&self) -> TokenStream {
        let name = &self.name;
        let captured = self.captured.iter().map(|&value| self.names.value(value));
        quote!(#name { kernel: *self, #(#captured,)* })
    }
}

pub(super) fn cost(statements: &[Statement]) -> u32 {
    u32::try_from(uses::cost(statements))
        .unwrap_or(u32::MAX)
        .max(1)
}

pub(super) fn elementwise(names: Names<'_>, parts: &[Points]) -> TokenStream {
    let (name, attributes, build) = (names.kernel(), attributes(), build());
    let mut items = TokenStream::new();
    let launches: Vec<TokenStream> = match parts {
        [part] => {
            items.extend(Part::of_kernel(names).each(&part.extents, &part.vars, &part.body));
            vec![quote!(self)]
        }
        // One after the other, each by all threads.
        _ => (parts.iter().enumerate())
            .map(|(index, points)| {
                let part = Part {
                    names,
                    name: names.phase(index),
                    path: quote!(self.kernel),
                    captured: BTreeSet::new(),
                };
                items.extend(part.item());
                items.extend(part.each(&points.extents, &points.vars, &points.body));
                let made = part.made();
                quote!(&#made)
            })
            .collect(),
    };
    quote! {
        #items
        #attributes
        impl #name {
            fn launch(&self, failures: &::accelerate::rt::Failure) {
                #(::accelerate::rt::cpu::elementwise::<#build, _>(#launches, failures);)*
            }
        }
    }
}

/// The part of a phase, which captures what it uses of `before` (values of the row known by then).
fn part<'k>(names: Names<'k>, index: usize, phase: &Phase, before: &BTreeSet<Value>) -> Part<'k> {
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
    Part {
        names,
        name: names.phase(index),
        path: quote!(self.kernel),
        captured: used.intersection(before).copied().collect(),
    }
}

pub(super) fn rowwise(
    names: Names<'_>,
    extents: &[Value],
    vars: &[Value],
    phases: &[Phase],
    tiles: Option<&Tiles>,
) -> TokenStream {
    let (kernel, attributes, imports) = (names.kernel(), attributes(), imports());
    let mut items = TokenStream::new();
    let mut row = bindings(names, &quote!(self), &BTreeSet::new());
    row.extend(coordinates(names, &quote!(row), extents, vars));
    let mut before: BTreeSet<Value> = vars.iter().copied().collect();
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
                before.extend(uses::defined(statements));
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
                row.extend(folded(&mut emitter, &part, index, folds));
                before.extend(folds.iter().flat_map(|fold| &fold.results));
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
                before.extend(all.flat_map(|fold| &fold.results));
                work += u64::from(cost(body)) + u64::from(cost(each));
            }
        }
    }
    let rows = product(names, extents);
    let fields = bindings(names, &quote!(self), &BTreeSet::new());
    let columns = longest(names, phases);
    let work = u32::try_from(work).unwrap_or(u32::MAX).max(1);
    let (other, launch) = launch(names, extents, vars, phases, tiles);
    quote! {
        #items
        #other
        #attributes
        const _: () = {
            #imports
            impl Rows for #kernel {
                const COST: u32 = #work;
                fn size(&self) -> Size {
                    #fields
                    Size { rows: #rows, columns: #columns }
                }
                #[inline(always)]
                fn row<X: Execute>(&self, row: u64, run: X) {
                    #row
                }
            }
        };
        #attributes
        impl #kernel {
            fn launch(&self, failures: &::accelerate::rt::Failure) {
                #fields
                #launch
            }
        }
    }
}

/// Variables for the constants of `statements`.
pub(super) fn constants(names: Names<'_>, statements: &[Statement]) -> TokenStream {
    let mut tokens = TokenStream::new();
    for statement in statements {
        if let Statement::Let {
            value,
            op: crate::plan::body::Op::Constant(x),
        } = statement
        {
            let (name, x) = (names.value(*value), super::names::constant(*x));
            tokens.extend(quote!(let #name = #x;));
        }
    }
    tokens
}

/// The points of the longest phase, where extents are the kernel's scalars; a guess otherwise.
fn longest(names: Names<'_>, phases: &[Phase]) -> TokenStream {
    let mut tokens = quote!(1u64);
    for phase in phases {
        let (Phase::Fold { extents, .. }
        | Phase::Each { extents, .. }
        | Phase::Scan { extents, .. }) = phase
        else {
            continue;
        };
        let known = extents
            .iter()
            .all(|extent| names.kernel.scalars.contains(extent));
        let size = if known {
            product(names, extents)
        } else {
            quote!(1024u64)
        };
        tokens = quote!(::core::cmp::max(#tokens, #size));
    }
    tokens
}

/// Columns from which on lanes along them pay.
const WIDE: u64 = 32;
/// Rows from which on a tile's packed columns are used often enough.
const HIGH: u64 = 6;

/// The body of `launch`, and the items of the versions with lanes along the rows if there are any.
fn launch(
    names: Names<'_>,
    extents: &[Value],
    vars: &[Value],
    phases: &[Phase],
    tiles: Option<&Tiles>,
) -> (TokenStream, TokenStream) {
    let rows = match extents.is_empty() {
        true => quote!(row),
        false => quote!(rows),
    };
    let build = build();
    let mut launch = quote!(::accelerate::rt::cpu::#rows::<#build, _>(self, failures););
    let mut items = TokenStream::new();
    let part = |suffix: &str| Part {
        names,
        name: format_ident!("{}_{suffix}", names.kernel()),
        path: quote!(self.kernel),
        captured: BTreeSet::new(),
    };
    if let Some(body) = lanes_along_rows(names, vars, phases) {
        let part = part("columns");
        items.extend(part.item());
        items.extend(part.each(extents, vars, &body));
        let (made, last) = (part.made(), names.value(extents[extents.len() - 1]));
        // With few rows side by side, lanes along the inner axis and threads do better.
        launch = quote! {
            if #last >= #WIDE {
                ::accelerate::rt::cpu::elementwise::<#build, _>(&#made, failures);
            } else {
                #launch
            }
        };
    }
    let part = part("tiles");
    if let Some((tiles, inner)) = tiles.zip(Inner::of(phases))
        && let Some(contraction) = tiles::contraction(&part, extents, vars, inner, tiles)
    {
        items.extend(part.item());
        items.extend(contraction);
        let (made, column) = (part.made(), names.value(extents[tiles.column]));
        let row = tiles.row.map(|axis| names.value(extents[axis]));
        let and_high = row.map(|row| quote!(&& #row >= #HIGH));
        launch = quote! {
            if #column >= #WIDE #and_high {
                ::accelerate::rt::cpu::contraction::<#build, _>(&#made, failures);
            } else {
                #launch
            }
        };
    }
    (items, launch)
}

/// Constants defined by uniform phases.
pub(super) fn known_constants(phases: &[Phase]) -> BTreeMap<Value, u64> {
    let mut known = BTreeMap::new();
    for phase in phases {
        if let Phase::Uniform(statements) = phase {
            for statement in statements {
                if let Statement::Let {
                    value,
                    op: crate::plan::body::Op::Constant(x),
                } = statement
                {
                    known.insert(*value, x.bits);
                }
            }
        }
    }
    known
}
