//! Operations of floats of 16 bits: made of those of `f32` and of integers, so that no pass and no back end needs to know them.
//! What is left of `f16` and `bf16` in a program are arrays, variables, and conversions from and to `f32` or their bits.

use super::{Id, Node, Program};
use crate::scalar::{Binary, Leaf, Math, Scalar, Unary};

const SIGN: u64 = 0x8000;

impl Program {
    pub(super) fn unary_of_halves(&mut self, op: Unary, a: Id) -> Id {
        let leaf = self.leaf(a);
        // Exact to the bit, of a NaN too.
        match op {
            Unary::Neg => return self.with_bits(Binary::Xor, a, SIGN),
            Unary::Abs => return self.with_bits(Binary::And, a, SIGN - 1),
            _ => {}
        }
        let wide = self.cast(Leaf::F32, a);
        let result = self.unary(op, wide);
        self.cast(leaf, result)
    }

    pub(super) fn binary_of_halves(&mut self, op: Binary, a: Id, b: Id) -> Id {
        let leaf = self.leaf(a);
        if op == Binary::Copysign {
            let (size, sign) = (
                self.with_bits(Binary::And, a, SIGN - 1),
                self.with_bits(Binary::And, b, SIGN),
            );
            let [size, sign] = [size, sign].map(|half| self.add(Node::Bitcast(Leaf::U16, half)));
            let bits = self.binary(Binary::Or, size, sign);
            return self.add(Node::Bitcast(leaf, bits));
        }
        let [x, y] = [a, b].map(|half| self.cast(Leaf::F32, half));
        let result = self.binary(op, x, y);
        match self.leaf(result) {
            Leaf::Bool => result,
            _ => self.cast(leaf, result),
        }
    }

    pub(super) fn math_of_halves(&mut self, function: Math, arguments: &[Id]) -> Id {
        let leaf = self.leaf(arguments[0]);
        let wide = arguments.iter().map(|&x| self.cast(Leaf::F32, x));
        let wide = wide.collect();
        let result = self.math(function, wide);
        self.cast(leaf, result)
    }

    pub(super) fn cast_of_halves(&mut self, to: Leaf, a: Id) -> Id {
        let from = self.leaf(a);
        match (from, to) {
            (Leaf::F32, _) | (_, Leaf::F32) => self.add(Node::Cast(to, a)),
            (Leaf::F64, _) => {
                let wide = self.round_to_odd(a);
                self.add(Node::Cast(to, wide))
            }
            _ => {
                let wide = self.cast(Leaf::F32, a);
                self.cast(to, wide)
            }
        }
    }

    /// An `f64` as the one of the two `f32` around it whose last bit is set, if it is neither: rounded once more, to fewer
    /// bits, it is as if it had been rounded once (Boldo and Melquiond, "When double rounding is odd", 2005).
    fn round_to_odd(&mut self, x: Id) -> Id {
        let nearest = self.cast(Leaf::F32, x);
        let back = self.cast(Leaf::F64, nearest);
        let inexact = self.binary(Binary::Ne, back, x);
        let bits = self.add(Node::Bitcast(Leaf::U32, nearest));
        let [zero, one] = [0, 1].map(|bits| self.constant(Scalar::wrapped(Leaf::U32, bits)));
        let last = self.binary(Binary::And, bits, one);
        let even = self.binary(Binary::Eq, last, zero);
        let moves = self.binary(Binary::And, inexact, even);
        // The bits of a float count its magnitude.
        let [near, far] = [x, back].map(|id| self.unary(Unary::Abs, id));
        let above = self.binary(Binary::Lt, near, far);
        let [down, up] = [Binary::Sub, Binary::Add].map(|op| self.binary(op, bits, one));
        let other = self.add(Node::Select(above, down, up));
        let odd = self.add(Node::Select(moves, other, bits));
        self.add(Node::Bitcast(Leaf::F32, odd))
    }

    fn with_bits(&mut self, op: Binary, a: Id, mask: u64) -> Id {
        let leaf = self.leaf(a);
        let bits = self.add(Node::Bitcast(Leaf::U16, a));
        let mask = self.constant(Scalar::wrapped(Leaf::U16, mask));
        let bits = self.binary(op, bits, mask);
        self.add(Node::Bitcast(leaf, bits))
    }
}
