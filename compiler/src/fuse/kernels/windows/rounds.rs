//! Loops and folds of a body far from the edges: written out where their rounds are known, else as they are.

use super::interior::Interior;
use crate::plan::body::Carry;
use crate::plan::{Fold, Op, Statement, Value, uses};
use crate::scalar::{Leaf, Math, Scalar};

/// Rounds of a loop beyond which it stays one.
const ROUNDS: u64 = 256;
/// Statements beyond which no more loops are written out.
const LONG: usize = 4096;

impl Interior<'_> {
    /// Writes out all rounds of a loop, if it is known how many there are.
    pub(super) fn rounds(
        &mut self,
        state: &[Carry],
        test: &[Statement],
        condition: Value,
        body: &[Statement],
    ) -> bool {
        // A round that fails is the last one.
        if uses::checks(test) || uses::checks(body) {
            return false;
        }
        let mut states: Vec<Value> = state.iter().map(|carry| self.of(carry.initial)).collect();
        for _ in 0..=ROUNDS {
            for (carry, &value) in state.iter().zip(&states) {
                self.renamed.insert(carry.state, value);
            }
            self.list(test);
            match self.truth(self.of(condition)) {
                Some(false) => return true,
                Some(true) if self.written < LONG => {}
                _ => return false,
            }
            self.list(body);
            states = state.iter().map(|carry| self.of(carry.next)).collect();
        }
        false
    }

    pub(super) fn repeat(
        &mut self,
        state: &[Carry],
        test: &[Statement],
        condition: Value,
        body: &[Statement],
    ) {
        let initial: Vec<Value> = state.iter().map(|carry| self.of(carry.initial)).collect();
        let states: Vec<Value> = state.iter().map(|carry| self.opaque(carry.state)).collect();
        let test = self.nested(test);
        let condition = self.of(condition);
        let body = self.nested(body);
        let carries = state.iter().zip(states).zip(initial);
        let carries = carries.map(|((carry, state), initial)| Carry {
            state,
            initial,
            next: self.of(carry.next),
        });
        let state = carries.collect();
        self.push(Statement::Loop {
            state,
            test,
            condition,
            body,
        });
    }

    /// Writes out a fold over few elements, if it is known how many.
    pub(super) fn unrolled(
        &mut self,
        extents: &[Value],
        vars: &[Value],
        body: &[Statement],
        folds: &[Fold],
    ) -> bool {
        let sizes = extents
            .iter()
            .map(|&extent| self.constants.get(&self.of(extent)));
        let Some(sizes) = sizes
            .map(|size| size.map(|size| size.bits))
            .collect::<Option<Vec<u64>>>()
        else {
            return false;
        };
        let points = sizes
            .iter()
            .try_fold(1u64, |all, &size| all.checked_mul(size));
        let Some(points @ 1..=ROUNDS) = points else {
            return false;
        };
        let checked = folds.iter().any(|fold| uses::checks(&fold.combine));
        if checked || uses::checks(body) {
            return false;
        }
        let initial = folds
            .iter()
            .map(|fold| fold.initial.as_ref().map(|initial| self.all(initial)));
        let mut states: Vec<Option<Vec<Value>>> = initial.collect();
        for point in 0..points {
            let mut rest = point;
            for (&var, size) in vars.iter().zip(&sizes).rev() {
                let at = self.operation(Op::Constant(Scalar::wrapped(Leaf::U64, rest % size)), var);
                self.renamed.insert(var, at);
                rest /= size;
            }
            self.list(body);
            for (fold, state) in folds.iter().zip(&mut states) {
                let elements = self.all(&fold.elements);
                *state = Some(match state.take() {
                    None => elements,
                    Some(left) => self.combined(fold, body, &left, &elements),
                });
            }
            if self.written >= LONG {
                return false;
            }
        }
        for (fold, state) in folds.iter().zip(states) {
            for (&result, value) in fold.results.iter().zip(state.into_iter().flatten()) {
                self.renamed.insert(result, value);
            }
        }
        true
    }

    /// What a fold makes of two operands.
    fn combined(
        &mut self,
        fold: &Fold,
        body: &[Statement],
        left: &[Value],
        right: &[Value],
    ) -> Vec<Value> {
        let Some(known) = &fold.known else {
            let parameters = fold
                .left
                .iter()
                .zip(left)
                .chain(fold.right.iter().zip(right));
            for (&parameter, &operand) in parameters {
                self.renamed.insert(parameter, operand);
            }
            self.list(&fold.combine);
            return self.all(&fold.combined);
        };
        let mut results = Vec::new();
        for (k, &op) in known.iter().enumerate() {
            let result = fold.results[k];
            let is_float = self.values.leaf(result).is_float();
            // As the fold does it that stands in the body.
            let op = match fold.factors(k, is_float, body) {
                Some((a, b)) => Op::Math(Math::MulAdd, vec![self.of(a), self.of(b), left[k]]),
                None => Op::Binary(op, left[k], right[k]),
            };
            results.push(self.operation(op, result));
        }
        results
    }

    pub(super) fn fold(
        &mut self,
        extents: &[Value],
        vars: &[Value],
        body: &[Statement],
        folds: &[Fold],
    ) {
        let extents = self.all(extents);
        let initial = folds
            .iter()
            .map(|fold| fold.initial.as_ref().map(|initial| self.all(initial)));
        let initial: Vec<Option<Vec<Value>>> = initial.collect();
        let vars = vars.iter().map(|&var| self.opaque(var)).collect();
        let body = self.nested(body);
        let mut done = Vec::new();
        for (fold, initial) in folds.iter().zip(initial) {
            let elements = self.all(&fold.elements);
            let [left, right] = [&fold.left, &fold.right]
                .map(|side| side.iter().map(|&value| self.opaque(value)).collect());
            let combine = self.nested(&fold.combine);
            let combined = self.all(&fold.combined);
            let results = fold
                .results
                .iter()
                .map(|&value| self.opaque(value))
                .collect();
            done.push(Fold {
                elements,
                left,
                right,
                combine,
                combined,
                initial,
                known: fold.known.clone(),
                results,
                ..*fold
            });
        }
        self.push(Statement::Fold {
            extents,
            vars,
            body,
            folds: done,
        });
    }
}
