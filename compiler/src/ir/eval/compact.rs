//! Compactions: one point after the other, elements only where they are kept.

use super::{Elements, Machine, Manifest, Value};
use crate::ir::{Id, Node};
use crate::scalar::Scalar;
use std::rc::Rc;

impl Machine<'_> {
    pub(super) fn compact(&mut self, id: Id) -> Value {
        let program = self.program;
        let Node::Compact {
            count,
            extents,
            vars,
            condition,
            elements,
        } = program.node(id)
        else {
            unreachable!("no compaction: {:?}", program.node(id));
        };
        let count = self.scalar(*count).bits;
        let extents: Vec<u64> = extents.iter().map(|&e| self.scalar(e).bits).collect();
        let mut arrays = vec![Elements::default(); elements.len()];
        self.for_each(id, &extents, vars, |machine| {
            if machine.scalar(*condition).is_true() {
                for (array, &element) in arrays.iter_mut().zip(elements) {
                    array.push(machine.value(element));
                }
                machine.work.elements(elements.len());
            }
        });
        let failed = !self.failures.is_empty() || self.lazy || self.beyond;
        let manifest = |(mut array, &element): (Elements, &Id)| {
            // After a failure the condition may differ from what was counted.
            assert!(
                failed || array.scalars.len() as u64 == count,
                "a wrong count"
            );
            let zero = Scalar::zero(program.leaf(element));
            array.scalars.resize(count as usize, zero);
            Value::Array(Rc::new(Manifest {
                extents: vec![count],
                elements: array,
            }))
        };
        Value::Bundle(arrays.into_iter().zip(elements).map(manifest).collect())
    }
}
