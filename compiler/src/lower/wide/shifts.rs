//! Shifts of integers of 128 bits, by counts that are known and others.

use super::Wide;
use crate::ir::Id;
use crate::lower::Lower;
use crate::scalar::{Binary, Leaf};

impl Lower<'_> {
    /// The count is taken modulo 128, as all counts are modulo the width.
    pub(super) fn wide_shl(&mut self, x: Wide, by: Id) -> Wide {
        let zero = self.p.usize(0);
        let high = self.high_bits(x.high);
        let (high, low) = match self.constant_of(by).map(|by| by.bits as u32 & 127) {
            Some(0) => (high, x.low),
            Some(by @ 64..) => (self.half_shifted(Binary::Shl, x.low, by - 64), zero),
            Some(by) => {
                let up = self.half_shifted(Binary::Shl, high, by);
                let over = self.half_shifted(Binary::Shr, x.low, 64 - by);
                let low = self.half_shifted(Binary::Shl, x.low, by);
                (self.halves_joined(up, over), low)
            }
            None => {
                let (whole, back) = self.count(by);
                let up = self.binary(Binary::Shl, high, by);
                let over = self.half_shifted(Binary::Shr, x.low, 1);
                let over = self.binary(Binary::Shr, over, back);
                let both = self.halves_joined(up, over);
                let low = self.binary(Binary::Shl, x.low, by);
                (self.select(whole, low, both), self.select(whole, zero, low))
            }
        };
        let high = self.like(x.high, high);
        Wide { high, low }
    }

    /// See [`Self::wide_shl`]; signs are shifted in.
    pub(super) fn wide_shr(&mut self, x: Wide, by: Id) -> Wide {
        let bits = self.high_bits(x.high);
        let signs = match self.p.leaf(x.high).is_signed() {
            true => self.half_shifted(Binary::Shr, x.high, 63),
            false => self.p.usize(0),
        };
        let (high, low) = match self.constant_of(by).map(|by| by.bits as u32 & 127) {
            Some(0) => return x,
            Some(by @ 64..) => (signs, self.half_shifted(Binary::Shr, x.high, by - 64)),
            Some(by) => {
                let down = self.half_shifted(Binary::Shr, x.low, by);
                let over = self.half_shifted(Binary::Shl, bits, 64 - by);
                let high = self.half_shifted(Binary::Shr, x.high, by);
                (high, self.halves_joined(over, down))
            }
            None => {
                let (whole, back) = self.count(by);
                let down = self.binary(Binary::Shr, x.low, by);
                let over = self.half_shifted(Binary::Shl, bits, 1);
                let over = self.binary(Binary::Shl, over, back);
                let both = self.halves_joined(over, down);
                let high = self.binary(Binary::Shr, x.high, by);
                let moved = self.high_bits(high);
                (
                    self.select(whole, signs, high),
                    self.select(whole, moved, both),
                )
            }
        };
        let low = self.cast(Leaf::U64, low);
        Wide { high, low }
    }

    /// Of a count that is not known: whether it is 64 or more, and 63 less its last six bits.
    fn count(&mut self, by: Id) -> (Id, Id) {
        let [zero, whole, rest] = [0, 64, 63].map(|n| self.int(Leaf::U32, n));
        let is_whole = self.binary(Binary::And, by, whole);
        let is_whole = self.binary(Binary::Ne, is_whole, zero);
        let by = self.binary(Binary::And, by, rest);
        (is_whole, self.binary(Binary::Xor, by, rest))
    }

    fn half_shifted(&mut self, op: Binary, half: Id, by: u32) -> Id {
        if by == 0 {
            return half;
        }
        let by = self.int(Leaf::U32, by.into());
        self.binary(op, half, by)
    }

    fn halves_joined(&mut self, a: Id, b: Id) -> Id {
        let is_zero = |lower: &Self, id| lower.constant_of(id).is_some_and(|c| c.bits == 0);
        match (is_zero(self, a), is_zero(self, b)) {
            (true, _) => b,
            (_, true) => a,
            _ => self.binary(Binary::Or, a, b),
        }
    }
}
