//! Hoists mathematical functions of some of the axes of a domain.
//!
//! In: a program after inlining. Out: the same program, in which what each point of a whole reduction evaluates of some of its
//! indices only, with mathematical functions, is read of a stored array over these: `m.rows().zip(v).map(|(row, s)| row.map(|x|
//! x * s.exp())).sum_all()` calls `exp` once a row. So it is for the elements of stored arrays, but where the indices are leading
//! ones: kernels of rows compute that once a row.

use crate::fuse::analysis::bounds::{Bounds, anticipated};
use crate::fuse::analysis::{estimate, reads};
use crate::fuse::rewrite::replaced;
use crate::ir::{Id, IdSet, Node, Program, QuickMap, Type, Var, walk};
use crate::pass::index::Index;

/// See the module.
pub(in crate::fuse) fn run(mut program: Program) -> Program {
    let found = found(&mut program);
    match found.is_empty() {
        true => program,
        false => replaced(program, found),
    }
}

/// A domain of several axes, with what its points evaluate.
struct Domain {
    extents: Vec<Id>,
    vars: Vec<Var>,
    elements: Vec<Id>,
    /// Its rows are computed as such.
    rows: bool,
}

/// The values of some axes, and what they are of stored arrays.
fn found(program: &mut Program) -> QuickMap<Id, Id> {
    let mut found = QuickMap::default();
    let calls = calling(program);
    if calls.iter().next().is_none() {
        return found;
    }
    let domains: Vec<Domain> = (walk::reachable(program, program.roots()).into_iter())
        .filter_map(|id| domain(program, id))
        .collect();
    let bounds = Bounds::of(program);
    let mut ranges = Index::with_checks(program);
    for Domain {
        extents,
        vars,
        elements,
        rows,
    } in domains
    {
        for id in of_some_axes(program, &calls, (&vars, rows), &elements) {
            let own = |var: &Var| program.free(id).contains(var);
            let axes = vars.iter().zip(&extents).filter(|(var, _)| own(var));
            let (own, extents): (Vec<Var>, Vec<Id>) = axes.unzip();
            let bounded = extents.iter().all(|&id| bounds.bounded(program, id));
            if !bounded || !reads::in_bounds(program, &mut ranges, id) {
                continue;
            }
            let array = program.generate(extents, |program, indices| {
                let map = own.iter().copied().zip(indices.iter().copied());
                program.substitute(id, &map.collect())
            });
            program.keep_labels(id, array);
            let stored = program.add(Node::Materialize(array));
            let reason = "the other axes have its functions in common".to_owned();
            program.reasons.insert(stored, reason);
            let indices = own.iter().map(|&var| program.add(Node::Variable(var)));
            let indices = indices.collect();
            let read = program.add(Node::Index {
                array: stored,
                indices,
            });
            program.keep_labels(id, read);
            found.insert(id, read);
        }
    }
    found
}

/// The domain of a closed reduction or of a stored array.
fn domain(program: &Program, id: Id) -> Option<Domain> {
    let domain = match program.node(id) {
        Node::Reduce {
            extents,
            vars,
            elements,
            ..
        } => Domain {
            extents: extents.clone(),
            vars: vars.clone(),
            elements: elements.clone(),
            rows: false,
        },
        Node::Materialize(array) => match program.node(*array) {
            Node::Generate {
                extents,
                vars,
                element,
            } => Domain {
                extents: extents.clone(),
                vars: vars.clone(),
                elements: vec![*element],
                rows: true,
            },
            _ => return None,
        },
        _ => return None,
    };
    (domain.vars.len() > 1 && program.free(id).is_empty()).then_some(domain)
}

/// The scalars whose evaluation calls mathematical functions of variables: what depends on none is computed once as it is.
fn calling(program: &Program) -> IdSet {
    let mut calls = IdSet::default();
    for id in program.ids() {
        if program.free(id).is_empty() {
            continue;
        }
        let mut found = estimate::is_function(program, id);
        match program.node(id) {
            Node::Index { indices, .. } => found = indices.iter().any(|&id| calls.contains(id)),
            Node::Materialize(_) | Node::Generate { .. } => {}
            node => walk::evaluated(node, |operand| found = found || calls.contains(operand)),
        }
        if found {
            calls.insert(id);
        }
    }
    calls
}

/// The largest values that all points of a domain evaluate, that depend on some of its indices and call functions.
fn of_some_axes(
    program: &Program,
    calls: &IdSet,
    (vars, rows): (&[Var], bool),
    elements: &[Id],
) -> Vec<Id> {
    let certain = anticipated(program, elements.iter().copied());
    let (mut found, mut seen, mut open) = (Vec::new(), IdSet::default(), elements.to_vec());
    while let Some(id) = open.pop() {
        if !certain.contains(&id) || !seen.insert(id) {
            continue;
        }
        let free = program.free(id);
        let count = vars.iter().filter(|var| free.contains(var)).count();
        let leading = vars[..count].iter().all(|var| free.contains(var));
        let some = free.len() == count && (1..vars.len()).contains(&count) && !(rows && leading);
        if some && matches!(program.ty(id), Type::Scalar(_)) && calls.contains(id) {
            if !walk::fallible(program, id) {
                found.push(id);
            }
            continue;
        }
        match program.node(id) {
            Node::Reduce { .. } => {}
            Node::Index { indices, .. } => open.extend(indices),
            node => node.operands(|operand| open.push(operand)),
        }
    }
    found
}
