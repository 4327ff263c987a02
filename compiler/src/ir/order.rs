//! An order of expressions that does not depend on when they were made, nor on which variables they mention: the
//! canonical order of operands that commute. Two elements of one source that are computed over different variables
//! get the same order, so they become one expression where they meet in a kernel.

use super::{Id, Node, Program};
use std::cmp::Ordering;

/// The kinds and operations of an expression from its root, as far as they fit; deeper expressions first.
pub(crate) type Key = [u32; 12];

impl Program {
    /// Compares by structure. Equal does not mean the same: whoever sorts keeps the order it finds.
    pub fn compare(&self, a: Id, b: Id) -> Ordering {
        self.keys[a.0 as usize].cmp(&self.keys[b.0 as usize])
    }

    pub(super) fn key(&self, node: &Node) -> Key {
        let mut key = [0; 12];
        let mut depth = 0;
        let mut length = 3;
        (key[1], key[2]) = token(node);
        node.operands(|operand| {
            let inner = &self.keys[operand.0 as usize];
            depth = depth.max(u32::MAX - inner[0]);
            for &token in inner[1..].iter().filter(|&&token| token != 0) {
                if length < key.len() {
                    key[length] = token;
                    length += 1;
                }
            }
        });
        let leaf = length == 3 && depth == 0;
        key[0] = u32::MAX - if leaf { 0 } else { depth + 1 };
        key
    }
}

/// A number for the kind of a node and one for what it says; neither is zero.
fn token(node: &Node) -> (u32, u32) {
    match node {
        Node::Variable(_) => (1, 1),
        Node::Extent { array, axis } => (2, 1 + array * 16 + axis),
        Node::Parameter(k) => (3, 1 + k),
        Node::Input { array, leaf } => (4, 1 + array * 256 + leaf),
        Node::Index { indices, .. } => (5, 1 + indices.len() as u32),
        Node::Unary(op, _) => (6, 1 + *op as u32),
        Node::Binary(op, ..) => (7, 1 + *op as u32),
        Node::Math(f, _) => (8, 1 + *f as u32),
        Node::Foreign(f, _) => (25, 1 + (f.id() >> 33) as u32),
        Node::Routine { routine, .. } => (26, 1 + routine.function as u32),
        Node::OnCuda => (27, 1),
        Node::Select(..) => (9, 1),
        Node::Cast(leaf, _) => (10, 1 + *leaf as u32),
        Node::Bitcast(leaf, _) => (11, 1 + *leaf as u32),
        Node::Project(_, k) => (12, 1 + k),
        Node::Guard { site, .. } => (13, 1 + site.0),
        Node::Demand { .. } => (14, 1),
        Node::If { .. } => (15, 1),
        Node::Loop { .. } => (16, 1),
        Node::Generate { .. } => (17, 1),
        Node::Reduce { .. } => (18, 1),
        Node::Materialize(_) => (19, 1),
        Node::Scan { .. } => (21, 1),
        Node::Scatter { .. } => (22, 1),
        Node::Compact { .. } => (23, 1),
        Node::Sort { keys, .. } => (24, 1 + keys),
        Node::Constant(constant) => (20, 1 + (constant.bits ^ (constant.bits >> 32)) as u32 / 2),
    }
}
