//! Folds, scans and scatters of the interpreter.

use super::{State, Thread};
use crate::plan::body::{Statement, Value};
use crate::plan::{Fold, Prefix};
use crate::scalar::Scalar;

impl Thread<'_> {
    pub(super) fn fold(
        &mut self,
        extents: &[Value],
        vars: &[Value],
        body: &[Statement],
        folds: &[Fold],
    ) {
        self.scan(extents, vars, body, folds, |_, _| {});
    }

    /// A fold that shows its states before and after each point.
    pub(super) fn scan(
        &mut self,
        extents: &[Value],
        vars: &[Value],
        body: &[Statement],
        folds: &[Fold],
        mut each: impl FnMut(&mut Self, &[(Option<State>, State)]),
    ) {
        let mut states: Vec<Option<State>> = folds
            .iter()
            .map(|fold| {
                let initial = fold.initial.as_ref();
                initial.map(|values| values.iter().map(|&v| self.frame.get(v)).collect())
            })
            .collect();
        self.domain(extents, vars, |thread| {
            thread.run(body);
            let mut seen = Vec::new();
            for (fold, state) in folds.iter().zip(&mut states) {
                let elements: State = fold.elements.iter().map(|&v| thread.frame.get(v)).collect();
                let before = state.take();
                let through = match before.clone() {
                    None => elements,
                    Some(earlier) => {
                        let operands = fold.left.iter().zip(earlier);
                        for (&var, scalar) in operands.chain(fold.right.iter().zip(elements)) {
                            thread.frame.set(var, scalar);
                        }
                        thread.run(&fold.combine);
                        fold.combined.iter().map(|&v| thread.frame.get(v)).collect()
                    }
                };
                *state = Some(through.clone());
                seen.push((before, through));
            }
            each(thread, &seen);
        });
        for (fold, state) in folds.iter().zip(states) {
            for (k, &result) in fold.results.iter().enumerate() {
                let leaf = self.frame.types[result.0 as usize];
                let scalar = state.as_ref().map_or(Scalar::zero(leaf), |state| state[k]);
                self.frame.set(result, scalar);
            }
        }
    }

    /// Combines a fold's elements into what is there.
    pub(super) fn combine_at(&mut self, fold: &Fold, targets: &[usize], index: usize) {
        let there = targets.iter().map(|&at| self.buffers[at].0.borrow()[index]);
        let there: State = there.collect();
        let elements: State = fold.elements.iter().map(|&v| self.frame.get(v)).collect();
        let operands = fold.left.iter().zip(there);
        for (&var, scalar) in operands.chain(fold.right.iter().zip(elements)) {
            self.frame.set(var, scalar);
        }
        self.run(&fold.combine);
        for (&at, &value) in targets.iter().zip(&fold.combined) {
            self.buffers[at].0.borrow_mut()[index] = self.frame.get(value);
        }
    }

    pub(super) fn prefixes(&mut self, prefixes: &[Prefix], states: &[(Option<State>, State)]) {
        for (prefix, (before, through)) in prefixes.iter().zip(states) {
            for (k, &value) in prefix.through.iter().enumerate() {
                self.frame.set(value, through[k]);
            }
            for (k, &value) in prefix.before.iter().enumerate() {
                let zero = Scalar::zero(through[k].leaf);
                let scalar = before.as_ref().map_or(zero, |before| before[k]);
                self.frame.set(value, scalar);
            }
        }
    }
}
