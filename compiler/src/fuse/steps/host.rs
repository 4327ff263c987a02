//! What the host knows: scalars of branches and loops that are its own arithmetic.

use crate::fuse::analysis::control::is_control;
use crate::fuse::body::sources::Sources;
use crate::ir::walk::{self, evaluated, fallible};
use crate::ir::{Id, IdSet, Node, Program, Type, Var};
use crate::sorted::SortedSet;

/// Whether a component of a branch or loop is a host value afterwards.
pub(in crate::fuse) fn on_host_after(
    program: &Program,
    sources: &Sources,
    bundle: Id,
    k: u32,
) -> bool {
    match program.node(bundle) {
        Node::If {
            then, otherwise, ..
        } => {
            let sides = [then[k as usize], otherwise[k as usize]];
            let known = |&part: &Id| host_class(program, sources, &SortedSet::new(), part);
            sides.iter().all(known) || is_extent(program, sides, [then, otherwise])
        }
        Node::Loop { .. } => host_states(program, sources, bundle).contains(&k),
        _ => false,
    }
}

/// Whether a component of a branch, which has these sides, is an extent of another component: the host has to know it.
fn is_extent(program: &Program, [then, otherwise]: [Id; 2], all: [&[Id]; 2]) -> bool {
    let extents = |id: Id| match program.ty(id) {
        Type::Array(_, extents) => extents.clone(),
        _ => Vec::new(),
    };
    (all[0].iter().zip(all[1])).any(|(&a, &b)| {
        let pairs = extents(a).into_iter().zip(extents(b));
        pairs.into_iter().any(|pair| pair == (then, otherwise))
    })
}

/// The components of a loop's state that the host carries: all of their rounds are host arithmetic, or it reads what they
/// become in any case, since that decides a branch of the round or whether there is another one. Extents of arrays in the
/// state are always among them.
pub(in crate::fuse) fn host_states(program: &Program, sources: &Sources, id: Id) -> SortedSet<u32> {
    let Node::Loop {
        state,
        initial,
        condition,
        next,
    } = program.node(id)
    else {
        unreachable!("asked of a loop");
    };
    let extents: SortedSet<Id> = state
        .iter()
        .filter_map(|&var| match program.var_type(var) {
            Type::Array(_, extents) => Some(extents.clone()),
            _ => None,
        })
        .flatten()
        .collect();
    let is_extent = |var: Var| {
        let node = program.find(&Node::Variable(var));
        node.is_some_and(|id| extents.contains(&id))
    };
    let decisions = decisions(program, next);
    let asked = program.free(*condition);
    let mut host: SortedSet<u32> = (0..state.len() as u32)
        .filter(|&k| matches!(program.var_type(state[k as usize]), Type::Scalar(_)))
        .collect();
    loop {
        let vars: SortedSet<Var> = host.iter().map(|&k| state[k as usize]).collect();
        let tells = host_class(program, sources, &vars, *condition);
        let lost = host.iter().copied().find(|&k| {
            let k = k as usize;
            let is_read = decisions.contains(&next[k]) || tells && asked.contains(&state[k]);
            let stays = host_class(program, sources, &SortedSet::new(), initial[k])
                && (is_read || host_class(program, sources, &vars, next[k]));
            !(stays || is_extent(state[k]))
        });
        match lost {
            Some(k) => host.remove(&k),
            None => return host,
        };
    }
}

/// The conditions of the branches that the host takes for these.
fn decisions(program: &Program, roots: &[Id]) -> SortedSet<Id> {
    let reached = walk::reachable(program, roots.iter().copied()).into_iter();
    let conditions = reached.filter_map(|id| match program.node(id) {
        Node::If { condition, .. } if is_control(program, id) => Some(*condition),
        _ => None,
    });
    conditions.collect()
}

/// Whether a scalar will be known to the host: its own arithmetic, of what branches and loops leave there, too.
pub(in crate::fuse) fn is_known(program: &Program, sources: &Sources, id: Id) -> bool {
    sources.on_host(program, id) || host_class(program, sources, &SortedSet::new(), id)
}

/// Whether a scalar is host arithmetic, given that these variables are on the host.
fn host_class(program: &Program, sources: &Sources, vars: &SortedSet<Var>, id: Id) -> bool {
    if !matches!(program.ty(id), Type::Scalar(_)) {
        return false;
    }
    let (mut seen, mut open) = (IdSet::default(), vec![id]);
    while let Some(id) = open.pop() {
        if sources.host.contains_key(&id) || !seen.insert(id) {
            continue;
        }
        if sources.is_stored(program, id) {
            return false;
        }
        match program.node(id) {
            Node::Index { .. } | Node::Reduce { .. } => return false,
            Node::Variable(var) if sources.states.contains(var) && !vars.contains(var) => {
                return false;
            }
            Node::Variable(var) if program.free(id).contains(var) && !vars.contains(var) => {
                // Bound by a scalar loop inside, or a device state of this one: the former is closed further out.
                let bound_inside = !is_state_of_control(program, *var);
                if !bound_inside {
                    return false;
                }
            }
            Node::Project(bundle, k) if is_control(program, *bundle) => {
                if !on_host_after(program, sources, *bundle, *k) {
                    return false;
                }
            }
            node => evaluated(node, |operand| open.push(operand)),
        }
    }
    true
}

fn is_state_of_control(program: &Program, var: Var) -> bool {
    program.ids().any(|id| match program.node(id) {
        Node::Loop { state, .. } => state.contains(&var) && is_control(program, id),
        _ => false,
    })
}

/// Loop-invariant scalars that a condition compares with a single state on the device: read back before the loop, they make the
/// condition the host's arithmetic, and save a kernel in each round.
pub(in crate::fuse) fn compared_invariants(
    program: &Program,
    sources: &Sources,
    condition: Id,
    is_on_device: impl Fn(Var) -> bool,
) -> Vec<Id> {
    let (mut seen, mut open) = (IdSet::default(), vec![condition]);
    let (mut states, mut found) = (0, Vec::new());
    while let Some(id) = open.pop() {
        if sources.on_host(program, id) || !seen.insert(id) {
            continue;
        }
        match program.node(id) {
            &Node::Variable(var) if !sources.is_state(var) => {
                states += usize::from(is_on_device(var));
            }
            _ if sources.closed(program, id) && !fallible(program, id) => found.push(id),
            node if is_shared(node) => node.operands(|operand| open.push(operand)),
            _ => return Vec::new(),
        }
    }
    found.retain(|_| states == 1);
    found
}

/// Arithmetic that host and devices agree on.
pub(super) fn is_shared(node: &Node) -> bool {
    matches!(
        node,
        Node::Unary(..) | Node::Binary(..) | Node::Select(..) | Node::Cast(..) | Node::Bitcast(..)
    )
}

/// The only stored scalar that a scalar depends on, which is arithmetic that host and devices agree on.
pub(in crate::fuse) fn stored_operand(program: &Program, sources: &Sources, id: Id) -> Option<Id> {
    let (mut seen, mut open, mut found) = (IdSet::default(), vec![id], None);
    while let Some(id) = open.pop() {
        if sources.host.contains_key(&id) || !seen.insert(id) {
            continue;
        }
        if sources.slots.contains_key(&id) {
            if found.is_some() {
                return None;
            }
            found = Some(id);
            continue;
        }
        match program.node(id) {
            Node::Constant(_) | Node::Parameter(_) | Node::Extent { .. } => {}
            node if is_shared(node) => node.operands(|operand| open.push(operand)),
            _ => return None,
        }
    }
    found
}
