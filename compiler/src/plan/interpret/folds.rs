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
        let mut states = self.begun(folds);
        self.domain(extents, vars, |thread| {
            thread.run(body);
            let mut seen = Vec::new();
            for (fold, state) in folds.iter().zip(&mut states) {
                seen.push(thread.next(fold, state));
            }
            each(thread, &seen);
        });
        self.ended(folds, states);
    }

    /// The states of folds before the first point.
    pub(super) fn begun(&self, folds: &[Fold]) -> Vec<Option<State>> {
        let values = |values: &Vec<Value>| values.iter().map(|&v| self.frame.get(v)).collect();
        let initial = folds.iter().map(|fold| fold.initial.as_ref().map(values));
        initial.collect()
    }

    /// Takes a point's elements into a state; the one before it and the one through it.
    pub(super) fn next(
        &mut self,
        fold: &Fold,
        state: &mut Option<State>,
    ) -> (Option<State>, State) {
        let elements: State = fold.elements.iter().map(|&v| self.frame.get(v)).collect();
        let before = state.take();
        let through = match before.clone() {
            None => elements,
            Some(earlier) => {
                let operands = fold.left.iter().zip(earlier);
                for (&var, scalar) in operands.chain(fold.right.iter().zip(elements)) {
                    self.frame.set(var, scalar);
                }
                self.run(&fold.combine);
                fold.combined.iter().map(|&v| self.frame.get(v)).collect()
            }
        };
        *state = Some(through.clone());
        (before, through)
    }

    /// Binds the results of folds.
    pub(super) fn ended(&mut self, folds: &[Fold], states: Vec<Option<State>>) {
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
        // What is there is read and written.
        self.frame.meter.work.elements(2 * targets.len());
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
