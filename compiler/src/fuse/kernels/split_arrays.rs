//! Simplifies the parts of a split domain: a choice by an index is none where the index runs over one side only.
//!
//! In: expressions over a domain. Out: the same without those choices, and with simple indices.

use crate::fuse::body::collapse::Domain;
use crate::fuse::body::sources::Sources;
use crate::ir::{Id, Node, Program, QuickMap, Type};
use crate::scalar::{Binary, Leaf};

/// Replaces choices that are known by what is chosen.
pub(in crate::fuse) struct Rewriter<'a> {
    program: &'a mut Program,
    sources: &'a mut Sources,
    domain: &'a Domain,
    done: QuickMap<Id, Id>,
    /// Whether there were any.
    pub(in crate::fuse) some: bool,
}

impl<'a> Rewriter<'a> {
    pub(in crate::fuse) fn new(
        program: &'a mut Program,
        sources: &'a mut Sources,
        domain: &'a Domain,
    ) -> Rewriter<'a> {
        Rewriter {
            program,
            sources,
            domain,
            done: QuickMap::default(),
            some: false,
        }
    }

    /// A condition is known.
    pub(in crate::fuse) fn suppose(&mut self, condition: Id, holds: bool) {
        let holds = self.program.bool(holds);
        self.done.insert(condition, holds);
    }

    fn depends(&self, id: Id) -> bool {
        let free = self.program.free(id);
        self.domain.vars.iter().any(|var| free.contains(var))
    }

    pub(in crate::fuse) fn resolve(&mut self, id: Id) -> Id {
        let outside = !self.depends(id) && self.sources.is_outside(self.program, id);
        if outside || matches!(self.program.ty(id), Type::Array(..)) {
            return id;
        }
        if let Some(&to) = self.done.get(&id) {
            return to;
        }
        let to = self.changed(id);
        self.done.insert(id, to);
        to
    }

    fn changed(&mut self, id: Id) -> Id {
        let choice = match self.program.node(id) {
            Node::Select(condition, a, b) => Some((*condition, *a, *b)),
            Node::Project(bundle, k) => match self.program.node(*bundle) {
                Node::If {
                    condition,
                    then,
                    otherwise,
                } => Some((*condition, then[*k as usize], otherwise[*k as usize])),
                _ => None,
            },
            _ => None,
        };
        if let Some((condition, a, b)) = choice {
            let condition = self.condition(condition);
            if let Node::Constant(holds) = *self.program.node(condition) {
                self.some = true;
                return self.resolve(if holds.is_true() { a } else { b });
            }
        }
        let mut node = self.program.node(id).clone();
        match &mut node {
            Node::If { condition, .. } => *condition = self.condition(*condition),
            Node::Select(condition, ..) => *condition = self.condition(*condition),
            _ => {}
        }
        node.map_operands(|operand| self.resolve(operand));
        let node = self.flipped(&node).unwrap_or(node);
        let to = self.program.add(node);
        if let Some(name) = self.program.names.get(&id).cloned() {
            self.program.name(to, &name);
        }
        match self.program.ty(to) {
            Type::Scalar(Leaf::U64) if !matches!(self.program.node(to), Node::Index { .. }) => {
                self.sources.index.simplify(self.program, to)
            }
            _ => to,
        }
    }

    /// A condition, as simple as ranges allow.
    fn condition(&mut self, id: Id) -> Id {
        let resolved = self.resolve(id);
        let resolved = self.digit(resolved);
        self.sources.index.simplify(self.program, resolved)
    }

    /// A bit that is compared with zero, as a digit.
    fn digit(&mut self, id: Id) -> Id {
        let Node::Binary(op @ (Binary::Eq | Binary::Ne), bit, zero) = *self.program.node(id) else {
            return id;
        };
        let Node::Binary(Binary::And, x, mask) = *self.program.node(bit) else {
            return id;
        };
        match self.power(mask) && self.number(zero) == Some(0) {
            true => {
                let digit = self.bit(x, mask);
                self.program.binary(op, digit, zero)
            }
            false => id,
        }
    }

    /// An index with one bit flipped that is known.
    fn flipped(&mut self, node: &Node) -> Option<Node> {
        let &Node::Binary(Binary::Xor, x, mask) = node else {
            return None;
        };
        if !self.power(mask) {
            return None;
        }
        let bit = self.bit(x, mask);
        let bit = self.sources.index.simplify(self.program, bit);
        match self.number(bit)? {
            0 => Some(Node::Binary(Binary::Add, x, mask)),
            _ => Some(Node::Binary(Binary::Sub, x, mask)),
        }
    }

    /// `x / mask % 2`.
    fn bit(&mut self, x: Id, mask: Id) -> Id {
        let two = self.program.usize(2);
        let above = self.program.binary(Binary::Div, x, mask);
        self.program.binary(Binary::Rem, above, two)
    }

    fn power(&self, id: Id) -> bool {
        self.number(id).is_some_and(u64::is_power_of_two)
    }

    fn number(&self, id: Id) -> Option<u64> {
        match self.program.node(id) {
            Node::Constant(number) if number.leaf == Leaf::U64 => Some(number.bits),
            _ => None,
        }
    }
}
