//! How many bits an unsigned integer has: what is known of bit operations.

use super::{Index, Poly};
use crate::ir::{Id, Node, Program};
use crate::scalar::Binary;

impl Index {
    /// Whether an unsigned integer is below a constant because it has too few bits.
    pub(super) fn has_fewer_bits(&mut self, program: &Program, id: Id, than: Id) -> bool {
        match program.node(than) {
            Node::Constant(than) if than.bits > 0 && !program.leaf(id).is_signed() => {
                self.has_bits(program, id, than.bits.ilog2())
            }
            _ => false,
        }
    }

    fn has_bits(&mut self, program: &Program, id: Id, most: u32) -> bool {
        match *program.node(id) {
            Node::Binary(Binary::Xor | Binary::Or, a, b) => {
                self.has_bits(program, a, most) && self.has_bits(program, b, most)
            }
            Node::Binary(Binary::And, a, b) => {
                self.has_bits(program, a, most) || self.has_bits(program, b, most)
            }
            _ => {
                let count = self.bits(program, id);
                let rest = count.map(|count| count.negated().plus(i128::from(most)));
                rest.is_some_and(|rest| self.proves(program, &rest))
            }
        }
    }

    /// The number of bits, or more. A shift by too many bits, or of too many bits, leaves fewer than it says.
    fn bits(&mut self, program: &Program, id: Id) -> Option<Poly> {
        match *program.node(id) {
            Node::Constant(constant) => Some(Poly::number(length(constant.bits))),
            Node::Binary(Binary::Shl, a, by) => {
                let by = self.exact(program, by);
                self.bits(program, a)?.add(&by)
            }
            // One less than a power of two.
            Node::Binary(Binary::Sub, a, one) if is(program, one, |one| one == 1) => match *program
                .node(a)
            {
                Node::Binary(Binary::Shl, power, _) if is(program, power, u64::is_power_of_two) => {
                    Some(self.bits(program, a)?.plus(-1))
                }
                _ => self.numeric_bits(program, id),
            },
            _ => self.numeric_bits(program, id),
        }
    }

    fn numeric_bits(&mut self, program: &Program, id: Id) -> Option<Poly> {
        let (_, high) = self.numeric(program, id, 6);
        u64::try_from(high)
            .ok()
            .map(|high| Poly::number(length(high)))
    }
}

fn is(program: &Program, id: Id, holds: impl Fn(u64) -> bool) -> bool {
    matches!(program.node(id), Node::Constant(constant) if holds(constant.bits))
}

fn length(bits: u64) -> i128 {
    i128::from(u64::BITS - bits.leading_zeros())
}
