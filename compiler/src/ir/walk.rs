//! What an expression has inside, of each node once: found when the node is added, from its operands.
//!
//! *Inside* an expression is what is evaluated with it: not the arrays that it reads, which were computed before.

use super::{Id, Node, Program, Type, trips};

/// See the methods of [`Program`] of the same names.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Contents {
    may_fail: bool,
    may_be_apart: bool,
    guards: bool,
    moves: bool,
    reads: bool,
    loops: bool,
}

impl Program {
    /// Whether evaluating this may report a failure, or not end.
    pub(crate) fn may_fail(&self, id: Id) -> bool {
        self.contents[id.0 as usize].may_fail
    }

    /// Whether there may be something inside that is computed by itself: a reduction, or a branch or loop that the host runs.
    pub(crate) fn may_be_apart(&self, id: Id) -> bool {
        self.contents[id.0 as usize].may_be_apart
    }

    /// Whether there is a guard anywhere in it, in the arrays that it reads, too.
    pub(crate) fn guards(&self, id: Id) -> bool {
        self.contents[id.0 as usize].guards
    }

    /// Whether there is a scatter, a compaction or a sort anywhere in it, in the arrays that it reads, too.
    pub(crate) fn moves(&self, id: Id) -> bool {
        self.contents[id.0 as usize].moves
    }

    /// Whether it depends on elements of arrays, and not on indices, extents and scalars alone.
    pub(crate) fn reads(&self, id: Id) -> bool {
        self.contents[id.0 as usize].reads
    }

    /// Whether there is a loop anywhere in it, in the arrays that it reads, too: it may not end.
    pub(crate) fn loops(&self, id: Id) -> bool {
        self.contents[id.0 as usize].loops
    }

    /// Of a node that is being added.
    pub(super) fn contents_of(&self, node: &Node) -> Contents {
        let mut contents = Contents::default();
        let of = |id: Id| self.contents[id.0 as usize];
        node.operands(|id| {
            contents.guards |= of(id).guards;
            contents.moves |= of(id).moves;
            contents.reads |= of(id).reads;
            contents.loops |= of(id).loops;
        });
        let mut inside = |id: Id| {
            contents.may_fail |= of(id).may_fail;
            contents.may_be_apart |= of(id).may_be_apart;
        };
        match node {
            Node::Index { indices, .. } => indices.iter().copied().for_each(inside),
            Node::Materialize(_) | Node::Generate { .. } => {}
            node => node.operands(&mut inside),
        }
        let is_array = |&id: &Id| matches!(self.ty(id), Type::Array(..));
        match node {
            Node::Guard { .. } => {
                contents.may_fail = true;
                contents.guards = true;
            }
            Node::Loop { initial, .. } => {
                contents.may_fail |= !trips::ends(self, node);
                contents.loops = true;
                contents.may_be_apart |= initial.iter().any(is_array);
            }
            Node::If {
                then, otherwise, ..
            } => {
                contents.may_be_apart |= then.iter().chain(otherwise).any(is_array);
            }
            Node::Reduce { .. } => contents.may_be_apart = true,
            Node::Scatter { .. } | Node::Compact { .. } | Node::Sort { .. } => {
                contents.moves = true;
            }
            _ => {}
        }
        contents.may_be_apart |= contents.moves;
        contents.reads |= matches!(node, Node::Index { .. });
        contents
    }
}
