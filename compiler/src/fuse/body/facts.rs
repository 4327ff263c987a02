//! Conditions of dominating branches: what they have decided is not tested again.

use crate::fuse::body::Body;
use crate::ir::{Id, Node};
use crate::plan::Value;
use crate::scalar::{Binary, Unary};

/// How deep conditions are looked into: they share parts, which are looked at once for each way to them.
const DEPTH: usize = 6;
/// What is known of one side, at most.
const MOST_FACTS: usize = 16;

impl Body<'_> {
    /// Whether a condition holds in the innermost scope, if the branches around it say so.
    pub(in crate::fuse) fn decided(&self, condition: Id) -> Option<bool> {
        match self.scopes.iter().all(|scope| scope.facts.is_empty()) {
            true => None,
            false => self.decided_within(condition, DEPTH),
        }
    }

    fn decided_within(&self, condition: Id, depth: usize) -> Option<bool> {
        if let Some(value) = self.known(condition, self.scopes.len() - 1) {
            let mut facts = self.scopes.iter().flat_map(|scope| &scope.facts);
            if let Some(&(_, holds)) = facts.find(|(fact, _)| *fact == value) {
                return Some(holds);
            }
        }
        let depth = depth.checked_sub(1)?;
        match *self.program.node(condition) {
            Node::Unary(Unary::Not, of) => self.decided_within(of, depth).map(|holds| !holds),
            Node::Binary(op @ (Binary::And | Binary::Or), a, b) => {
                // What decides it alone.
                let alone = op == Binary::Or;
                match (self.decided_within(a, depth), self.decided_within(b, depth)) {
                    (Some(a), _) if a == alone => Some(alone),
                    (_, Some(b)) if b == alone => Some(alone),
                    (Some(_), Some(_)) => Some(!alone),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// What of a condition that is not decided is left to be tested: the other side of one that changes nothing.
    pub(in crate::fuse) fn undecided(&self, mut condition: Id) -> Id {
        while let Node::Binary(op @ (Binary::And | Binary::Or), a, b) =
            *self.program.node(condition)
        {
            let neutral = Some(op == Binary::And);
            condition = match (self.decided(a), self.decided(b)) {
                (a, _) if a == neutral => b,
                (_, b) if b == neutral => a,
                _ => break,
            };
        }
        condition
    }

    /// What is known where a condition holds, or does not: of a conjunction that holds, all that it is of; of a branch that gives
    /// `false` on one side, that the other is taken.
    pub(in crate::fuse) fn facts(&self, condition: Id, holds: bool) -> Vec<(Value, bool)> {
        let mut facts = Vec::new();
        let mut open = vec![(condition, holds)];
        for _ in 0..MOST_FACTS {
            let Some((id, holds)) = open.pop() else {
                break;
            };
            let known = self.known(id, self.scopes.len() - 1);
            facts.extend(known.map(|value| (value, holds)));
            match *self.program.node(id) {
                Node::Unary(Unary::Not, of) => open.push((of, !holds)),
                Node::Binary(Binary::And, a, b) if holds => open.extend([(a, true), (b, true)]),
                Node::Binary(Binary::Or, a, b) if !holds => open.extend([(a, false), (b, false)]),
                Node::Project(bundle, k) => {
                    if let Node::If {
                        condition,
                        then,
                        otherwise,
                    } = self.program.node(bundle)
                    {
                        let other = |side: &[Id]| {
                            let value = self.program.node(side[k as usize]);
                            matches!(value, Node::Constant(value) if value.is_true() != holds)
                        };
                        match (other(then), other(otherwise)) {
                            (false, true) => {
                                open.extend([(*condition, true), (then[k as usize], holds)]);
                            }
                            (true, false) => {
                                open.extend([(*condition, false), (otherwise[k as usize], holds)]);
                            }
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
        facts
    }
}
