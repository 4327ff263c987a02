//! Partial sorts: of which only the first elements are read, as many as the domains have that read them.

use crate::ir::walk::{fallible, reachable};
use crate::ir::{Id, Node, Program, QuickMap, Type, Var};

/// For sorts of which no more is read than a prefix of each row, how long that is.
pub(in crate::fuse) fn prefixes(program: &Program) -> QuickMap<Id, Id> {
    let sort = |array: Id| match *program.node(array) {
        Node::Project(bundle, _) => {
            matches!(program.node(bundle), Node::Sort { .. }).then_some(bundle)
        }
        _ => None,
    };
    let mut found: QuickMap<Id, Option<Id>> = QuickMap::default();
    let mut read = |bundle: Id, extent: Option<Id>| {
        let known = found.entry(bundle).or_insert(extent);
        if *known != extent {
            *known = None;
        }
    };
    let live = reachable(program, program.roots());
    let extents = extents(program, &live);
    program
        .roots()
        .into_iter()
        .filter_map(sort)
        .for_each(|bundle| read(bundle, None));
    for id in live {
        match program.node(id) {
            Node::Index { array, indices } => {
                let Some(bundle) = sort(*array) else { continue };
                let place = indices.last().map(|&index| program.node(index));
                let extent = match place {
                    Some(Node::Variable(var)) => extents.get(var).copied().flatten(),
                    _ => None,
                };
                read(bundle, extent);
            }
            node => node.operands(|operand| {
                if let Some(bundle) = sort(operand) {
                    read(bundle, None);
                }
            }),
        }
    }
    let is_prefix = |(bundle, extent): (Id, Option<Id>)| {
        let extent = extent.filter(|&extent| !fallible(program, extent))?;
        let Node::Sort { extents, .. } = program.node(bundle) else {
            return None;
        };
        let scalar = matches!(program.ty(extent), Type::Scalar(_));
        (scalar && extents.last() != Some(&extent)).then_some((bundle, extent))
    };
    found.into_iter().filter_map(is_prefix).collect()
}

/// The extents that indices go through; none of one that goes through several.
fn extents(program: &Program, live: &[Id]) -> QuickMap<Var, Option<Id>> {
    let mut found = QuickMap::default();
    for &id in live {
        if let Node::Generate { extents, vars, .. }
        | Node::Reduce { extents, vars, .. }
        | Node::Scan { extents, vars, .. }
        | Node::Scatter { extents, vars, .. }
        | Node::Compact { extents, vars, .. }
        | Node::Sort { extents, vars, .. } = program.node(id)
        {
            for (&var, &extent) in vars.iter().zip(extents) {
                let known = found.entry(var).or_insert(Some(extent));
                if *known != Some(extent) {
                    *known = None;
                }
            }
        }
    }
    found
}
