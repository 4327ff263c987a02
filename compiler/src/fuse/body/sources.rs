//! What code under construction may take from outside: buffers, and values known to the host.

use crate::fuse::analysis::bounds::Bounds;
use crate::fuse::analysis::partial_sorts::Places;
use crate::ir::walk::{evaluated, fallible, inside};
use crate::ir::{Id, IdSet, Node, Program, QuickMap, Type, Var};
use crate::pass::index::Index;
use crate::plan::{Buffer, BufferId, Value};
use crate::scalar::Leaf;
use crate::sorted::{SortedMap, SortedSet};
use std::cell::RefCell;

/// The tables of the region being planned.
#[derive(Default)]
pub(in crate::fuse) struct Sources {
    /// Arrays, and scalars on the device.
    pub(in crate::fuse) slots: QuickMap<Id, BufferId>,
    /// Values on the host.
    pub(in crate::fuse) host: QuickMap<Id, Value>,
    /// States of the loops that the host runs, where we stand inside them.
    pub(in crate::fuse) states: SortedSet<Var>,
    /// Scalars that may be computed before the bodies that need them, though they can fail.
    pub(in crate::fuse) hoisted: SortedSet<Id>,
    /// The components of bundles that anything needs.
    pub(in crate::fuse) wanted: QuickMap<Id, SortedSet<u32>>,
    /// Extents that are equal in the region being planned, each with its canonical one.
    pub(in crate::fuse) equal: SortedMap<Id, Id>,
    /// What the regions of the host around evaluate in any case.
    pub(in crate::fuse) anticipated: SortedSet<Id>,
    /// What may be evaluated speculatively.
    pub(in crate::fuse) bounds: Bounds,
    /// The places of sorts that are read, where these are not all.
    pub(in crate::fuse) partial_sorts: QuickMap<Id, Places>,
    /// Whether loops over short rows may be kernels.
    pub(in crate::fuse) stages: bool,
    /// All buffers of the plan.
    pub(in crate::fuse) buffers: Vec<Buffer>,
    /// What is known about indices.
    pub(in crate::fuse) index: Index,
    /// The same, for those who do not change the tables.
    pub(in crate::fuse) ranges: RefCell<Index>,
}

impl Sources {
    /// Extents, each replaced by its canonical one.
    pub(in crate::fuse) fn canonical(&self, extents: &[Id]) -> Vec<Id> {
        let of = |id: &Id| self.equal.get(id).copied().unwrap_or(*id);
        extents.iter().map(of).collect()
    }

    /// Makes two extents equal.
    pub(in crate::fuse) fn equate(&mut self, a: Id, b: Id) {
        let [a, b] = [a, b].map(|id| self.canonical(&[id])[0]);
        let (first, second) = (a.min(b), a.max(b));
        for id in self.equal.values_mut().filter(|id| **id == second) {
            *id = first;
        }
        if first != second {
            self.equal.insert(second, first);
        }
    }

    /// The buffer of an array.
    pub(in crate::fuse) fn slot(&self, program: &Program, array: Id) -> BufferId {
        match self.slots.get(&array) {
            Some(&buffer) => buffer,
            None => unreachable!("no buffer for {:?}", program.node(array)),
        }
    }

    /// Those of a bundle's components that anything needs.
    pub(in crate::fuse) fn wanted(&self, bundle: Id, count: usize) -> Vec<u32> {
        match self.wanted.get(&bundle) {
            Some(wanted) => wanted.iter().copied().collect(),
            None => (0..count as u32).collect(),
        }
    }

    /// The buffer of a scalar that was left on the device.
    pub(in crate::fuse) fn scalar_slot(&self, program: &Program, id: Id) -> Option<BufferId> {
        let scalar = matches!(program.ty(id), Type::Scalar(_));
        self.slots.get(&id).copied().filter(|_| scalar)
    }

    /// Whether this comes out of a buffer. A constant never does, though a loop's state may begin in one with its value.
    pub(in crate::fuse) fn is_stored(&self, program: &Program, id: Id) -> bool {
        self.slots.contains_key(&id) && !matches!(program.node(id), Node::Constant(_))
    }

    pub(in crate::fuse) fn host_value(&self, id: Id) -> Option<Value> {
        self.host.get(&id).copied()
    }

    pub(in crate::fuse) fn buffer(&self, id: BufferId) -> (String, Leaf) {
        let buffer = &self.buffers[id.0 as usize];
        (buffer.name.clone(), buffer.leaf)
    }

    pub(in crate::fuse) fn is_state(&self, var: Var) -> bool {
        self.states.contains(&var)
    }

    /// Bound by nothing but loops that the host runs.
    pub(in crate::fuse) fn closed(&self, program: &Program, id: Id) -> bool {
        program.free(id).is_subset(&self.states)
    }

    /// Whether the host can compute this scalar: nothing in it depends on the elements of arrays.
    pub(in crate::fuse) fn on_host(&self, program: &Program, id: Id) -> bool {
        if self.host.contains_key(&id) {
            return true;
        }
        if !matches!(program.ty(id), Type::Scalar(_)) || !self.closed(program, id) {
            return false;
        }
        let (mut seen, mut open) = (IdSet::default(), vec![id]);
        while let Some(id) = open.pop() {
            if self.host.contains_key(&id) || !seen.insert(id) {
                continue;
            }
            if self.is_stored(program, id) {
                return false;
            }
            match program.node(id) {
                Node::Index { .. } | Node::Reduce { .. } => return false,
                Node::Generate { .. } | Node::Materialize(_) | Node::Input { .. } => return false,
                Node::Variable(var) if self.states.contains(var) => return false,
                node => evaluated(node, |operand| open.push(operand)),
            }
        }
        true
    }

    /// Whether a kernel may get this scalar by value: the host can compute it, and that cannot fail, and ends if the program does;
    /// or the program computes it in any case.
    pub(in crate::fuse) fn passable(&self, program: &Program, id: Id) -> bool {
        self.on_host(program, id)
            && (self.host.contains_key(&id)
                || !fallible(program, id)
                || self.anticipated.contains(&id)
                || !program.guards(id) && self.ends(program, id))
    }

    /// Whether the program runs all loops in a scalar anyway that may not end.
    fn ends(&self, program: &Program, id: Id) -> bool {
        inside(program, id).all(|id| match program.node(id) {
            Node::Loop { .. } => !fallible(program, id) || self.anticipated.contains(&id),
            _ => true,
        })
    }

    /// Whether a kernel need not compute this scalar.
    pub(in crate::fuse) fn is_outside(&self, program: &Program, id: Id) -> bool {
        matches!(program.node(id), Node::Constant(_))
            || self.scalar_slot(program, id).is_some()
            || self.passable(program, id)
    }
}
