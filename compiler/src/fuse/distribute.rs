//! Distributes products over kernels (loop distribution: Allen and Kennedy, Optimizing Compilers for Modern Architectures, 2.4).
//!
//! In: a program after inlining. Out: the same program, in which the products that an element of a stored array folds have one
//! extent: `x.matmul(w) + h.matmul(u)` of two lengths stores the first product. A kernel works in tiles on what it folds in one
//! loop; with two loops each element would read its whole row and its whole column by itself.

use crate::fuse::analysis::bounds::anticipated;
use crate::fuse::analysis::control::closed;
use crate::fuse::analysis::estimate;
use crate::fuse::rewrite::replaced;
use crate::ir::{Id, Node, Program, QuickMap, Var, walk};

/// Products of fewer elements are not worth a kernel.
const FEW: u64 = 16;

/// See the module.
pub(in crate::fuse) fn run(mut program: Program) -> Program {
    let found = found(&mut program);
    match found.is_empty() {
        true => program,
        false => replaced(program, found),
    }
}

/// Components of products, and what they are of stored arrays.
fn found(program: &mut Program) -> QuickMap<Id, Id> {
    let mut found = QuickMap::default();
    let binders = estimate::binders(program);
    for id in walk::reachable(program, program.roots()) {
        let Node::Materialize(array) = *program.node(id) else {
            continue;
        };
        let Node::Generate {
            extents,
            vars,
            element,
        } = program.node(array).clone()
        else {
            continue;
        };
        if vars.len() < 2 || !closed(program, &binders, array) {
            continue;
        }
        let products = products(program, &vars, element);
        let Some(&(_, kept)) = products.last() else {
            continue;
        };
        for (product, _) in products.into_iter().filter(|(_, extent)| *extent != kept) {
            for component in program.components(product) {
                let array = program.generate(extents.clone(), |program, indices| {
                    let map = vars.iter().copied().zip(indices.iter().copied());
                    program.substitute(component, &map.collect())
                });
                program.keep_labels(component, array);
                let stored = program.add(Node::Materialize(array));
                let reason = "it is folded over another extent than a product beside it";
                program.reasons.insert(stored, reason.to_owned());
                let indices = vars.iter().map(|&var| program.add(Node::Variable(var)));
                let indices = indices.collect();
                let read = program.add(Node::Index {
                    array: stored,
                    indices,
                });
                found.insert(component, read);
            }
        }
    }
    found
}

/// The products that an element is certain to fold, each with its extent.
pub(in crate::fuse) fn products(program: &Program, vars: &[Var], element: Id) -> Vec<(Id, Id)> {
    let certain = anticipated(program, [element]).into_iter();
    let extent = |id: Id| Some((id, product(program, vars, id)?));
    certain.filter_map(extent).collect()
}

/// The extent of a product: of a reduction whose elements are of what is read along one axis of its domain and of what is read along
/// the last one.
fn product(program: &Program, vars: &[Var], id: Id) -> Option<Id> {
    let Node::Reduce {
        extents,
        vars: own,
        elements,
        ..
    } = program.node(id)
    else {
        return None;
    };
    let (&[extent], &[own]) = (&extents[..], &own[..]) else {
        return None;
    };
    let few = matches!(program.node(extent), Node::Constant(extent) if extent.bits < FEW);
    if few || !vars.iter().all(|var| program.free(id).contains(var)) || walk::fallible(program, id)
    {
        return None;
    }
    let (column, rows) = vars.split_last()?;
    let mut sides = Vec::new();
    for &element in elements {
        for inner in walk::inside(program, element) {
            match program.node(inner) {
                Node::Reduce { .. } | Node::Loop { .. } => return None,
                Node::Index { .. } if program.free(inner).contains(&own) => sides.push(inner),
                _ => {}
            }
        }
    }
    let along = |side: &Id, var: &Var| program.free(*side).contains(var);
    let is_product = |row: &Var| {
        let one = |side: &Id, a: &Var, b: &Var| along(side, a) && !along(side, b);
        sides.iter().any(|side| one(side, row, column))
            && sides.iter().any(|side| one(side, column, row))
            && !(sides.iter()).any(|side| along(side, row) && along(side, column))
    };
    rows.iter().any(is_product).then_some(extent)
}
