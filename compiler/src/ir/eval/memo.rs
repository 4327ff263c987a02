//! Which values are kept: those that depend on no variable that has been bound anew.

use super::{Machine, Value};
use crate::ir::{Id, Node, Var};
use crate::sorted::SortedSet;
use std::rc::Rc;

impl Machine<'_> {
    pub(super) fn bind(&mut self, vars: &[Var], values: &[Value]) {
        for (var, value) in vars.iter().zip(values) {
            self.vars[var.0 as usize] = Some(value.clone());
        }
    }

    /// Forgets what depends on a group of the variables bound by `id`; the last group is the last index alone.
    pub(super) fn forget(&mut self, id: Id, group: usize) {
        let dependent = match &self.dependent[id.0 as usize] {
            Some(dependent) => Rc::clone(dependent),
            None => {
                let dependent: Rc<[Vec<Id>]> = self.find_dependent(id).into();
                self.dependent[id.0 as usize] = Some(Rc::clone(&dependent));
                dependent
            }
        };
        for id in &dependent[group.min(dependent.len() - 1)] {
            self.values[id.0 as usize] = None;
        }
    }

    fn find_dependent(&self, id: Id) -> Vec<Vec<Id>> {
        let node = self.program.node(id);
        let mut groups: Vec<Vec<Var>> = match node {
            Node::Reduce {
                vars, left, right, ..
            }
            | Node::Scan {
                vars, left, right, ..
            }
            | Node::Scatter {
                vars, left, right, ..
            }
            | Node::Sort {
                vars, left, right, ..
            } => vec![vars.clone(), [&left[..], right].concat()],
            _ => vec![node.bound()],
        };
        groups.push(groups[0].last().copied().into_iter().collect());
        let group = |vars: Vec<Var>| {
            let mut seen = SortedSet::new();
            let mut open = vec![id];
            while let Some(id) = open.pop() {
                self.program.node(id).operands(|operand| {
                    let free = self.program.free(operand);
                    if vars.iter().any(|var| free.contains(var)) && seen.insert(operand) {
                        open.push(operand);
                    }
                });
            }
            seen.into_iter().collect()
        };
        groups.into_iter().map(group).collect()
    }
}
