//! Scatters into the targets of all rows.

use super::{Rows, all, path};
use crate::ir::{Id, Node, Program};

/// The scatter over all rows: each writes to one of its own.
pub(super) fn over(program: &mut Program, rows: &Rows) -> Option<Id> {
    let Node::Scatter {
        defaults,
        extents,
        vars,
        condition,
        at,
        elements,
        left,
        right,
        combined,
        once,
    } = program.node(rows.of).clone()
    else {
        return None;
    };
    // What comes twice is reported by its place in the target of its own row.
    if once.is_some() {
        return None;
    }
    let condition = rows.guarded(program, &extents, vec![condition])[0];
    let bare = |&extent: &Id| rows.unguarded(program, extent);
    let targets: Vec<Id> = program.extents(defaults[0]).iter().map(bare).collect();
    let extents: Vec<Id> = extents.iter().map(bare).collect();
    let mut shared = extents.iter().chain(&targets).chain(&combined);
    if !shared.all(|&id| rows.is_uniform(program, id)) {
        return None;
    }
    let row: Vec<Id> = (rows.vars.iter())
        .map(|&var| program.add(Node::Variable(var)))
        .collect();
    let defaults = (defaults.into_iter())
        .map(|part| all(program, part, rows))
        .collect();
    let point = [&[condition][..], &at, &elements].concat();
    let mut point = path::under(program, &rows.path, point);
    let elements = point.split_off(1 + at.len());
    let at = point.split_off(1);
    let condition = point[0];
    Some(program.add(Node::Scatter {
        defaults,
        extents: [&rows.extents[..], &extents].concat(),
        vars: [&rows.vars[..], &vars].concat(),
        condition,
        at: [row, at].concat(),
        elements,
        left,
        right,
        combined,
        once,
    }))
}
