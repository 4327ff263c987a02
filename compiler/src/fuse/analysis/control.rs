//! What is computed by itself, and by whom: branches and loops that the host runs, reductions, scatters, compactions and sorts.

use crate::fuse::analysis::estimate::{self, Binder};
use crate::ir::walk::{self, inside};
use crate::ir::{Id, Node, Program, QuickMap, Site, Type, Var};
use crate::sorted::SortedSet;

/// A loop that the host runs: its state has arrays, or its rounds need whole arrays.
pub(in crate::fuse) fn is_array_loop(program: &Program, id: Id) -> bool {
    match program.node(id) {
        Node::Loop { state, .. } => state
            .iter()
            .any(|&var| matches!(program.var_type(var), Type::Array(..))),
        _ => false,
    }
}

/// A branch or loop that the host runs: over arrays, or with reductions inside.
pub(in crate::fuse) fn is_control(program: &Program, id: Id) -> bool {
    if !program.may_be_apart(id) {
        return false;
    }
    match program.node(id) {
        Node::If {
            condition,
            then,
            otherwise,
        } => {
            // What the condition needs is there in any case.
            let before: SortedSet<Id> = inside(program, *condition).collect();
            then.iter().chain(otherwise).any(|&part| {
                matches!(program.ty(part), Type::Array(..))
                    || inside(program, part).any(|id| {
                        matches!(program.node(id), Node::Reduce { .. }) && !before.contains(&id)
                    })
                    || scattered(program, part).any(|id| {
                        fails(program, id) && !scattered(program, *condition).any(|c| c == id)
                    })
            })
        }
        Node::Loop {
            state,
            condition,
            next,
            ..
        } => {
            state
                .iter()
                .any(|&var| matches!(program.var_type(var), Type::Array(..)))
                || [condition].into_iter().chain(next).any(|&part| {
                    inside(program, part).any(|id| {
                        let node = program.node(id);
                        let own = program.free(id).iter().any(|var| state.contains(var));
                        matches!(node, Node::Reduce { .. }) && (own || walk::fallible(program, id))
                    }) || scattered(program, part).any(|id| {
                        let own = program.free(id).iter().any(|var| state.contains(var));
                        own || fails(program, id)
                    })
                })
        }
        _ => false,
    }
}

/// The scatters, compactions, sorts and routines that an expression needs.
fn scattered(program: &Program, id: Id) -> impl Iterator<Item = Id> {
    let moves = |id: &Id| {
        matches!(
            program.node(*id),
            Node::Scatter { .. } | Node::Compact { .. } | Node::Sort { .. } | Node::Routine { .. }
        )
    };
    let all = match program.moves(id) {
        true => walk::reachable(program, [id]),
        false => Vec::new(),
    };
    all.into_iter().filter(moves)
}

/// Whether a scatter, a compaction or a sort may fail.
pub(in crate::fuse) fn fails(program: &Program, id: Id) -> bool {
    walk::fallible(program, id) || fails_by_itself(program, id).is_some()
}

/// Bound by nothing but loops that the host runs.
pub(in crate::fuse) fn closed(program: &Program, binders: &QuickMap<Var, Binder>, id: Id) -> bool {
    program.free(id).iter().all(|var| {
        binders.get(var).is_some_and(|binder| {
            matches!(program.node(binder.node), Node::Loop { .. })
                && is_control(program, binder.node)
        })
    })
}

/// A closed scalar that is not computed where it is used: it holds reductions or control, or is too much work for each thread.
pub(in crate::fuse) fn is_apart(program: &Program, id: Id) -> bool {
    program.may_be_apart(id) && inside(program, id).any(|id| is_item(program, id))
        || estimate::is_dear(program, id)
}

/// A reduction or control: an item of its own where it is closed.
pub(in crate::fuse) fn is_item(program: &Program, id: Id) -> bool {
    match program.node(id) {
        Node::Reduce { .. } => true,
        Node::If { .. } | Node::Loop { .. } => is_control(program, id),
        _ => false,
    }
}

/// The site of an operator's index that comes twice is a failure like those of the elements.
pub(in crate::fuse) fn fails_by_itself(program: &Program, bundle: Id) -> Option<Site> {
    match program.node(bundle) {
        Node::Scatter { once, .. } => *once,
        _ => None,
    }
}

/// The count of a compaction.
pub(in crate::fuse) fn count(program: &Program, bundle: Id) -> Option<Id> {
    match program.node(bundle) {
        Node::Compact { count, .. } => Some(*count),
        _ => None,
    }
}

/// Whether a reduction is the count of a compaction, whose kernel gives it by the way.
pub(in crate::fuse) fn counts(program: &Program, bundle: Id, reduce: Id) -> bool {
    let count = count(program, bundle).map(|count| program.node(count));
    matches!(count, Some(Node::Project(of, _)) if *of == reduce)
}

/// Whether this is the branch between the call of a routine and what the body of a foreign function says.
pub(in crate::fuse) fn is_call(program: &Program, bundle: Id) -> bool {
    let Node::If { mut condition, .. } = *program.node(bundle) else {
        return false;
    };
    while let Node::Guard { value, .. } | Node::Demand { value, .. } = *program.node(condition) {
        condition = value;
    }
    *program.node(condition) == Node::OnCuda
}

/// Whether the host knows a scalar without reading an array.
pub(in crate::fuse) fn host_tells(program: &Program, id: Id) -> bool {
    program.free(id).is_empty()
        && walk::inside(program, id).all(|id| {
            !matches!(
                program.node(id),
                Node::Index { .. } | Node::Reduce { .. } | Node::Loop { .. } | Node::Guard { .. }
            )
        })
}
