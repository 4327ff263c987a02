//! Values by their names.

use super::Meter;
use crate::plan::body::{Carry, Op, Value};
use crate::scalar::{Leaf, Scalar};

/// Values of a kernel or of the host.
pub(super) struct Frame {
    pub(super) types: Vec<Leaf>,
    values: Vec<Option<Scalar>>,
    pub(super) meter: Meter,
}

impl Frame {
    pub(super) fn new(types: &[Leaf]) -> Frame {
        Frame {
            types: types.to_vec(),
            values: vec![None; types.len()],
            meter: Meter::within(u64::MAX),
        }
    }

    pub(super) fn get(&self, value: Value) -> Scalar {
        self.values[value.0 as usize].unwrap_or_else(|| panic!("{value:?} is not defined"))
    }

    pub(super) fn set(&mut self, value: Value, scalar: Scalar) {
        let leaf = self.types[value.0 as usize];
        assert_eq!(leaf, scalar.leaf, "the type of {value:?}");
        self.values[value.0 as usize] = Some(scalar);
    }

    pub(super) fn is(&self, value: Value) -> bool {
        self.get(value).is_true()
    }

    /// The state before the first round of a loop.
    pub(super) fn first_round(&mut self, state: &[Carry]) {
        for carry in state {
            self.set(carry.state, self.get(carry.initial));
        }
    }

    /// The state of the next round: all parts change at once.
    pub(super) fn next_round(&mut self, state: &[Carry]) {
        let nexts: Vec<Scalar> = state.iter().map(|carry| self.get(carry.next)).collect();
        for (carry, scalar) in state.iter().zip(nexts) {
            self.set(carry.state, scalar);
        }
    }

    /// Counts an operation.
    pub(super) fn charge(&mut self, op: &Op) {
        let work = &mut self.meter.work;
        match op {
            // Of a foreign function the body is counted.
            Op::Constant(_) | Op::Bitcast(..) | Op::Foreign(..) => {}
            Op::Unary(op, _) => work.unary(*op),
            Op::Binary(op, a, _) => work.binary(*op, self.types[a.0 as usize]),
            Op::Select(..) => work.select(),
            Op::Cast(..) => work.cast(),
            Op::Math(f, _) => work.math(*f),
        }
    }
}
