//! Parts of a kernel: structs that implement one of the drivers' traits each, and what their methods have alike.

use super::names::{Names, constant, scalar};
use super::statements::{Emitter, Straight};
use super::uniform::Analysis;
use crate::plan::body::{Op, Statement, Value};
use crate::plan::{Phase, uses};
use crate::scalar::Scalar;
use crate::sorted::{SortedMap, SortedSet};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

pub(super) fn attributes() -> TokenStream {
    quote!(#[allow(unused, non_camel_case_types, non_snake_case, clippy::all)])
}

/// Statements of a kernel from which it is computed in a single lane. LLVM's time for vectors goes up faster than the length of the
/// code: a crate with the 3,500 operations of SHA-256 was not built within four minutes, and is in six seconds with a
/// single lane.
const LONG: usize = 1000;

fn is_long(names: Names<'_>) -> bool {
    names.kernel.length() > LONG
}

/// Which versions of a kernel there are: the user's build decides, if the code is not long.
pub(super) fn build(names: Names<'_>) -> TokenStream {
    match is_long(names) {
        true => quote!(::accelerate::rt::cpu::Build<true>),
        false => quote!(::accelerate::rt::cpu::Build<{ ::core::cfg!(debug_assertions) }>),
    }
}

/// Methods that hold a body are parts of their callers, which are there for each instruction set. A long one stands alone: for
/// each loop of a function LLVM looks at all of the function.
pub(super) fn inlining(names: Names<'_>) -> TokenStream {
    match is_long(names) {
        true => quote!(#[inline(never)]),
        false => quote!(#[inline(always)]),
    }
}

pub(super) fn imports() -> TokenStream {
    quote! {
        use ::accelerate::rt::cpu::*;
        use ::accelerate::rt::lanes::*;
        use ::accelerate::rt::math::Functions;
    }
}

/// Binds the kernel's pointers and scalars, found at `path`, and the captured values of `self`.
pub(super) fn bindings(
    names: Names<'_>,
    path: &TokenStream,
    captured: &SortedSet<Value>,
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
    pub(super) captured: SortedSet<Value>,
    /// Constants of earlier phases. A field of a struct would be no constant for LLVM: it would divide by it.
    pub(super) constants: SortedMap<Value, Scalar>,
}

/// What is known of a row before a phase.
#[derive(Clone, Default)]
pub(super) struct Known {
    pub(super) values: SortedSet<Value>,
    constants: SortedMap<Value, Scalar>,
}

impl Known {
    /// After these statements of the row.
    pub(super) fn define(&mut self, statements: &[Statement]) {
        self.values.extend(uses::defined(statements));
        self.constants.extend(constants_of(statements));
    }
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
            captured: SortedSet::new(),
            constants: SortedMap::new(),
        }
    }

    /// A phase that uses these values.
    pub(super) fn of_phase(
        names: Names<'k>,
        phase: usize,
        used: &SortedSet<Value>,
        known: &Known,
    ) -> Part<'k> {
        let constants = known.constants.iter();
        let constants = constants.filter(|(value, _)| used.contains(value));
        let constants: SortedMap<Value, Scalar> =
            constants.map(|(&value, &x)| (value, x)).collect();
        let captured = used.intersection(&known.values).copied();
        Part {
            names,
            name: names.phase(phase),
            path: quote!(self.kernel),
            captured: captured
                .filter(|value| !constants.contains_key(value))
                .collect(),
            constants,
        }
    }

    /// The constants of earlier phases.
    pub(super) fn bits(&self) -> SortedMap<Value, u64> {
        let constants = self.constants.iter();
        constants.map(|(&value, x)| (value, x.bits)).collect()
    }

    pub(super) fn bindings(&self) -> TokenStream {
        let mut tokens = bindings(self.names, &self.path, &self.captured);
        for (&value, &x) in &self.constants {
            let (name, x) = (self.names.value(value), constant(x));
            tokens.extend(quote!(let #name = #x;));
        }
        tokens
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

    /// An emitter for a method over `L` at the points `first..` of the last of `vars`, with what may be assumed.
    pub(super) fn emitter(
        &self,
        vars: &[Value],
        statements: &[Statement],
        straight: Option<Straight>,
    ) -> (Emitter<'k>, TokenStream) {
        let shared = straight.iter().flat_map(|straight| &straight.shared);
        let shared = shared.copied().collect();
        let analysis = Analysis::sharing(shared, vars.last().copied(), statements);
        let mut emitter = Emitter::new(self.names, analysis, quote!(L), quote!(failures));
        emitter.straight = straight;
        let mut start = self.bindings();
        if let Some((&last, outer)) = vars.split_last() {
            let outer = outer.iter().map(|&var| self.names.value(var));
            start.extend(quote!(let (#(#outer,)*) = outer;));
            emitter.bind_progression(last, quote!(first));
        }
        emitter.uses = uses::counts(statements);
        emitter.constants = self.bits();
        start.extend(emitter.watch(statements));
        (emitter, start)
    }

    pub(super) fn each(
        &self,
        extents: &[Value],
        vars: &[Value],
        body: &[Statement],
    ) -> TokenStream {
        let code = self.lanes(vars, body, &SortedMap::new());
        let (name, domain, imports) = (&self.name, self.domain(extents, vars), imports());
        let (attributes, cost) = (attributes(), cost(body));
        let inlining = inlining(self.names);
        quote! {
            #attributes
            const _: () = {
                #imports
                impl Each for #name {
                    const COST: u32 = #cost;
                    #domain
                    #inlining
                    fn at<L: Lanes>(&self, outer: Self::Outer, first: u64, failures: &::accelerate::rt::Failure) {
                        #code
                    }
                }
            };
        }
    }

    /// A method's body over `L` at the points `first..` of the last of `vars`, where the loads in `blocks` have been made for
    /// a block of points.
    pub(super) fn lanes(
        &self,
        vars: &[Value],
        body: &[Statement],
        blocks: &SortedMap<Value, usize>,
    ) -> TokenStream {
        let begin = |straight| {
            let (mut emitter, start) = self.emitter(vars, body, straight);
            emitter.blocks = blocks.clone();
            if let Some(&last) = vars.last() {
                emitter.find_turns(last, body);
            }
            (emitter, start)
        };
        let (mut emitter, otherwise) = begin(None);
        let code = emitter.block(body);
        let otherwise = quote!(#otherwise #code);
        let assumptions = Straight::after(&emitter);
        let (mut emitter, start) = begin(Some(assumptions.clone()));
        let code = emitter.block(body);
        let Some(straight) = emitter.straight.take().filter(|straight| straight.assumed) else {
            return otherwise;
        };
        let searches = &straight.shared;
        let is_one = searches.len() == 1 && searches_once(body, searches, &emitter.analysis);
        let otherwise = match is_one && !straight.bent {
            true => self.in_turn(
                begin(Some(Straight {
                    in_turn: true,
                    ..assumptions
                })),
                body,
            ),
            false => otherwise,
        };
        quote!('straight: { #start #code return; } #otherwise)
    }

    /// A body under a mask, for the lanes of one segment after the other.
    fn in_turn(
        &self,
        (mut emitter, start): (Emitter<'k>, TokenStream),
        body: &[Statement],
    ) -> TokenStream {
        emitter.live = Some(format_ident!("live"));
        let code = emitter.block(body);
        let mask = quote!(<<L as Lanes>::Mask as Mask>::first);
        quote! {
            let mut done = 0;
            while done < <L as Lanes>::W as u64 {
                let mut until = <L as Lanes>::W as u64;
                let mut live = Mask::not(#mask(done as usize));
                #start
                #code
                done = until;
            }
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

/// Whether the search stands in a body itself or in branches of uniform conditions, in no loop and under no mask.
fn searches_once(body: &[Statement], searches: &SortedSet<Value>, analysis: &Analysis) -> bool {
    body.iter().any(|statement| match statement {
        Statement::Loop { state, .. } => state.iter().any(|own| searches.contains(&own.state)),
        Statement::If {
            condition,
            then,
            otherwise,
            ..
        } => {
            !analysis.varies(*condition)
                && [then, otherwise]
                    .into_iter()
                    .any(|side| searches_once(side, searches, analysis))
        }
        _ => false,
    })
}

pub(super) fn cost(statements: &[Statement]) -> u32 {
    u32::try_from(uses::cost(statements))
        .unwrap_or(u32::MAX)
        .max(1)
}

/// Variables for the constants of `statements`.
pub(super) fn constants(names: Names<'_>, statements: &[Statement]) -> TokenStream {
    let mut tokens = TokenStream::new();
    for (value, x) in constants_of(statements) {
        let (name, x) = (names.value(value), constant(x));
        tokens.extend(quote!(let #name = #x;));
    }
    tokens
}

/// The constants of `statements`.
fn constants_of(statements: &[Statement]) -> impl Iterator<Item = (Value, Scalar)> {
    statements.iter().filter_map(|statement| match statement {
        Statement::Let {
            value,
            op: Op::Constant(x),
        } => Some((*value, *x)),
        _ => None,
    })
}

/// Constants defined by uniform phases.
pub(super) fn known_constants(phases: &[Phase]) -> SortedMap<Value, u64> {
    let statements = phases.iter().flat_map(|phase| match phase {
        Phase::Uniform(statements) => &statements[..],
        Phase::Fold { .. } | Phase::Each { .. } | Phase::Scan { .. } => &[],
    });
    let constants = statements.flat_map(|statement| constants_of(std::slice::from_ref(statement)));
    constants.map(|(value, x)| (value, x.bits)).collect()
}
