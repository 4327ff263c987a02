//! Indices that go up by a constant from lane to lane. Exact in wrapping arithmetic, so nothing is asked of ranges.

use super::names::{constant, scalar};
use super::statements::{Emitter, Held};
use crate::plan::body::{Op, Value};
use crate::scalar::{Binary, Leaf, Scalar};
use proc_macro2::TokenStream;
use quote::quote;

impl Emitter<'_> {
    /// An operation with an affine operand, where the result is affine or a mask that costs less than vectors.
    pub(super) fn strided(&mut self, value: Value, op: &Op) -> Option<TokenStream> {
        match *op {
            Op::Binary(op, a, b) => self.strided_binary(value, op, a, b),
            Op::Cast(to, a) => {
                let Held::Affine { first, stride } = self.held(a) else {
                    return None;
                };
                let from = self.leaf(a);
                // Truncation commutes with wrapping arithmetic; extension does not.
                let narrows = to.is_integer() && to.bits() >= 32 && to.bits() <= from.bits();
                if !narrows {
                    return None;
                }
                let to = scalar(to);
                let stride = stride.map(|stride| quote!((#stride as #to)));
                Some(self.affine(value, quote!((#first as #to)), stride))
            }
            Op::Constant(_)
            | Op::Unary(..)
            | Op::Select(..)
            | Op::Bitcast(..)
            | Op::Math(..)
            | Op::Foreign(..) => None,
        }
    }

    fn affine(
        &mut self,
        value: Value,
        first: TokenStream,
        stride: Option<TokenStream>,
    ) -> TokenStream {
        let name = self.names.value(value);
        let ty = scalar(self.leaf(value));
        let mut tokens = quote!(let #name: #ty = #first;);
        let stride = stride.map(|stride| {
            let step = self.temporary("stride");
            tokens.extend(quote!(let #step: #ty = #stride;));
            quote!(#step)
        });
        let first = quote!(#name);
        self.held.insert(value, Held::Affine { first, stride });
        tokens
    }

    /// The stride as an expression.
    fn step(&self, stride: Option<TokenStream>, leaf: Leaf) -> TokenStream {
        stride.unwrap_or_else(|| constant(Scalar { leaf, bits: 1 }))
    }

    fn strided_binary(
        &mut self,
        value: Value,
        op: Binary,
        a: Value,
        b: Value,
    ) -> Option<TokenStream> {
        use Held::{Affine, Uniform};
        let leaf = self.leaf(a);
        match (op, self.held(a), self.held(b)) {
            (Binary::Add, Affine { first, stride }, Uniform(x))
            | (Binary::Add, Uniform(x), Affine { first, stride }) => {
                Some(self.affine(value, quote!(#first.wrapping_add(#x)), stride))
            }
            (Binary::Sub, Affine { first, stride }, Uniform(x)) => {
                Some(self.affine(value, quote!(#first.wrapping_sub(#x)), stride))
            }
            (Binary::Sub, Uniform(x), Affine { first, stride }) => {
                let step = self.step(stride, leaf);
                Some(self.affine(
                    value,
                    quote!(#x.wrapping_sub(#first)),
                    Some(quote!(#step.wrapping_neg())),
                ))
            }
            (
                Binary::Add,
                Affine { first, stride },
                Affine {
                    first: other,
                    stride: step,
                },
            ) => {
                let (stride, step) = (self.step(stride, leaf), self.step(step, leaf));
                Some(self.affine(
                    value,
                    quote!(#first.wrapping_add(#other)),
                    Some(quote!(#stride.wrapping_add(#step))),
                ))
            }
            (Binary::Mul, Affine { first, stride }, Uniform(x))
            | (Binary::Mul, Uniform(x), Affine { first, stride }) => {
                let step = match stride {
                    None => x.clone(),
                    Some(stride) => quote!(#stride.wrapping_mul(#x)),
                };
                Some(self.affine(value, quote!(#first.wrapping_mul(#x)), Some(step)))
            }
            (
                Binary::Lt,
                Affine {
                    first,
                    stride: None,
                },
                Uniform(x),
            ) if leaf == Leaf::U64 => {
                let lanes = self.lanes.clone();
                Some(self.bind(value, false, quote!(less::<#lanes>(#first, #x))))
            }
            (
                Binary::Le,
                Uniform(x),
                Affine {
                    first,
                    stride: None,
                },
            ) if leaf == Leaf::U64 => {
                let lanes = self.lanes.clone();
                Some(self.bind(value, false, quote!(less_or_equal::<#lanes>(#x, #first))))
            }
            (
                Binary::Div,
                Affine {
                    first,
                    stride: None,
                },
                Uniform(x),
            ) if leaf == Leaf::U64 => {
                let lanes = self.lanes.clone();
                Some(self.bind(value, false, quote!(quotient::<#lanes>(#first, #x))))
            }
            (
                Binary::Rem,
                Affine {
                    first,
                    stride: None,
                },
                Uniform(x),
            ) if leaf == Leaf::U64 => {
                let lanes = self.lanes.clone();
                Some(self.bind(value, false, quote!(remainder::<#lanes>(#first, #x))))
            }
            _ => None,
        }
    }
}
