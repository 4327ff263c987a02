//! Sorts: row after row.

use super::{Machine, Manifest, Value};
use crate::ir::{Id, Node};
use crate::scalar::Scalar;
use std::rc::Rc;

impl Machine<'_> {
    pub(super) fn sort(&mut self, id: Id) -> Value {
        let program = self.program;
        let Node::Sort {
            extents,
            vars,
            elements,
            keys,
        } = program.node(id)
        else {
            unreachable!("no sort: {:?}", program.node(id));
        };
        let extents: Vec<u64> = extents.iter().map(|&e| self.scalar(e).bits).collect();
        let mut records: Vec<Vec<Scalar>> = Vec::new();
        self.for_each(id, &extents, vars, |machine| {
            records.push(elements.iter().map(|&leaf| machine.scalar(leaf)).collect());
        });
        let length = extents.last().map_or(1, |&length| length.max(1)) as usize;
        for row in records.chunks_mut(length) {
            row.sort_by_key(|record| -> Vec<u64> {
                let keys = record[..*keys as usize].iter();
                keys.map(|key| key.order()).collect()
            });
        }
        let array = |k: usize| {
            let elements = records.iter().map(|record| record[k]).collect();
            let extents = extents.clone();
            Value::Array(Rc::new(Manifest { extents, elements }))
        };
        Value::Bundle((0..elements.len()).map(array).collect())
    }
}
