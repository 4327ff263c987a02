//! Loads that run along another axis than the stores: an implementation of the driver's trait `Transposed`, which makes
//! them for a block of both axes at a time.

use super::names::{Names, scalar};
use super::part::{Part, attributes, imports, product};
use crate::codegen::transposed;
use crate::plan::affine::Polynomial;
use crate::plan::body::{Op, Statement, Value};
use crate::sorted::SortedMap;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// Bytes that are loaded for a row of a block, about: some lines.
const ROW: usize = 256;
/// Points of a block along each axis: at least as many as there are lanes.
const SIDES: [usize; 2] = [64, 32];

/// The loads of a body for which blocks pay.
struct Loads {
    axis: usize,
    /// Those that are made for a whole block: of all conditions the others know only in their lanes.
    first: Vec<transposed::Load>,
}

impl Loads {
    fn find(names: Names<'_>, vars: &[Value], body: &[Statement]) -> Option<Loads> {
        let mut operations = SortedMap::new();
        collect(body, &mut operations);
        let known = |value| names.kernel.scalars.contains(&value);
        let leaf = |buffer: usize| names.kernel.buffers[buffer].leaf;
        let found = transposed::Transposed::find(&operations, body, vars, &known, &leaf)?;
        let axis = found.axis;
        let mut first = found.loads;
        first.retain(|load| load.conditions.is_empty() && load.place.is_unit_in(vars[axis]));
        Some(Loads { axis, first })
    }
}

fn collect<'b>(list: &'b [Statement], operations: &mut SortedMap<Value, &'b Op>) {
    for statement in list {
        match statement {
            Statement::Let { value, op } => _ = operations.insert(*value, op),
            Statement::If {
                then, otherwise, ..
            } => {
                collect(then, operations);
                collect(otherwise, operations);
            }
            _ => {}
        }
    }
}

impl Part<'_> {
    /// The implementation, if the body has such loads.
    pub(super) fn transposed(
        &self,
        extents: &[Value],
        vars: &[Value],
        body: &[Statement],
    ) -> Option<TokenStream> {
        let names = self.names;
        let Loads { axis, first } = Loads::find(names, vars, body)?;
        let (last, outer_vars) = vars.split_last()?;
        let leaves: Vec<_> = (first.iter())
            .map(|load| names.kernel.buffers[load.buffer].leaf)
            .collect();
        let bytes: usize = leaves.iter().map(|leaf| leaf.bytes()).sum();
        let side = SIDES.into_iter().find(|side| side * bytes <= ROW);
        let side = side.unwrap_or(SIDES[SIDES.len() - 1]);
        let [side, places] = [side, side * side].map(Literal::usize_unsuffixed);
        let types: Vec<_> = leaves.into_iter().map(scalar).collect();
        let last_extent = names.value(*extents.last()?);
        let across = names.value(extents[axis]);
        let outside = product(names, &extents[..axis]);
        let between = product(names, &extents[axis + 1..outer_vars.len()]);
        let bindings = self.bindings();
        let outer: Vec<_> = outer_vars.iter().map(|&var| names.value(var)).collect();
        let last_name = names.value(*last);
        let loads = first.iter().enumerate().map(|(k, load)| {
            let (k, pointer) = (Literal::usize_unsuffixed(k), names.buffer(load.buffer));
            let place = written(names, &load.place);
            let stride = written(names, &along(&load.place, *last));
            quote! {
                let from = #pointer.wrapping_add((#place) as usize);
                unsafe { block.#k.load::<#side>(from as *const _, #stride, size); }
            }
        });
        let blocks = first.iter().enumerate().map(|(k, load)| (load.value, k));
        let code = self.lanes(vars, body, &blocks.collect());
        let (name, attributes, imports) = (&self.name, attributes(), imports());
        Some(quote! {
            #attributes
            const _: () = {
                #imports
                impl Transposed for #name {
                    const SIDE: usize = #side;
                    type Block = (#(Loaded<#types, #places>,)*);
                    #[inline(always)]
                    fn axes(&self) -> Axes {
                        #bindings
                        Axes { outer: #outside, across: #across, between: #between, along: #last_extent }
                    }
                    #[inline(always)]
                    fn block() -> Self::Block {
                        (#(Loaded::<#types, #places>::new(),)*)
                    }
                    #[inline(always)]
                    fn load(&self, outer: Self::Outer, first: u64, size: [usize; 2], block: &mut Self::Block) {
                        #bindings
                        let (#(#outer,)*) = outer;
                        let #last_name: u64 = first;
                        #(#loads)*
                    }
                    #[inline(always)]
                    fn in_block<L: Lanes>(
                        &self,
                        outer: Self::Outer,
                        first: u64,
                        block: &Self::Block,
                        place: usize,
                        failures: &::accelerate::rt::Failure,
                    ) {
                        #code
                    }
                }
            };
        })
    }
}

/// What one more of a coordinate adds.
fn along(place: &Polynomial, var: Value) -> Polynomial {
    let next = Polynomial::atom(var).plus(&Polynomial::constant(1), 1);
    place.replaced(var, &next).minus(place)
}

/// An index, of variables of 64 bits.
fn written(names: Names<'_>, polynomial: &Polynomial) -> TokenStream {
    let terms = polynomial.terms().map(|(product, factor)| {
        let factor = Literal::u64_suffixed(factor);
        let values = product.iter().map(|&value| names.value(value));
        quote!(.wrapping_add(#factor #(.wrapping_mul(#values))*))
    });
    quote!(0u64 #(#terms)*)
}
