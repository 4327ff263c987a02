//! Where closed scalars are computed: in the kernels that use them, or once, before these.

use crate::fuse::analysis::control::is_apart;
use crate::fuse::analysis::reads;
use crate::fuse::body::sources::Sources;
use crate::fuse::steps::host::is_shared;
use crate::ir::walk::{self, inside};
use crate::ir::{Id, IdSet, Node, Program, Type};

/// Whether a closed scalar that is apart is hoisted out of the bodies that use it: where it is anticipated or speculatable, or
/// where no kernel can compute it.
pub(super) fn leaves_bodies(program: &Program, sources: &Sources, id: Id) -> bool {
    let over_arrays = |id: Id| match program.ty(id) {
        Type::Bundle(types) => types.iter().any(|ty| matches!(ty, Type::Array(..))),
        _ => false,
    };
    is_apart(program, id)
        && (sources.hoisted.contains(&id)
            || may_be_computed(program, sources, id)
            || inside(program, id).any(over_arrays))
}

/// Whether a closed scalar may be computed where it is not known whether anything demands it: it is anticipated, or it can be
/// speculated.
pub(in crate::fuse) fn may_be_computed(program: &Program, sources: &Sources, id: Id) -> bool {
    let certain = &sources.anticipated;
    certain.contains(&id)
        || !walk::fallible(program, id)
            && sources.bounds.speculable(program, id, certain)
            && reads::own_in_bounds(program, &mut sources.ranges.borrow_mut(), id, certain)
}

/// Whether a closed scalar is cheap where it is used, since what is not has been computed before.
pub(super) fn is_left_cheap(program: &Program, sources: &Sources, id: Id) -> bool {
    let (mut seen, mut open) = (IdSet::default(), vec![id]);
    let mut count = 0;
    while let Some(id) = open.pop() {
        let there = sources.slots.contains_key(&id) || sources.host.contains_key(&id);
        if there || !seen.insert(id) {
            continue;
        }
        count += 1;
        let node = program.node(id);
        let known = matches!(
            node,
            Node::Constant(_) | Node::Parameter(_) | Node::Extent { .. }
        );
        if !(known || is_shared(node)) || count > walk::CHEAP {
            return false;
        }
        node.operands(|operand| open.push(operand));
    }
    !walk::fallible(program, id)
}
