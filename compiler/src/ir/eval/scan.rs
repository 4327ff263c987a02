//! Scans: along the last axis, each element combined with what came before it in its row.

use super::{Elements, Machine, Manifest, Value};
use crate::ir::{Id, Var};
use std::rc::Rc;

impl Machine<'_> {
    pub(super) fn scan(
        &mut self,
        id: Id,
        extents: &[Id],
        vars: &[Var],
        elements: &[Id],
        [left, right]: [&[Var]; 2],
        combined: &[Id],
    ) -> Value {
        let extents: Vec<u64> = extents.iter().map(|&e| self.scalar(e).bits).collect();
        let length = extents.last().copied().unwrap_or(1);
        let mut arrays = vec![Elements::default(); elements.len()];
        let mut state: Vec<Value> = Vec::new();
        self.for_each(id, &extents, vars, |machine| {
            let element = machine.all(elements);
            state = if (arrays[0].scalars.len() as u64).is_multiple_of(length) {
                element
            } else {
                machine.bind(left, &state);
                machine.bind(right, &element);
                machine.forget(id, 1);
                machine.combined(combined)
            };
            for (array, value) in arrays.iter_mut().zip(&state) {
                array.push(value.clone());
            }
            machine.work.elements(arrays.len());
        });
        let manifest = |elements| {
            let extents = extents.clone();
            Value::Array(Rc::new(Manifest { extents, elements }))
        };
        Value::Bundle(arrays.into_iter().map(manifest).collect())
    }
}
