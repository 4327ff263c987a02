//! Components of bundles that are read: the others are not computed.

use super::Body;
use crate::ir::walk::evaluated;
use crate::ir::{Id, IdSet, Node, Program, Type};
use crate::sorted::{SortedMap, SortedSet};

impl Body<'_> {
    /// Whether everything that an expression needs is computed: components that nothing reads are not.
    pub(super) fn is_wanted(&self, id: Id) -> bool {
        let (mut open, mut seen) = (vec![id], IdSet::default());
        while let Some(id) = open.pop() {
            if !seen.insert(id) || self.sources.is_outside(self.program, id) {
                continue;
            }
            match self.program.node(id) {
                // Elements are computed where they are demanded.
                _ if matches!(self.program.ty(id), Type::Array(..)) => {}
                Node::Project(bundle, k) => {
                    let wanted = self.wanted.get(bundle);
                    if !wanted.is_some_and(|wanted| wanted.contains(k)) {
                        return false;
                    }
                }
                node => evaluated(node, |operand| open.push(operand)),
            }
        }
        true
    }

    pub(in crate::fuse) fn wanted_of(&self, bundle: Id, count: usize) -> Vec<u32> {
        match self.wanted.get(&bundle) {
            Some(wanted) => wanted.iter().copied().collect(),
            None => (0..count as u32).collect(),
        }
    }

    /// Every reader of a component says so before code is made.
    pub(in crate::fuse) fn want(&mut self, roots: &[Id]) {
        self.branches.borrow_mut().clear();
        let sources = &*self.sources;
        let is_there = |id| sources.slots.contains_key(&id) || sources.host.contains_key(&id);
        for (bundle, components) in wanted(self.program, roots, is_there) {
            self.wanted.entry(bundle).or_default().extend(components);
        }
    }
}

/// The components read from each bundle that the roots reach without what is there already; of a loop also those that its rounds
/// need.
pub(in crate::fuse) fn wanted(
    program: &Program,
    roots: &[Id],
    is_there: impl Fn(Id) -> bool,
) -> SortedMap<Id, SortedSet<u32>> {
    let mut wanted: SortedMap<Id, SortedSet<u32>> = SortedMap::new();
    let mut seen = IdSet::default();
    let mut open = roots.to_vec();
    let mut components: Vec<(Id, u32)> = Vec::new();
    loop {
        if let Some((bundle, k)) = components.pop() {
            if !wanted.entry(bundle).or_default().insert(k) {
                continue;
            }
            let at = k as usize;
            match program.node(bundle) {
                Node::If {
                    condition,
                    then,
                    otherwise,
                } => open.extend([*condition, then[at], otherwise[at]]),
                Node::Loop {
                    state,
                    initial,
                    condition,
                    next,
                } => {
                    open.extend([*condition, initial[at], next[at]]);
                    let mut used = program.free(*condition).clone();
                    used.extend(program.free(next[at]));
                    if let Type::Array(_, extents) = program.var_type(state[at]) {
                        for &extent in extents {
                            used.extend(program.free(extent));
                        }
                    }
                    for var in &used {
                        if let Some(j) = state.iter().position(|other| other == var) {
                            components.push((bundle, j as u32));
                        }
                    }
                }
                _ => open.push(bundle),
            }
        } else if let Some(id) = open.pop() {
            if is_there(id) || !seen.insert(id) {
                continue;
            }
            match program.node(id) {
                Node::Project(bundle, k) => {
                    components.push((*bundle, *k));
                    if let Type::Array(_, extents) = program.ty(id) {
                        open.extend(extents);
                    }
                }
                node => evaluated(node, |operand| open.push(operand)),
            }
        } else {
            return wanted;
        }
    }
}
