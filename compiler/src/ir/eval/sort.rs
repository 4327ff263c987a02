//! Sorts: row after row.

use super::value::least;
use super::{Elements, Machine, Manifest, Value};
use crate::ir::{Id, Node};
use std::rc::Rc;

impl Machine<'_> {
    pub(super) fn sort(&mut self, id: Id) -> Value {
        let program = self.program;
        let Node::Sort {
            extents,
            vars,
            elements,
            keys,
            left,
            right,
            less,
        } = program.node(id)
        else {
            unreachable!("no sort: {:?}", program.node(id));
        };
        let extents: Vec<u64> = extents.iter().map(|&e| self.scalar(e).bits).collect();
        let mut records: Vec<Vec<Value>> = Vec::new();
        self.for_each(id, &extents, vars, |machine| {
            records.push(machine.all(elements));
            machine.work.elements(elements.len());
        });
        let length = extents.last().map_or(1, |&length| length.max(1)) as usize;
        let stopped = self.stopped;
        let mut stopped_inside = stopped;
        for row in records.chunks_mut(length) {
            // Where they go depends on all keys of the row.
            let keyed = row.iter().flat_map(|record| &record[..*keys as usize]);
            let poison = keyed.map(|key| key.poison(&|_| true)).fold(None, least);
            if poison.is_some() {
                for value in row.iter_mut().flatten() {
                    *value = value.clone().poisoned(&poison);
                }
            }
            let Some(less) = *less else {
                self.work.keys(row.len(), *keys as usize);
                row.sort_by_key(|record| -> Vec<u64> {
                    let keys = record[..*keys as usize].iter();
                    keys.map(|key| key.bare().order()).collect()
                });
                continue;
            };
            let order = merged(row.len(), &mut |a, b| {
                for (vars, record) in [(left, &row[a]), (right, &row[b])] {
                    self.bind(vars, record);
                }
                self.forget(id, 1);
                self.stopped = stopped;
                let before = self.scalar(less).is_true();
                stopped_inside |= self.stopped;
                before
            });
            let sorted: Vec<Vec<Value>> = order.iter().map(|&at| row[at].clone()).collect();
            row.clone_from_slice(&sorted);
        }
        self.stopped = stopped_inside;
        let array = |k: usize| {
            let mut elements = Elements::default();
            records
                .iter()
                .for_each(|record| elements.push(record[k].clone()));
            let extents = extents.clone();
            Value::Array(Rc::new(Manifest { extents, elements }))
        };
        Value::Bundle((0..elements.len()).map(array).collect())
    }
}

/// The places below `count` as a stable sort by a comparison leaves them; in some order if it is none.
pub(crate) fn merged(count: usize, less: &mut dyn FnMut(usize, usize) -> bool) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    let mut length = 1;
    while length < count {
        let mut next = Vec::with_capacity(count);
        for pair in order.chunks(2 * length) {
            let (a, b) = pair.split_at(length.min(pair.len()));
            let (mut i, mut j) = (0, 0);
            while i < a.len() && j < b.len() {
                // Of equal ones the first.
                if less(b[j], a[i]) {
                    next.push(b[j]);
                    j += 1;
                } else {
                    next.push(a[i]);
                    i += 1;
                }
            }
            next.extend(&a[i..]);
            next.extend(&b[j..]);
        }
        order = next;
        length *= 2;
    }
    order
}
