//! Sorts of all rows.

use super::{Rows, path};
use crate::ir::{Id, Node, Program};

/// The sort of all rows, if they are of one size and compared alike.
pub(super) fn over(program: &mut Program, rows: &Rows) -> Option<Id> {
    let Node::Sort {
        extents,
        vars,
        elements,
        keys,
        left,
        right,
        less,
    } = program.node(rows.of).clone()
    else {
        return None;
    };
    let mut shared = extents.iter().chain(&less);
    if !shared.all(|&id| rows.is_uniform(program, id)) {
        return None;
    }
    let elements = path::under(program, &rows.path, elements);
    Some(program.add(Node::Sort {
        extents: [&rows.extents[..], &extents].concat(),
        vars: [&rows.vars[..], &vars].concat(),
        elements,
        keys,
        left,
        right,
        less,
    }))
}
