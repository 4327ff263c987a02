//! What cannot be planned yet.
//!
//! In: a program after the passes. Out: an error for each loop over arrays, scatter, compaction or sort inside a closure over
//! elements or rows that `flatten` leaves there: its arrays would have to live in one thread; and for each fold, scan, scatter
//! or sort of more numbers in one than [`MOST_LEAVES`].

use crate::fuse::analysis::control::{is_array_loop, is_control};
use crate::fuse::analysis::estimate::{self, Binder};
use crate::fuse::flatten;
use crate::fuse::fuse_compactions;
use crate::fuse::unroll_sorts;
use crate::ir::walk;
use crate::ir::{Id, Node, Program, QuickMap, Type, Var};
use crate::plan::MOST_LEAVES;
use crate::sorted::SortedMap;
use crate::spans::SpanId;

/// A construct that has no plan.
#[derive(Clone, Debug)]
pub struct Unsupported {
    /// Where it comes from, if that is known.
    pub span: Option<SpanId>,
    /// What it is.
    pub message: String,
    /// What to write instead.
    pub help: String,
}

/// Whether [`crate::fuse::fuse`] has a plan for the program.
///
/// # Errors
/// One for each construct that has none.
pub fn supported(program: &Program) -> Result<(), Vec<Unsupported>> {
    let leaves = |id: Id| match program.node(id) {
        Node::Reduce { elements, .. } | Node::Scan { elements, .. } => elements.len(),
        _ => 0,
    };
    let moved = |id: Id| program.moves(id) || is_array_loop(program, id);
    if !(program.ids()).any(|id| leaves(id) > MOST_LEAVES || moved(id)) {
        return Ok(());
    }
    let program = fuse_compactions::run(program.clone());
    let program = &flatten::run(unroll_sorts::run(program));
    let binders = estimate::binders(program);
    let mut errors: SortedMap<String, Unsupported> = SortedMap::new();
    let mut insert = |id: Id, message: String, help: &str| {
        let error = Unsupported {
            span: program.spans.get(&id).copied(),
            message: message.clone(),
            help: help.to_owned(),
        };
        errors.insert(message, error);
    };
    let outside = "write it outside of the closure, over the whole array";
    for id in walk::reachable(program, program.roots()) {
        let (what, leaves) = match program.node(id) {
            Node::Reduce { elements, .. } => ("a fold", elements.len()),
            Node::Scan { elements, .. } => ("a scan", elements.len()),
            Node::Scatter { elements, .. } => ("a scatter", elements.len()),
            Node::Sort { elements, .. } => ("a sort", elements.len()),
            _ => ("", 0),
        };
        if leaves > MOST_LEAVES {
            let message = format!("not supported yet: {what} of {leaves} numbers in one");
            let help = format!("write several, each of at most {MOST_LEAVES}");
            insert(id, message, &help);
            continue;
        }
        let array = |var: &crate::ir::Var| matches!(program.var_type(*var), Type::Array(..));
        let (what, help) = match program.node(id) {
            Node::Loop { state, .. } => match state.iter().find(|var| array(var)) {
                Some(var) => match program.var_names.get(var) {
                    Some(name) => (format!("a loop over `{name}`"), outside),
                    None => ("a loop over an array".to_owned(), outside),
                },
                None => continue,
            },
            Node::Scatter { .. } => (
                "a scatter, unless all of them may be done at once,".to_owned(),
                "write one for the whole array, whose target has the row as its first index",
            ),
            Node::Compact { .. } => (
                "a compaction, unless it is folded,".to_owned(),
                "write `rows().map_segments(|row| ..)`, or fold it at once, as in `row.filter(..).sum()`",
            ),
            Node::Sort { .. } => ("a sort".to_owned(), outside),
            Node::Routine { .. } => ("a foreign function of arrays".to_owned(), outside),
            _ => continue,
        };
        if by_host(program, &binders, id) {
            continue;
        }
        let message = format!("not supported yet: {what} for each element or row");
        insert(id, message, help);
    }
    match errors.is_empty() {
        true => Ok(()),
        false => Err(errors.into_values().collect()),
    }
}

/// Whether a node is bound by nothing but loops that the host runs, which stand in no others.
fn by_host(program: &Program, binders: &QuickMap<Var, Binder>, id: Id) -> bool {
    program.free(id).iter().all(|var| {
        binders.get(var).is_some_and(|binder| {
            matches!(program.node(binder.node), Node::Loop { .. })
                && is_control(program, binder.node)
                && by_host(program, binders, binder.node)
        })
    })
}
