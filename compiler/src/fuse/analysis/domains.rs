//! Arrays of rows: the indices around them that they depend on.

use crate::fuse::analysis::control::{closed, is_array_loop, is_control};
use crate::fuse::analysis::estimate::Binder;
use crate::ir::{Id, Node, Program, QuickMap, Var};

/// How an array is stored that may be one of many.
pub(in crate::fuse) enum Expansion {
    /// Depends on no index: stored as it is.
    Closed,
    /// Read at these variables, then its own indices.
    Over(Vec<Var>, Id),
    /// Depends on something that is no index.
    Impossible,
}

/// The indices that an array over `extents` depends on, with their extents; none if it depends on anything else, or if
/// the extents depend on these indices: irregular, not to be stored as one array.
pub(in crate::fuse) fn around(
    program: &Program,
    binders: &QuickMap<Var, Binder>,
    array: Id,
    extents: &[Id],
) -> Option<(Vec<Var>, Vec<Id>)> {
    let (mut over, mut outer) = (Vec::new(), Vec::new());
    for &var in program.free(array) {
        match binders.get(&var) {
            Some(Binder {
                extent: Some(extent),
                ..
            }) => {
                over.push(var);
                outer.push(*extent);
            }
            Some(binder) if is_array_loop(program, binder.node) => {}
            Some(binder)
                if is_control(program, binder.node) && closed(program, binders, binder.node) => {}
            _ => return None,
        }
    }
    let regular = |&extent: &Id| program.free(extent).iter().all(|var| !over.contains(var));
    let all = outer.iter().chain(extents).all(regular);
    all.then_some((over, outer))
}

/// The indices and the element of a stored array.
pub(in crate::fuse) fn parts(program: &Program, array: Id) -> (Vec<Var>, Id) {
    if let Node::Materialize(generate) = program.node(array)
        && let Node::Generate { vars, element, .. } = program.node(*generate)
    {
        return (vars.clone(), *element);
    }
    unreachable!("no stored array: {:?}", program.node(array))
}
