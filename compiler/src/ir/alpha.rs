//! Equality up to the names of bound variables: a hash and a comparison, for [`Program::add`].

use super::{Id, Node, Program, QuickHasher, Type, Var};
use crate::scalar::Leaf;
use crate::sorted::SortedSet;
use std::hash::{Hash, Hasher};

impl Program {
    /// Equal for nodes that differ in the names of variables only. It is made of the hashes of the operands, so that no
    /// region is walked through: which of the variables of a type is meant takes no part in it.
    pub(super) fn shape(&self, node: &Node) -> u64 {
        let mut hasher = QuickHasher::default();
        if let Node::Variable(var) = node {
            self.var_leaf(*var).hash(&mut hasher);
            return hasher.finish();
        }
        node.kind().hash(&mut hasher);
        for var in node.bound() {
            self.var_leaf(var).hash(&mut hasher);
        }
        node.operands(|id| self.shapes[id.0 as usize].hash(&mut hasher));
        hasher.finish()
    }

    fn var_leaf(&self, var: Var) -> (Option<Leaf>, usize) {
        match self.var_type(var) {
            Type::Scalar(leaf) => (Some(*leaf), 0),
            Type::Array(leaf, extents) => (Some(*leaf), 1 + extents.len()),
            Type::Bundle(_) => (None, 0),
        }
    }

    /// Whether two nodes differ in the names of bound variables only.
    pub(super) fn alpha_equal(&self, a: &Node, b: &Node) -> bool {
        self.equal_under(a, b, &mut Vec::new(), &mut SortedSet::new())
    }

    /// The same under the variables of the regions around the two.
    fn equal_under(
        &self,
        a: &Node,
        b: &Node,
        around: &mut Vec<(Var, Var)>,
        done: &mut SortedSet<(Id, Id)>,
    ) -> bool {
        if let (Node::Variable(x), Node::Variable(y)) = (a, b) {
            let bound = around.iter().rev().find(|(var, _)| var == x);
            return bound.map_or(x, |(_, to)| to) == y;
        }
        let (bound_a, bound_b) = (a.bound(), b.bound());
        if bound_a.len() != bound_b.len() {
            return false;
        }
        let same = |(&x, &y): (&Var, &Var)| self.var_leaf(x) == self.var_leaf(y);
        if !bound_a.iter().zip(&bound_b).all(same) {
            return false;
        }
        if a.kind() != b.kind() {
            return false;
        }
        let list = |node: &Node| {
            let mut operands = Vec::new();
            node.operands(|id| operands.push(id));
            operands
        };
        let (operands_a, operands_b) = (list(a), list(b));
        let scoped = !bound_a.is_empty();
        let mut fresh = SortedSet::new();
        let done = if scoped { &mut fresh } else { done };
        let outer = around.len();
        around.extend(bound_a.iter().copied().zip(bound_b));
        let equal = operands_a.into_iter().zip(operands_b).all(|(x, y)| {
            let open = |id: Id| around.iter().any(|(var, _)| self.free(id).contains(var));
            if x == y && !open(x) {
                return true;
            }
            if self.shapes[x.0 as usize] != self.shapes[y.0 as usize] {
                return false;
            }
            if done.contains(&(x, y)) {
                return true;
            }
            let equal = self.equal_under(self.node(x), self.node(y), around, done);
            if equal {
                done.insert((x, y));
            }
            equal
        });
        around.truncate(outer);
        equal
    }
}
