//! Walks over expressions, and what an expression has inside, of each node once: found when the node is added, from its
//! operands.
//!
//! *Inside* an expression is what is evaluated with it: not the arrays that it reads, which were computed before.

use super::{Id, IdSet, Node, Program, Type, trips};

/// See the methods of [`Program`] of the same names.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Contents {
    may_fail: bool,
    may_be_apart: bool,
    guards: bool,
    moves: bool,
    reads: bool,
    loops: bool,
    work: u32,
}

/// Operations that may be speculated.
pub(crate) const CHEAP: u32 = 8;

impl Program {
    /// Whether evaluating this may report a failure, or not end.
    pub(crate) fn may_fail(&self, id: Id) -> bool {
        self.contents[id.0 as usize].may_fail
    }

    /// Whether there may be something inside that is computed by itself: a reduction, or a branch or loop that the host runs.
    pub(crate) fn may_be_apart(&self, id: Id) -> bool {
        self.contents[id.0 as usize].may_be_apart
    }

    /// Whether there is a guard or a routine anywhere in it, in the arrays that it reads, too.
    pub(crate) fn guards(&self, id: Id) -> bool {
        self.contents[id.0 as usize].guards
    }

    /// Whether there is a scatter, a compaction, a sort or a routine anywhere in it, in the arrays that it reads, too.
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

    /// Whether there is more work inside than may be speculated. What is used twice counts twice.
    pub(crate) fn is_costly(&self, id: Id) -> bool {
        self.contents[id.0 as usize].work > CHEAP
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
            contents.work = contents.work.saturating_add(of(id).work);
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
            // It is a function of the user's, which tells.
            Node::Routine { .. } => {
                contents.moves = true;
                contents.may_fail = true;
                contents.guards = true;
            }
            _ => {}
        }
        let own = match node {
            Node::Constant(_) | Node::Variable(_) | Node::Project(..) => 0,
            Node::Math(function, _) if !function.is_arithmetic() => CHEAP + 1,
            Node::Foreign(..) => CHEAP + 1,
            _ => 1,
        };
        contents.work = contents.work.saturating_add(own);
        contents.may_be_apart |= contents.moves;
        contents.reads |= matches!(node, Node::Index { .. });
        contents
    }
}

/// Every node reachable from the roots, operands first.
pub(crate) fn reachable(program: &Program, roots: impl IntoIterator<Item = Id>) -> Vec<Id> {
    reachable_after(program, roots, Id(0))
}

/// The same without those that come before another node, and so cannot need it.
pub(crate) fn reachable_after(
    program: &Program,
    roots: impl IntoIterator<Item = Id>,
    first: Id,
) -> Vec<Id> {
    let mut open: Vec<Id> = roots.into_iter().collect();
    let mut seen = IdSet::default();
    while let Some(id) = open.pop() {
        if id >= first && seen.insert(id) {
            program.node(id).operands(|operand| open.push(operand));
        }
    }
    seen.iter().collect()
}

/// Whether evaluating this may report a failure, or not end. What arrays hold was computed before.
pub(crate) fn fallible(program: &Program, id: Id) -> bool {
    program.may_fail(id)
}

/// The same, but for what is known: that is evaluated before.
pub(crate) fn fallible_but(program: &Program, id: Id, known: impl Fn(Id) -> bool) -> bool {
    let (mut seen, mut open) = (IdSet::default(), vec![id]);
    while let Some(id) = open.pop() {
        if !program.may_fail(id) || known(id) || !seen.insert(id) {
            continue;
        }
        match program.node(id) {
            Node::Guard { .. } | Node::Loop { .. } | Node::Routine { .. } => return true,
            Node::Index { indices, .. } => open.extend(indices),
            node => node.operands(|operand| open.push(operand)),
        }
    }
    false
}

/// The nodes of an expression, not entering the arrays that it reads, nor what it need not evaluate.
pub(crate) fn inside(program: &Program, id: Id) -> impl Iterator<Item = Id> {
    let (mut seen, mut open) = (IdSet::default(), vec![id]);
    std::iter::from_fn(move || {
        loop {
            let id = open.pop()?;
            if !seen.insert(id) {
                continue;
            }
            match program.node(id) {
                Node::Index { indices, .. } => open.extend(indices),
                Node::Materialize(_) | Node::Generate { .. } => {}
                node => evaluated(node, |operand| open.push(operand)),
            }
            return Some(id);
        }
    })
}

/// Whether a node is a number that the host has been given, or exact arithmetic.
pub(crate) fn is_arithmetic(node: &Node) -> bool {
    matches!(
        node,
        Node::Constant(_)
            | Node::Parameter(_)
            | Node::Extent { .. }
            | Node::Unary(..)
            | Node::Binary(..)
            | Node::Select(..)
            | Node::Cast(..)
            | Node::Bitcast(..)
    )
}

/// The operands of a node, but for what it may leave out.
pub(crate) fn evaluated(node: &Node, mut f: impl FnMut(Id)) {
    match node {
        Node::Demand {
            value,
            required: false,
            ..
        } => f(*value),
        node => node.operands(f),
    }
}

/// Whether a value, without what it may leave out, needs another one, or its bundle.
pub(crate) fn needs(program: &Program, value: Id, other: Id) -> bool {
    let other = match program.node(other) {
        Node::Project(bundle, _) => *bundle,
        _ => other,
    };
    let (mut seen, mut open) = (IdSet::default(), vec![value]);
    while let Some(id) = open.pop() {
        if id == other {
            return true;
        }
        // Operands come before their users.
        if id > other && seen.insert(id) {
            evaluated(program.node(id), |operand| open.push(operand));
        }
    }
    false
}

/// What is left of a value if what it may leave out is.
pub(crate) fn bare(program: &Program, mut id: Id) -> Id {
    while let Node::Demand {
        value,
        required: false,
        ..
    } = program.node(id)
    {
        id = *value;
    }
    id
}

/// The array that is left of one without what is evaluated before it.
pub(crate) fn undemanded(program: &Program, mut id: Id) -> Id {
    while let Node::Demand { value, .. } = program.node(id) {
        id = *value;
    }
    id
}

/// Whether one expression needs another.
pub(crate) fn reaches(program: &Program, from: Id, to: Id) -> bool {
    let (mut seen, mut open) = (IdSet::default(), vec![from]);
    while let Some(id) = open.pop() {
        if id == to {
            return from != to;
        }
        // Operands come before their users.
        if id > to && seen.insert(id) {
            program.node(id).operands(|operand| open.push(operand));
        }
    }
    false
}
