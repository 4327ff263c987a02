//! Elements of buffers in C. Those a number away from each other share an address, which they could not for all that the C
//! compiler knows: sums of 32 bits may wrap.

use super::body::Code;
use super::scalar::{ATOM, SUM};
use super::walk::Definition;
use crate::plan::{Op, Value};
use crate::scalar::Binary;

/// Elements to an address that another one is counted from.
const FAR: u64 = 1 << 20;

/// An index as a sum.
#[derive(Default)]
struct Place {
    terms: Vec<Value>,
    distance: i64,
}

impl Code<'_> {
    /// An element of a buffer.
    pub(super) fn element(&self, buffer: usize, index: Value) -> String {
        let buffer = &self.buffers[buffer];
        let mut place = Place::default();
        self.take_apart(index, &mut place);
        let Place { terms, distance } = place;
        let near = distance != 0 && distance.unsigned_abs() <= FAR;
        if !near || !self.narrow.is_near_index(&terms) {
            return format!("{buffer}[{}]", self.text(index));
        }
        let texts: Vec<String> = terms.iter().map(|&term| self.expr(term).at(SUM)).collect();
        match &texts[..] {
            [term] => format!("({buffer} + {term})[{distance}]"),
            terms => format!("({buffer} + ({}))[{distance}]", terms.join(" + ")),
        }
    }

    /// Adds what an index is the sum of, as far as it has no name.
    fn take_apart(&self, index: Value, place: &mut Place) {
        let op = |value: Value| match self.facts.definition(value) {
            Some(Definition::Op(op)) => Some(op),
            _ => None,
        };
        let number = |value: Value| match op(value) {
            Some(Op::Constant(number)) => Some(number.bits as i64),
            _ => None,
        };
        match op(index) {
            Some(Op::Constant(number)) => {
                place.distance = place.distance.wrapping_add(number.bits as i64);
            }
            Some(&Op::Binary(Binary::Add, a, b)) if self.expr(index).level < ATOM => {
                self.take_apart(a, place);
                self.take_apart(b, place);
            }
            Some(&Op::Binary(Binary::Sub, a, b))
                if self.expr(index).level < ATOM && number(b).is_some() =>
            {
                self.take_apart(a, place);
                let less = number(b).unwrap_or_default();
                place.distance = place.distance.wrapping_sub(less);
            }
            _ => place.terms.push(index),
        }
    }
}
