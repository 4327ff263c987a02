//! Scatters: one point after the other.

use super::{Machine, Manifest, Value};
use crate::ir::{Id, Node};
use std::rc::Rc;

impl Machine<'_> {
    pub(super) fn scatter(&mut self, id: Id) -> Value {
        let program = self.program;
        let Node::Scatter {
            defaults,
            extents,
            vars,
            condition,
            at,
            elements,
            left,
            right,
            combined,
            once,
        } = program.node(id)
        else {
            unreachable!("no scatter: {:?}", program.node(id));
        };
        let mut arrays: Vec<Manifest> = defaults
            .iter()
            .map(|&array| Manifest::clone(&self.array(array)))
            .collect();
        let shape = arrays[0].extents.clone();
        let mut met = vec![false; arrays[0].elements.len()];
        let mut extents: Vec<u64> = extents.iter().map(|&e| self.scalar(e).bits).collect();
        if met.is_empty() {
            // Nobody asks for an element of an empty result, whether it is one by itself or somebody's view.
            extents.fill(0);
        }
        self.for_each(id, &extents, vars, |machine| {
            let operands = machine.all(elements);
            let at = machine.all(at);
            if !machine.scalar(*condition).is_true() {
                return;
            }
            let flat = at.iter().zip(&shape).fold(0, |flat, (at, &extent)| {
                let Value::Scalar(at) = at else {
                    panic!("an index that is no scalar: {at:?}")
                };
                assert!(at.bits < extent, "index {} of {extent}", at.bits);
                flat * extent + at.bits
            }) as usize;
            if let (Some(site), true) = (once, met[flat]) {
                machine.fail_with(*site, vec![flat as i64]);
            }
            met[flat] = true;
            let there: Vec<Value> = arrays
                .iter()
                .map(|array| Value::Scalar(array.elements[flat]))
                .collect();
            machine.bind(left, &there);
            machine.bind(right, &operands);
            machine.forget(id, 1);
            for (array, value) in arrays.iter_mut().zip(machine.combined(combined)) {
                match value {
                    Value::Scalar(scalar) => array.elements[flat] = scalar,
                    other => panic!("an element that is no scalar but {other:?}"),
                }
            }
        });
        Value::Bundle(
            arrays
                .into_iter()
                .map(|array| Value::Array(Rc::new(array)))
                .collect(),
        )
    }
}
