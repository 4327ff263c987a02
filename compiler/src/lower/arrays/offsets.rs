//! Offsets in a window: constants, or affine expressions of the counters of loops with constant bounds.
//!
//! What an offset can be is told from the expression, so that arguments of closures may be offsets too. A loop over offsets
//! stays a loop; its reads are those of the padded array's windows.

use crate::diag::Diagnostic;
use crate::ir::{Id, Node};
use crate::lower::value::Beyond;
use crate::lower::{Lower, Lowered};
use crate::scalar::{Binary, Leaf, Scalar, Unary};
use proc_macro2::Span;

/// The least and the greatest value of an integer.
pub(in crate::lower) type Hull = (i128, i128);

/// An offset along one axis.
pub(super) enum Offset {
    Constant(i64),
    /// At least so much.
    Within(Id, i128),
}

/// An index that may be beyond an edge: where it is inside, and the index to read: the shifted one for boundaries
/// that are no elements.
pub(super) struct Place {
    pub(super) inside: Id,
    pub(super) index: Id,
}

impl<'a> Lower<'a> {
    pub(super) fn offset(&mut self, offset: Id, span: Span) -> Lowered<Offset> {
        match self.hull(offset) {
            Some((low, high)) if low == high => Ok(Offset::Constant(low as i64)),
            Some((low, _)) => Ok(Offset::Within(offset, low)),
            None => Err(Box::new(
                Diagnostic::new(span, "an offset in a window must be known to the compiler").help(
                    "write constants, or counters of `for` loops with constant bounds, added or times a constant",
                ),
            )),
        }
    }

    /// The values that an affine expression of constants and counters can have.
    pub(in crate::lower) fn hull(&self, id: Id) -> Option<Hull> {
        if let Some(&hull) = self.counters.get(&id) {
            return Some(hull);
        }
        let leaf = self.p.leaf(id);
        let fits = |(low, high): Hull| {
            let (least, most) = limits(leaf);
            (least <= low && high <= most).then_some((low, high))
        };
        match self.p.node(id) {
            Node::Constant(scalar) if leaf.is_integer() => {
                let value = integer(*scalar);
                Some((value, value))
            }
            Node::Unary(Unary::Neg, a) => {
                let (low, high) = self.hull(*a)?;
                fits((-high, -low))
            }
            Node::Cast(_, a) if leaf.is_integer() && self.p.leaf(*a).is_integer() => {
                fits(self.hull(*a)?)
            }
            Node::Binary(op, a, b) if leaf.is_integer() => {
                let ((a, b), (c, d)) = (self.hull(*a)?, self.hull(*b)?);
                match op {
                    Binary::Add => fits((a + c, b + d)),
                    Binary::Sub => fits((a - d, b - c)),
                    Binary::Mul if c == d || a == b => {
                        let ends = [a * c, a * d, b * c, b * d];
                        fits((ends.into_iter().min()?, ends.into_iter().max()?))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The place at an offset that is at least `low`: an index of the axis padded by that.
    pub(super) fn beside_within(
        &mut self,
        i: Id,
        n: Id,
        (offset, low): (Id, i128),
        boundary: &Beyond<'a>,
    ) -> Place {
        let before = (-low).max(0);
        let (signed, unsigned) = (self.int(Leaf::I64, before), self.int(Leaf::U64, before));
        let distance = self.binary(Binary::Add, offset, signed);
        let distance = self.cast(Leaf::U64, distance);
        let padded = self.binary(Binary::Add, i, distance);
        self.padded(padded, unsigned, n, boundary)
    }
}

/// The value of an integer constant.
fn integer(scalar: Scalar) -> i128 {
    let Scalar { leaf, bits } = scalar;
    match leaf.is_signed() {
        true => {
            let unused = 64 - leaf.bits();
            i128::from((bits as i64) << unused >> unused)
        }
        false => i128::from(bits),
    }
}

/// The least and the greatest value of an integer type.
fn limits(leaf: Leaf) -> Hull {
    match leaf.is_signed() {
        true => (-(1 << (leaf.bits() - 1)), (1 << (leaf.bits() - 1)) - 1),
        false => (0, (1 << leaf.bits()) - 1),
    }
}
