//! Operations on scalars and vectors: the same calls, since scalars are vectors of one lane.

use super::names::scalar;
use super::statements::Emitter;
use crate::codegen::scalar::half_conversion;
use crate::plan::body::{Op, Value};
use crate::scalar::{Binary, Leaf, Math, Unary};
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};

impl Emitter<'_> {
    /// An operation on scalars if `uniform`, else on vectors.
    pub(super) fn apply(&self, op: &Op, uniform: bool) -> TokenStream {
        let lanes = if uniform {
            quote!(One)
        } else {
            self.lanes.clone()
        };
        let operand = |value: Value| self.as_held(value, uniform);
        let vector = |leaf: Leaf| {
            if uniform {
                let scalar = scalar(leaf);
                quote!(#scalar)
            } else {
                self.vector(leaf)
            }
        };
        match op {
            Op::Constant(_) => panic!("constants are held as they are"),
            Op::Unary(op, a) => unary(*op, self.leaf(*a), &operand(*a)),
            Op::Binary(op, a, b) => binary(*op, self.leaf(*a), &operand(*a), &operand(*b)),
            Op::Select(condition, a, b) => {
                let (x, y) = (operand(*a), operand(*b));
                if self.is_uniform(*condition) {
                    let condition = self.scalar(*condition);
                    quote!(if #condition { #x } else { #y })
                } else {
                    let condition = self.vectors(*condition);
                    quote!(Value::select(#condition, #x, #y))
                }
            }
            Op::Cast(to, a) => {
                let (from, x) = (self.leaf(*a), operand(*a));
                let (source, target) = (vector(from), vector(*to));
                if from == *to {
                    x
                } else if from.is_half() || to.is_half() {
                    let function = half_conversion(from, *to);
                    let function = format_ident!("{function}", span = Span::mixed_site());
                    quote!(<#lanes as Lanes>::#function(#x))
                } else if from == Leaf::Bool {
                    let to = scalar(*to);
                    quote!(<#target as Value>::select(#x, Value::splat(1 as #to), Value::splat(0 as #to)))
                } else {
                    quote!(<#source as Cast<#target>>::cast(#x))
                }
            }
            Op::Bitcast(to, a) => {
                let (from, x) = (self.leaf(*a), operand(*a));
                let (source, target) = (vector(from), vector(*to));
                if from.register() == to.register() {
                    x
                } else {
                    quote!(bitcast::<#source, #target>(#x))
                }
            }
            Op::Math(function, arguments) => {
                let leaf = self.leaf(arguments[0]);
                let arguments = arguments.iter().map(|&argument| operand(argument));
                match name(*function) {
                    None => {
                        let function = match *function {
                            Math::MulAdd => quote!(Float::mul_add),
                            Math::Fmuladd => quote!(Float::fused),
                            Math::FastDiv => quote!(Float::fast_div),
                            _ => quote!(Float::rsqrt),
                        };
                        quote!(#function(#(#arguments),*))
                    }
                    Some(name) => {
                        let name =
                            format_ident!("{name}_{}", leaf.name(), span = Span::mixed_site());
                        quote!(<#lanes as Functions>::#name(#(#arguments),*))
                    }
                }
            }
            // What the body says.
            Op::Foreign(_, values) => operand(*values.last().expect("what the body says")),
        }
    }

    /// A value as `i64` lanes, for reports.
    pub(super) fn reported(&self, value: Value) -> TokenStream {
        match self.leaf(value) {
            Leaf::I64 => self.vectors(value),
            _ => self.apply(&Op::Cast(Leaf::I64, value), false),
        }
    }
}

fn unary(op: Unary, leaf: Leaf, x: &TokenStream) -> TokenStream {
    match op {
        Unary::Neg => quote!(Number::neg(#x)),
        Unary::Not if leaf == Leaf::Bool => quote!(Mask::not(#x)),
        Unary::Not => quote!(Integer::not(#x)),
        Unary::Abs => quote!(Number::abs(#x)),
        Unary::Sqrt => quote!(Float::sqrt(#x)),
        Unary::Floor => quote!(Float::floor(#x)),
        Unary::Ceil => quote!(Float::ceil(#x)),
        Unary::Trunc => quote!(Float::trunc(#x)),
        Unary::Round => quote!(Float::round(#x)),
        Unary::RoundEven => quote!(Float::round_even(#x)),
        Unary::CountOnes => quote!(Integer::count_ones(#x)),
        Unary::LeadingZeros => quote!(Integer::leading_zeros(#x)),
        Unary::TrailingZeros => quote!(Integer::trailing_zeros(#x)),
        Unary::SwapBytes => quote!(Integer::swap_bytes(#x)),
        Unary::ReverseBits => quote!(Integer::reverse_bits(#x)),
    }
}

pub(super) fn binary(op: Binary, leaf: Leaf, a: &TokenStream, b: &TokenStream) -> TokenStream {
    if leaf == Leaf::Bool {
        return match op {
            Binary::And | Binary::Min | Binary::Mul => quote!(Mask::and(#a, #b)),
            Binary::Or | Binary::Max => quote!(Mask::or(#a, #b)),
            Binary::Xor | Binary::Ne | Binary::Add | Binary::Sub => quote!(Mask::xor(#a, #b)),
            Binary::Eq => quote!(Mask::not(Mask::xor(#a, #b))),
            Binary::Lt => quote!(Mask::but_not(#b, #a)),
            Binary::Le => quote!(Mask::not(Mask::but_not(#a, #b))),
            Binary::Div
            | Binary::Rem
            | Binary::Shl
            | Binary::Shr
            | Binary::Copysign
            | Binary::MulHigh => {
                panic!("{op:?} of bool")
            }
        };
    }
    match op {
        Binary::Add => quote!(Number::add(#a, #b)),
        Binary::Sub => quote!(Number::sub(#a, #b)),
        Binary::Mul => quote!(Number::mul(#a, #b)),
        Binary::Div => quote!(Number::div(#a, #b)),
        Binary::Rem => quote!(Number::rem(#a, #b)),
        Binary::Min => quote!(Number::min(#a, #b)),
        Binary::Max => quote!(Number::max(#a, #b)),
        Binary::And => quote!(Integer::and(#a, #b)),
        Binary::Or => quote!(Integer::or(#a, #b)),
        Binary::Xor => quote!(Integer::xor(#a, #b)),
        Binary::Shl => quote!(Integer::shl(#a, #b)),
        Binary::Shr => quote!(Integer::shr(#a, #b)),
        Binary::Eq => quote!(Number::eq(#a, #b)),
        Binary::Ne => quote!(Number::ne(#a, #b)),
        Binary::Lt => quote!(Number::lt(#a, #b)),
        Binary::Le => quote!(Number::le(#a, #b)),
        Binary::Copysign => quote!(Float::copysign(#a, #b)),
        Binary::MulHigh => quote!(Integer::mul_high(#a, #b)),
    }
}

/// The function of an instruction set; `None` for those that are vector operations.
fn name(function: Math) -> Option<&'static str> {
    match function {
        Math::MulAdd | Math::Fmuladd | Math::FastDiv | Math::Rsqrt => None,
        _ => Some(function.name()),
    }
}
