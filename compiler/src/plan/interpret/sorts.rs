//! Sorts of rows.

use super::{State, Thread};
use crate::ir::eval::sort::merged;
use crate::plan::Comparison;

impl Thread<'_> {
    /// Brings the elements of a row in the order of their keys, or in the one that a comparison says.
    pub(super) fn sort(&mut self, keys: usize, by: Option<&Comparison>, row: &mut [State]) {
        let Some(by) = by else {
            self.frame.meter.work.keys(row.len(), keys);
            return row.sort_by_key(|element| -> Vec<u64> {
                element[..keys].iter().map(|key| key.order()).collect()
            });
        };
        let order = merged(row.len(), &mut |a, b| {
            for (vars, element) in [(&by.left, &row[a]), (&by.right, &row[b])] {
                for (&var, &key) in vars.iter().zip(element) {
                    self.frame.set(var, key);
                }
            }
            self.stopped = false;
            self.run(&by.body);
            self.frame.is(by.less)
        });
        let sorted: Vec<State> = order.iter().map(|&at| row[at].clone()).collect();
        row.clone_from_slice(&sorted);
    }
}
