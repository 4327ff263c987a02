//! Delinearizes reductions: an axis whose index is only ever divided into two by an extent becomes these two.
//!
//! In: a program after inlining. Out: the same function, in which `m.stencil(..).flatten().sum()` goes through rows and columns,
//! as `sum_all()` does: no element divides to find out where it is, and kernels that know neighbours know these. (The term and the
//! problem: Grosser, Ramanujam, Pouchet, Sadayappan and Pop, "Optimistic Delinearization of Parametrically Sized Arrays", 2015.)

use crate::fuse::rewrite::{Replacing, replaced};
use crate::ir::{Id, Node, Program, QuickMap, Var, walk};
use crate::scalar::{Binary, Scalar};
use crate::sorted::SortedSet;

/// See the module.
pub(in crate::fuse) fn run(mut program: Program) -> Program {
    // What is divided may be divided again: a cube's index is one of a plane and a column.
    while let Some((from, to)) = delinearized(&mut program) {
        program = replaced(program, QuickMap::from_iter([(from, to)]));
    }
    program
}

/// A reduction with an axis too few, and the one with two in its place.
fn delinearized(program: &mut Program) -> Option<(Id, Id)> {
    let live = walk::reachable(program, program.roots());
    // Few indices are divided with a remainder; no other is looked at.
    let remainders = live.iter().filter_map(|&id| match *program.node(id) {
        Node::Binary(Binary::Rem, a, _) => match *program.node(a) {
            Node::Variable(var) => Some(var),
            _ => None,
        },
        _ => None,
    });
    let divided: SortedSet<Var> = remainders.collect();
    let reductions = live.into_iter().filter_map(|id| match program.node(id) {
        Node::Reduce {
            extents,
            vars,
            elements,
            ..
        } if vars.iter().any(|var| divided.contains(var)) => {
            Some((id, extents.clone(), vars.clone(), elements.clone()))
        }
        _ => None,
    });
    let reductions: Vec<_> = reductions.collect();
    for (id, extents, vars, elements) in reductions {
        for (axis, (&extent, &var)) in extents.iter().zip(&vars).enumerate() {
            let Some((inner, divided)) = divisions(program, &elements, var) else {
                continue;
            };
            let Some(outer) = quotient(program, extent, inner) else {
                continue;
            };
            let rests = divided.iter().map(|&by| match by == inner {
                true => Some((by, None)),
                false => Some((by, Some(quotient(program, by, inner)?))),
            });
            if let Some(rests) = rests.collect::<Option<Vec<_>>>() {
                return Some((id, split(program, (id, axis), [outer, inner], &rests)));
            }
        }
    }
    None
}

/// By what an index is divided with a remainder, and by what without, if nothing else is done with it.
fn divisions(program: &Program, elements: &[Id], var: Var) -> Option<(Id, SortedSet<Id>)> {
    let is_var = |id: &Id| matches!(program.node(*id), Node::Variable(own) if *own == var);
    if elements.iter().any(is_var) {
        return None;
    }
    let (mut inner, mut divided) = (None, SortedSet::new());
    for id in walk::reachable(program, elements.iter().copied()) {
        if !program.free(id).contains(&var) {
            continue;
        }
        match *program.node(id) {
            Node::Binary(op @ (Binary::Div | Binary::Rem), a, by) if is_var(&a) => {
                let other = op == Binary::Rem && *inner.get_or_insert(by) != by;
                if other || !program.free(by).is_empty() {
                    return None;
                }
                if op == Binary::Div {
                    divided.insert(by);
                }
            }
            ref node => {
                let mut used = false;
                node.operands(|operand| used |= is_var(&operand));
                if used {
                    return None;
                }
            }
        }
    }
    Some((inner?, divided))
}

/// An extent without a factor.
fn quotient(program: &mut Program, extent: Id, factor: Id) -> Option<Id> {
    match (program.node(extent), program.node(factor)) {
        (&Node::Binary(Binary::Mul, a, b), _) if b == factor => Some(a),
        (&Node::Binary(Binary::Mul, a, b), _) if a == factor => Some(b),
        (Node::Constant(all), Node::Constant(one)) if one.bits != 0 && all.bits % one.bits == 0 => {
            let leaf = all.leaf;
            let bits = all.bits / one.bits;
            Some(program.constant(Scalar { leaf, bits }))
        }
        _ => None,
    }
}

/// The reduction with two axes in the place of one. The index is divided by some numbers: those that are the inner extent times
/// something divide the outer index.
fn split(
    program: &mut Program,
    (id, axis): (Id, usize),
    parts: [Id; 2],
    divided: &[(Id, Option<Id>)],
) -> Id {
    let mut node = program.node(id).clone();
    let Node::Reduce {
        extents,
        vars,
        elements,
        ..
    } = &mut node
    else {
        unreachable!("a reduction");
    };
    let ((outer, row), (inner, column)) = (program.index_var(), program.index_var());
    let index = program.add(Node::Variable(vars[axis]));
    let rem = program.add(Node::Binary(Binary::Rem, index, parts[1]));
    let mut places = QuickMap::from_iter([(rem, column)]);
    for &(by, rest) in divided {
        let old = program.add(Node::Binary(Binary::Div, index, by));
        let new = match rest {
            Some(rest) => program.add(Node::Binary(Binary::Div, row, rest)),
            None => row,
        };
        places.insert(old, new);
    }
    let mut replacing = Replacing::new(program, places);
    for element in elements {
        *element = replacing.rewrite(*element);
    }
    extents.splice(axis..=axis, parts);
    vars.splice(axis..=axis, [outer, inner]);
    program.add(node)
}
