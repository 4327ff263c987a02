//! Kernels that hold every scalar operation on every type that it takes.

use super::kernels::Builder;
use crate::plan::{Kernel, Op, Points, Skeleton, Statement};
use crate::scalar::{Binary, Leaf, Math, Unary};

/// Every operation on every type that it takes, so that the compilers see each form.
pub(super) fn operations() -> Vec<Kernel> {
    Leaf::ALL.into_iter().map(operations_of).collect()
}

pub(super) fn operations_of(leaf: Leaf) -> Kernel {
    let mut b = Builder::default();
    let n = b.scalar(Leaf::U64, "n");
    let xs = b.buffer(leaf, "xs", false);
    let ys = b.buffer(leaf, "ys", false);
    let i = b.value(Leaf::U64, "i");
    let mut body = Vec::new();
    let list = &mut body;
    let x = b.load(list, "x", xs, i);
    let y = b.load(list, "y", ys, i);
    let mut results = Vec::new();
    let unary: &[Unary] = match leaf {
        Leaf::Bool => &[Unary::Not],
        // They are converted, and no more.
        Leaf::F16 | Leaf::Bf16 => &[],
        leaf if leaf.is_float() => {
            use Unary::{Abs, Ceil, Floor, Neg, Round, RoundEven, Sqrt, Trunc};
            &[Neg, Abs, Sqrt, Floor, Ceil, Trunc, Round, RoundEven]
        }
        _ => {
            use Unary::{
                Abs, CountOnes, LeadingZeros, Neg, Not, ReverseBits, SwapBytes, TrailingZeros,
            };
            &[
                Neg,
                Not,
                Abs,
                CountOnes,
                LeadingZeros,
                TrailingZeros,
                SwapBytes,
                ReverseBits,
            ]
        }
    };
    for op in unary {
        let counts = matches!(
            op,
            Unary::CountOnes | Unary::LeadingZeros | Unary::TrailingZeros
        );
        let ty = if counts { Leaf::U32 } else { leaf };
        results.push(b.op(list, ty, "", Op::Unary(*op, x)));
    }
    use Binary::{
        Add, And, Copysign, Div, Eq, Le, Lt, Max, Min, Mul, MulHigh, Ne, Or, Rem, Shl, Shr, Sub,
        Xor,
    };
    let binary: &[Binary] = match leaf {
        Leaf::Bool => &[And, Or, Xor, Eq, Ne, Lt, Le],
        Leaf::F16 | Leaf::Bf16 => &[],
        leaf if leaf.is_float() => &[Add, Sub, Mul, Div, Rem, Min, Max, Eq, Ne, Lt, Le, Copysign],
        Leaf::I32 | Leaf::U32 | Leaf::I64 | Leaf::U64 => &[
            Add, Sub, Mul, Div, Rem, Min, Max, And, Or, Xor, Shl, Shr, Eq, Ne, Lt, Le, MulHigh,
        ],
        _ => &[
            Add, Sub, Mul, Div, Rem, Min, Max, And, Or, Xor, Shl, Shr, Eq, Ne, Lt, Le,
        ],
    };
    let shift = b.constant(list, Leaf::U32, 100);
    for op in binary {
        let right = if matches!(op, Shl | Shr) { shift } else { y };
        results.push(b.binary(list, *op, x, right));
    }
    for to in Leaf::ALL {
        let by_f32 = [leaf, to].contains(&Leaf::F32) || !(leaf.is_half() || to.is_half());
        if to != leaf && (to != Leaf::Bool) && (leaf != Leaf::Bool || to.is_integer()) {
            if by_f32 {
                results.push(b.op(list, to, "", Op::Cast(to, x)));
            }
            if to.bits() == leaf.bits() {
                results.push(b.op(list, to, "", Op::Bitcast(to, x)));
            }
        }
    }
    if leaf.is_float() && !leaf.is_half() {
        use Math::*;
        for op in [
            MulAdd, Exp, Exp2, ExpM1, Ln, Ln1p, Log2, Log10, Sin, Cos, Tan, Asin, Acos, Atan,
            Atan2, Sinh, Cosh, Tanh, Asinh, Acosh, Atanh, Pow, Cbrt, Hypot, Erf, Erfc, Lgamma,
            Tgamma, Rsqrt, Fmuladd, FastDiv,
        ] {
            if op == FastDiv && leaf != Leaf::F32 {
                continue;
            }
            let arguments = [x, y, x][..op.arity()].to_vec();
            results.push(b.op(list, leaf, "", Op::Math(op, arguments)));
        }
    }
    for bits in [0, 1, u64::MAX >> (64 - leaf.bits()), 1 << (leaf.bits() - 1)] {
        let constant = b.constant(list, leaf, bits);
        results.push(match leaf.is_half() {
            true => constant,
            false => b.binary(list, Eq, x, constant),
        });
    }
    for (position, value) in results.into_iter().enumerate() {
        let ty = b.types[value.0 as usize];
        let out = b.buffer(ty, &format!("out_{position}"), true);
        list.push(Statement::Store {
            buffer: out,
            index: i,
            value,
        });
    }
    b.kernel(
        &format!("operations_{}", leaf.name()),
        "every operation",
        Skeleton::Elementwise(vec![Points {
            extents: vec![n],
            vars: vec![i],
            body,
            windows: None,
        }]),
    )
}
