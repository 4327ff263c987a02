//! Scatters: one point after the other.

use super::{Machine, Manifest, Value};
use crate::ir::{Id, Node};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::rc::Rc;

/// Parts of what comes to an element.
const PARTS: u64 = 4;

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
        let mut met = vec![false; arrays[0].elements.scalars.len()];
        self.work.elements(met.len() * arrays.len());
        let mut extents: Vec<u64> = extents.iter().map(|&e| self.scalar(e).bits).collect();
        if met.is_empty() {
            // Nobody asks for an element of an empty result, whether it is one by itself or somebody's view.
            extents.fill(0);
        }
        let meet =
            |machine: &mut Self, arrays: &mut [Manifest], flat: usize, operands: &[Value]| {
                let there: Vec<Value> = (arrays.iter())
                    .map(|array| array.elements.get(flat))
                    .collect();
                machine.bind(left, &there);
                machine.bind(right, operands);
                machine.forget(id, 1);
                for (array, value) in arrays.iter_mut().zip(machine.combined(combined)) {
                    array.elements.set(flat, value);
                }
            };
        // By chance, what comes to an element combines in parts first, as in tables of threads.
        let mut parts: BTreeMap<(usize, u64), Vec<Value>> = BTreeMap::new();
        self.for_each(id, &extents, vars, |machine| {
            let operands = machine.all(elements);
            let at = machine.all(at);
            if !machine.scalar(*condition).is_true() || machine.beyond {
                return;
            }
            // What is there is read and written.
            machine.work.elements(2 * elements.len());
            let flat = at.into_iter().zip(&shape).fold(0, |flat, (at, &extent)| {
                let at = machine.consume(at);
                assert!(at.bits < extent, "index {} of {extent}", at.bits);
                flat * extent + at.bits
            }) as usize;
            if let (Some(site), true) = (once, met[flat]) {
                machine.fail_with(*site, vec![flat as i64]);
            }
            met[flat] = true;
            let part = (machine.rounding.as_mut()).map(|rounding| rounding.below(PARTS));
            match part.map(|part| parts.entry((flat, part))) {
                Some(Entry::Vacant(entry)) => {
                    entry.insert(operands);
                }
                Some(Entry::Occupied(mut entry)) => {
                    machine.bind(left, entry.get());
                    machine.bind(right, &operands);
                    machine.forget(id, 1);
                    *entry.get_mut() = machine.combined(combined);
                }
                None => meet(machine, &mut arrays, flat, &operands),
            }
        });
        for ((flat, _), operands) in parts {
            meet(self, &mut arrays, flat, &operands);
        }
        Value::Bundle(
            arrays
                .into_iter()
                .map(|array| Value::Array(Rc::new(array)))
                .collect(),
        )
    }
}
