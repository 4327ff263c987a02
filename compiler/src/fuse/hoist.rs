//! Where a node stands: as far out as its variables, its failures and its reads allow, if that pays.
//!
//! A read that leaves domains is switched off where one of them is empty, and so is known to what asks for it within these
//! only.

use super::estimate;
use super::place::{Body, Kind, Scope};
use super::sources::evaluated;
use crate::ir::{Id, Node};
use crate::plan::{Op, Value};
use crate::scalar::{Binary, Leaf};
use std::collections::BTreeSet;

/// What hoisting a node would mean.
#[derive(Default)]
struct Burden {
    fails: bool,
    reads: bool,
    work: f64,
}

/// Work that may be done in vain.
const CHEAP: f64 = 8.0;

impl Body<'_> {
    /// Whether something is read for a node that a scope would not read anyway.
    pub(super) fn reads(&self, id: Id, at: usize) -> bool {
        let (mut seen, mut open) = (BTreeSet::new(), vec![id]);
        while let Some(id) = open.pop() {
            let of =
                |scope: &Scope| scope.values.contains_key(&id) && !scope.nonempty.contains_key(&id);
            let there = self.scopes[..=at].iter().any(of)
                || self.scopes[at].certain.contains(&id)
                || self.sources.is_outside(self.program, id);
            if there || !seen.insert(id) {
                continue;
            }
            if matches!(self.program.node(id), Node::Index { .. }) {
                return true;
            }
            evaluated(self.program.node(id), |operand| open.push(operand));
        }
        false
    }

    /// Where to put a node that is asked for at scope `at`.
    pub(super) fn scope_for(&self, id: Id, at: usize) -> usize {
        let free = self.program.free(id);
        let bound = |scope: &Scope| scope.vars.iter().any(|var| free.contains(var));
        let lowest = self.scopes[..=at].iter().rposition(bound).unwrap_or(0);
        if matches!(self.program.node(id), Node::Constant(_)) {
            return 0;
        }
        (lowest..at)
            .find(|&scope| self.may_stand(id, scope, at))
            .unwrap_or(at)
    }

    fn may_stand(&self, id: Id, scope: usize, at: usize) -> bool {
        if self.scopes[scope].certain.contains(&id) {
            return true;
        }
        let crossed = &self.scopes[scope + 1..=at];
        let repeats = |scope: &Scope| matches!(scope.kind, Kind::Domain | Kind::Round);
        let pays = crossed.iter().any(repeats);
        let guarded = crossed.iter().all(|scope| scope.kind == Kind::Guarded);
        if !self.hoist || !(pays || guarded) {
            return false;
        }
        let burden = self.burden(id, scope);
        if burden.fails {
            return false;
        }
        // In bounds because of the domain, or of a condition: only the former can be asked again outside.
        if burden.reads {
            // Of all domains that are open, wherever within them it is asked for.
            let mut extents = self.scopes[scope + 2..]
                .iter()
                .flat_map(|scope| &scope.extents);
            return crossed.iter().all(|scope| scope.kind == Kind::Domain)
                && extents.all(|&extent| self.stands(extent, scope));
        }
        burden.work <= CHEAP || (pays && crossed.iter().all(repeats))
    }

    /// Whether a value is one of the host's, or was found at a scope.
    fn stands(&self, value: Value, at: usize) -> bool {
        let found = |scope: &Scope| scope.values.values().any(|&known| known == value);
        self.scalars.iter().any(|&(known, _)| known == value)
            || self.scopes[..=at].iter().any(found)
    }

    /// What a node would bring with it to a scope, beside what is there anyway.
    fn burden(&self, id: Id, scope: usize) -> Burden {
        let mut burden = Burden::default();
        let (mut seen, mut open) = (BTreeSet::new(), vec![id]);
        while let Some(id) = open.pop() {
            let there = self.known(id, scope).is_some()
                || self.scopes[scope].certain.contains(&id)
                || self.sources.is_outside(self.program, id);
            if there || !seen.insert(id) {
                continue;
            }
            let node = self.program.node(id);
            burden.work += estimate::own(self.program, id);
            match node {
                Node::Guard { .. } | Node::Loop { .. } => burden.fails = true,
                Node::If { .. } => burden.work += CHEAP,
                // However cheap its elements are, there may be many.
                Node::Reduce { .. } => burden.work += 2.0 * CHEAP,
                Node::Index { indices, .. } => {
                    burden.reads = true;
                    open.extend(indices);
                    continue;
                }
                // Proved not to divide by zero where it stands, which may not hold outside.
                Node::Binary(Binary::Div | Binary::Rem, a, b) => {
                    burden.reads |= !self.program.leaf(*a).is_float()
                        && !matches!(self.program.node(*b), Node::Constant(_));
                    burden.fails |= burden.reads;
                }
                _ => {}
            }
            evaluated(node, |operand| open.push(operand));
        }
        burden
    }

    /// What must hold for a read that leaves the domains between `at` and the innermost scope.
    pub(super) fn nonempty(&mut self, at: usize) -> Option<Value> {
        let mut guard = self.scopes[at].guard;
        for scope in at + 1..self.scopes.len() {
            for extent in self.scopes[scope].extents.clone() {
                let zero = self.usize(0, 0);
                let holds = self.op(at, Leaf::Bool, Op::Binary(Binary::Ne, extent, zero));
                guard = Some(match guard {
                    Some(guard) => self.op(at, Leaf::Bool, Op::Binary(Binary::And, guard, holds)),
                    None => holds,
                });
            }
        }
        guard
    }
}
