//! Guards around all that a round gives, which the host checks.

use crate::fuse::analysis::control::is_control;
use crate::ir::walk::{self, bare};
use crate::ir::{Id, Node, Program, Site, Type, Var};
use crate::scalar::Leaf;
use crate::sorted::SortedSet;

/// The guard of arithmetic that stands around all that a round gives, extents left out.
pub(in crate::fuse) fn around(program: &Program, next: &[Id]) -> Option<(Id, Site, Vec<Id>)> {
    let guard = |&id: &Id| match program.node(bare(program, id)) {
        Node::Guard {
            condition,
            site,
            values,
            ..
        } => Some((*condition, *site, values.clone())),
        _ => None,
    };
    let (condition, site, values) = next.iter().find_map(guard)?;
    let same = |id: &Id| match guard(id) {
        Some((_, other, _)) => other == site,
        None => matches!(program.ty(*id), Type::Scalar(Leaf::U64)),
    };
    let states = extents_of_states(program);
    let told = values
        .iter()
        .chain([&condition])
        .all(|&id| arithmetic(program, id, false, &states));
    (told && next.iter().all(same)).then_some((condition, site, values))
}

/// What stands under such a guard.
pub(in crate::fuse) fn under(program: &Program, next: &[Id], site: Site) -> Vec<Id> {
    let value = |&id: &Id| match program.node(bare(program, id)) {
        Node::Guard {
            site: other, value, ..
        } if *other == site => *value,
        _ => id,
    };
    next.iter().map(value).collect()
}

/// The guards that the host checks before rounds: what stands under them is evaluated after that only.
pub(in crate::fuse) fn hoisted(program: &Program) -> SortedSet<Id> {
    let mut found = SortedSet::new();
    for id in program.ids() {
        if let Node::Loop { next, .. } = program.node(id)
            && is_control(program, id)
        {
            let mut next = next.clone();
            while let Some((_, site, _)) = around(program, &next) {
                let inner = under(program, &next, site);
                let guards = next
                    .iter()
                    .zip(&inner)
                    .filter(|(outer, inner)| outer != inner);
                found.extend(guards.map(|(&guard, _)| bare(program, guard)));
                next = inner;
            }
        }
    }
    found
}

/// Whether a scalar is arithmetic of constants, parameters and extents, also of `states` (see [`extents_of_states`]), which
/// cannot fail but for `guards` in it.
pub(in crate::fuse) fn arithmetic(
    program: &Program,
    id: Id,
    guards: bool,
    states: &SortedSet<Var>,
) -> bool {
    let mut all = walk::reachable(program, [id]).into_iter();
    all.all(|id| match program.node(id) {
        Node::Variable(var) => states.contains(var),
        Node::Guard { .. } => guards,
        node => walk::is_arithmetic(node),
    })
}

/// The extents of arrays in the states of loops that the host runs: it has them in each round.
pub(in crate::fuse) fn extents_of_states(program: &Program) -> SortedSet<Var> {
    let mut found = SortedSet::new();
    for id in program.ids() {
        if let Node::Loop { state, .. } = program.node(id)
            && is_control(program, id)
        {
            found.extend(extents(program, state));
        }
    }
    found
}

/// The variables of a state that are extents of its arrays.
pub(in crate::fuse) fn extents(program: &Program, state: &[Var]) -> SortedSet<Var> {
    let extents = state.iter().flat_map(|&var| match program.var_type(var) {
        Type::Array(_, extents) => extents.clone(),
        _ => Vec::new(),
    });
    let var = |id: Id| match program.node(id) {
        Node::Variable(var) => Some(*var),
        _ => None,
    };
    extents.filter_map(var).collect()
}
