//! Which values are the same in all lanes.
//!
//! A value varies if an operand varies, if it joins branches of a condition that varies, or if it is the state of a
//! loop that lanes leave at different rounds and that is read afterwards. Inside such a loop the lanes that still
//! live are all in the same round, so there a state may be uniform all the same: see [`Analysis::inside`].

use crate::plan::body::{Carry, Fold, Statement, Value};
use crate::sorted::SortedSet;

/// The result: what varies.
#[derive(Clone, Default, Debug)]
pub(super) struct Analysis {
    varying: SortedSet<Value>,
    /// States of loops that vary inside their loop.
    inside: SortedSet<Value>,
    /// First states of searches that are taken to find the same in all lanes.
    shared: SortedSet<Value>,
}

impl Analysis {
    /// Of `statements`, where the values in `roots` vary.
    pub(super) fn new(roots: impl IntoIterator<Item = Value>, statements: &[Statement]) -> Self {
        Analysis::sharing(SortedSet::new(), roots, statements)
    }

    /// The same, where searches of these first states are taken to find the same in all lanes.
    pub(super) fn sharing(
        shared: SortedSet<Value>,
        roots: impl IntoIterator<Item = Value>,
        statements: &[Statement],
    ) -> Self {
        let mut analysis = Analysis {
            varying: roots.into_iter().collect(),
            inside: SortedSet::new(),
            shared,
        };
        analysis.block(statements);
        analysis
    }

    /// Whether lanes may differ. For the state of a loop: after the loop.
    pub(super) fn varies(&self, value: Value) -> bool {
        self.varying.contains(&value)
    }

    /// Whether lanes may differ in the state of a loop, in a round of the loop.
    pub(super) fn inside(&self, state: Value) -> bool {
        self.inside.contains(&state)
    }

    fn mark(&mut self, value: Value, varies: bool) {
        if varies {
            self.varying.insert(value);
        }
    }

    fn any<'a>(&self, values: impl IntoIterator<Item = &'a Value>) -> bool {
        values.into_iter().any(|value| self.varies(*value))
    }

    fn block(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Let { value, op } => {
                let varies = self.any(&op.operands());
                self.mark(*value, varies);
            }
            Statement::Load {
                value,
                index,
                guard,
                ..
            } => {
                let varies = self.varies(*index) || self.any(guard);
                self.mark(*value, varies);
            }
            Statement::Store { .. } | Statement::Check { .. } => {}
            Statement::If {
                condition,
                then,
                otherwise,
                results,
            } => {
                self.block(then);
                self.block(otherwise);
                for join in results {
                    let varies = self.any([condition, &join.then, &join.otherwise]);
                    self.mark(join.result, varies);
                }
            }
            Statement::Loop {
                state,
                test,
                condition,
                body,
            } => self.a_loop(state, test, *condition, body),
            Statement::Fold {
                extents,
                vars: _,
                body,
                folds,
            } => {
                // The counters run alike in all lanes; where extents vary, lanes stop at different counts.
                self.block(body);
                let varies = self.any(extents);
                for fold in folds {
                    self.fold(fold, varies);
                }
            }
        }
    }

    fn a_loop(
        &mut self,
        state: &[Carry],
        test: &[Statement],
        condition: Value,
        body: &[Statement],
    ) {
        if state
            .first()
            .is_some_and(|low| self.shared.contains(&low.state))
        {
            return;
        }
        for carry in state {
            let varies = self.varies(carry.initial);
            self.mark(carry.state, varies);
        }
        loop {
            self.block(test);
            self.block(body);
            let mut changed = false;
            for carry in state {
                if self.varies(carry.next) && !self.varies(carry.state) {
                    self.mark(carry.state, true);
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        for carry in state {
            if self.varies(carry.state) {
                self.inside.insert(carry.state);
            }
            let varies = self.varies(condition);
            self.mark(carry.state, varies);
        }
    }

    fn fold(&mut self, fold: &Fold, extents_vary: bool) {
        let mut varies =
            extents_vary || self.any(&fold.elements) || self.any(fold.initial.iter().flatten());
        loop {
            if varies {
                for value in fold.left.iter().chain(&fold.right).chain(&fold.results) {
                    self.mark(*value, true);
                }
            }
            self.block(&fold.combine);
            if varies || !self.any(&fold.combined) {
                break;
            }
            varies = true;
        }
    }
}
