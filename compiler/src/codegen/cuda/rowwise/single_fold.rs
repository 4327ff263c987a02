//! Rows of a single fold: what stands before it, what it folds, and what stands after it.

use crate::plan::{Fold, Phase, Statement, Value, uses};
use crate::sorted::SortedSet;

/// The phases of such rows.
pub(super) struct SingleFold<'a> {
    /// Once per row, before the fold and after it.
    pub(super) before: Vec<&'a Statement>,
    pub(super) after: Vec<&'a Statement>,
    /// Of the fold.
    pub(super) extents: &'a [Value],
    pub(super) vars: &'a [Value],
    pub(super) body: &'a [Statement],
    pub(super) folds: &'a [Fold],
}

impl<'a> SingleFold<'a> {
    /// Nothing where there are more phases than these.
    pub(super) fn of(phases: &'a [Phase]) -> Option<SingleFold<'a>> {
        let at = (phases.iter()).position(|phase| matches!(phase, Phase::Fold { .. }))?;
        let Phase::Fold {
            extents,
            vars,
            body,
            folds,
        } = &phases[at]
        else {
            return None;
        };
        let uniform = |phases: &'a [Phase]| -> Option<Vec<&'a Statement>> {
            let lists = phases.iter().map(|phase| match phase {
                Phase::Uniform(list) => Some(list),
                _ => None,
            });
            let lists: Option<Vec<_>> = lists.collect();
            Some(lists?.into_iter().flatten().collect())
        };
        Some(SingleFold {
            before: uniform(&phases[..at])?,
            after: uniform(&phases[at + 1..])?,
            extents,
            vars,
            body,
            folds,
        })
    }

    /// What an element of the fold takes from outside of it.
    pub(super) fn wanted(&self) -> SortedSet<Value> {
        let mut wanted = uses::free(self.body);
        wanted.extend(self.folds.iter().flat_map(|fold| &fold.elements));
        wanted
    }

    /// The statements before the fold that these values need.
    pub(super) fn needed(&self, mut wanted: SortedSet<Value>) -> Vec<Statement> {
        let mut needed = Vec::new();
        for statement in self.before.iter().rev() {
            let list = std::slice::from_ref(*statement);
            let given = uses::defined(list);
            if given.iter().any(|value| wanted.contains(value)) {
                wanted.extend(uses::free(list));
                needed.push((*statement).clone());
            }
        }
        needed.reverse();
        needed
    }
}
