//! Decides which nodes of a text get a line of their own, and in which region.

use super::Printer;
use crate::ir::{Id, Node, QuickMap, scopes};
use crate::sorted::SortedSet;

/// A list of lines: the program's, or one of a region.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Scope(pub(super) usize);

/// Inline text longer than this many symbols gets a line of its own.
const LONG: usize = 24;

/// As [`scopes::regions`], but a text has one region for all of a loop, and none for what is guarded.
fn regions(node: &Node) -> (Vec<Id>, Vec<Vec<Id>>) {
    match node {
        Node::Loop { .. } => {
            let (outside, inside) = scopes::regions(node);
            (outside, vec![inside.concat()])
        }
        Node::Guard { .. } => {
            let mut operands = Vec::new();
            node.operands(|id| operands.push(id));
            (operands, Vec::new())
        }
        _ => scopes::regions(node),
    }
}

impl Printer<'_> {
    /// Decides which nodes get a line, and where.
    pub(super) fn place(&mut self) {
        let mut uses: QuickMap<Id, Vec<Scope>> = QuickMap::default();
        let top = Scope(0);
        for root in self.program.roots() {
            uses.entry(root).or_default().push(top);
        }
        let long = self.long();
        for id in self.program.ids().collect::<Vec<_>>().into_iter().rev() {
            let Some(found) = uses.remove(&id) else {
                continue;
            };
            let scope = found
                .iter()
                .copied()
                .reduce(|a, b| self.common(a, b))
                .expect("a use");
            let node = self.program.node(id);
            let (outside, inside) = regions(node);
            if !is_atom(node) && (found.len() > 1 || long.contains(&id) || !inside.is_empty()) {
                self.lines.entry(scope).or_default().insert(id);
            }
            for operand in outside {
                uses.entry(operand).or_default().push(scope);
            }
            for region in inside {
                let inner = Scope(self.scopes.len());
                self.scopes.push((scope, self.scopes[scope.0].1 + 1));
                self.regions.entry(id).or_default().push(inner);
                for operand in region {
                    uses.entry(operand).or_default().push(inner);
                }
            }
        }
    }

    /// Nodes whose text would be too long to stand inside another's.
    fn long(&self) -> SortedSet<Id> {
        let count = self.program.nodes.len();
        let (mut sizes, mut uses) = (vec![0usize; count], vec![0usize; count]);
        let mut long = SortedSet::new();
        for id in self.program.ids() {
            let node = self.program.node(id);
            node.operands(|operand| uses[operand.0 as usize] += 1);
        }
        for id in self.program.ids() {
            let node = self.program.node(id);
            let mut size = 1;
            node.operands(|operand| {
                let operand = operand.0 as usize;
                // A node with several uses will have a name.
                size += if uses[operand] > 1 { 1 } else { sizes[operand] };
            });
            if !regions(node).1.is_empty() {
                size = 1;
            } else if size > LONG {
                long.insert(id);
                size = 1;
            }
            sizes[id.0 as usize] = size;
        }
        long
    }

    fn common(&self, mut a: Scope, mut b: Scope) -> Scope {
        while a != b {
            let (deep_a, deep_b) = (self.scopes[a.0].1, self.scopes[b.0].1);
            if deep_a >= deep_b {
                a = self.scopes[a.0].0;
            }
            if deep_b >= deep_a {
                b = self.scopes[b.0].0;
            }
        }
        a
    }
}

/// A node that never gets a line: it is as short as a name.
fn is_atom(node: &Node) -> bool {
    is_plain(node)
        || matches!(
            node,
            Node::Input { .. } | Node::Variable(_) | Node::Project(..)
        )
}

/// A number or a name of the program's own.
pub(super) fn is_plain(node: &Node) -> bool {
    matches!(
        node,
        Node::Constant(_) | Node::Parameter(_) | Node::Extent { .. }
    )
}
