//! The work that a run has done, by the table of costs.

use super::{Binary, Leaf, Math, Unary, cost};

/// What a run has done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Work {
    /// Costs of the operations and of the elements read and written, summed.
    pub cost: u64,
    /// Mathematical functions.
    pub functions: u64,
}

impl Work {
    pub(crate) fn unary(&mut self, op: Unary) {
        self.cost += cost::unary(op);
    }

    pub(crate) fn binary(&mut self, op: Binary, leaf: Leaf) {
        self.cost += cost::binary(op, leaf);
    }

    pub(crate) fn select(&mut self) {
        self.cost += cost::SELECT;
    }

    pub(crate) fn cast(&mut self) {
        self.cost += cost::CAST;
    }

    pub(crate) fn math(&mut self, f: Math) {
        self.cost += cost::math(f);
        // A root and a division, which `#[fast_math]` makes one of, are none either.
        self.functions += u64::from(!f.is_arithmetic() && f != Math::Rsqrt);
    }

    /// So many elements are read or written.
    pub(crate) fn elements(&mut self, count: usize) {
        self.cost += cost::ELEMENT * count as u64;
    }

    /// So many records are brought in the order of so many keys each.
    pub(crate) fn keys(&mut self, records: usize, keys: usize) {
        self.cost += (records * keys) as u64;
    }
}

impl std::ops::AddAssign for Work {
    fn add_assign(&mut self, other: Work) {
        self.cost += other.cost;
        self.functions += other.functions;
    }
}
