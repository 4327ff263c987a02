//! Correlated value propagation: what a branch's condition says of indices simplifies the clamps in its sides, and what a check says
//! of a row's length the guards in its elements.
//!
//! In: a program after inlining. Out: the same function, without guards that hold in all elements, in which an element inside of a
//! border reads its neighbours where they are: `if i == 0 || i == n - 1 { x } else { moved[i] }` of a `moved` that clamps has no
//! clamps left, as they were inlined behind a condition under which none is needed. Kernels find the window of a point by such
//! reads. (The name is that of LLVM's pass.)

use crate::fuse::demand::regions::reached;
use crate::fuse::rewrite::{Replacing, replaced};
use crate::ir::{Check, Id, Node, Program, QuickMap, Type, Var, walk};
use crate::pass::index::Index;
use crate::scalar::{Binary, Leaf};
use crate::sorted::SortedSet;

/// Rounds: an inner branch is found again in an outer one that has changed.
const ROUNDS: usize = 3;
/// Clamps that are looked at in a side, at most.
const MOST_CLAMPS: usize = 256;

/// See the module.
pub(in crate::fuse) fn run(program: Program) -> Program {
    let mut program = without_guards(program);
    for _ in 0..ROUNDS {
        let found = found(&mut program);
        if found.is_empty() {
            break;
        }
        program = replaced(program, found);
    }
    program
}

/// The program without guards that hold wherever there are elements: what a row checks of its length (`there are no rows, or ..`)
/// holds in its elements, which are not known to be in a row before they are inlined.
fn without_guards(mut program: Program) -> Program {
    let weakened =
        |check: &Check| matches!(program.node(check.condition), Node::Binary(Binary::Or, ..));
    if !program.checks.iter().any(weakened) {
        return program;
    }
    let reached = reached(&program);
    let mut index = Index::with_checks(&program);
    let mut holding = QuickMap::default();
    for id in walk::reachable(&program, program.roots()) {
        let Node::Guard {
            condition, value, ..
        } = *program.node(id)
        else {
            continue;
        };
        if program.free(condition).is_empty() || program.reads(condition) {
            continue;
        }
        let around = reached.get(&id);
        let around = around.and_then(|around| around.extents(&program, id));
        let around = around.unwrap_or_default();
        let vars: Vec<Var> = (around.iter())
            .map(|_| program.var(Type::Scalar(Leaf::U64)))
            .collect();
        index.domains(&vars, &around);
        index.push();
        index.enter(&program, program.free(id).iter().copied().chain(vars));
        if index.decide(&program, condition) == Some(true) {
            holding.insert(id, value);
        }
        index.pop();
    }
    match holding.is_empty() {
        true => program,
        false => replaced(program, holding),
    }
}

/// Branches in elements, and what they are where conditions are taken into account.
fn found(program: &mut Program) -> QuickMap<Id, Id> {
    let mut found = QuickMap::default();
    let live = walk::reachable(program, program.roots());
    // Most programs have none.
    if !live.iter().any(|&id| is_clamp(program, id)) {
        return found;
    }
    let mut index = None;
    for id in live {
        let Node::If {
            condition,
            then,
            otherwise,
        } = program.node(id).clone()
        else {
            continue;
        };
        if program.free(condition).is_empty() || program.reads(condition) {
            continue;
        }
        let sides = [(&then, true), (&otherwise, false)].map(|(side, holds)| {
            let clamps = clamps(program, condition, side);
            if clamps.is_empty() {
                return side.clone();
            }
            let index = index.get_or_insert_with(|| Index::with_checks(program));
            index.push();
            index.assume(program, condition, holds);
            let mut places = QuickMap::default();
            for clamp in clamps {
                let simple = index.simplify(program, clamp);
                if simple != clamp {
                    places.insert(clamp, simple);
                }
            }
            index.pop();
            let mut replacing = Replacing::new(program, places);
            side.iter().map(|&part| replacing.rewrite(part)).collect()
        });
        let [then, otherwise] = sides;
        let to = program.add(Node::If {
            condition,
            then,
            otherwise,
        });
        if to != id {
            program.keep_labels(id, to);
            found.insert(id, to);
        }
    }
    found
}

/// The least and greatest of indices in a side that have to do with its condition, inner ones first. Not where indices are
/// divided: a divisor that is not 0 at any point may be 0 where there is no point, and leave the element all the same.
fn clamps(program: &Program, condition: Id, side: &[Id]) -> Vec<Id> {
    let inside: SortedSet<Id> = (side.iter())
        .flat_map(|&part| walk::inside(program, part))
        .collect();
    let divides = |&id: &Id| {
        let division = matches!(
            program.node(id),
            Node::Binary(Binary::Div | Binary::Rem, ..)
        );
        division && program.leaf(id).is_integer()
    };
    let divisions = inside.iter().copied().filter(divides);
    let divided: SortedSet<Id> = divisions.flat_map(|id| walk::inside(program, id)).collect();
    let of_condition = |id: Id| !program.free(id).is_disjoint(program.free(condition));
    let mut clamps: Vec<Id> = inside.difference(&divided).copied().collect();
    clamps.retain(|&id| is_clamp(program, id) && of_condition(id));
    clamps.truncate(MOST_CLAMPS);
    clamps.retain(|&id| !walk::inside(program, id).any(|id| divides(&id)));
    clamps
}

/// Whether a node is the least or the greatest of indices, or a choice of them.
fn is_clamp(program: &Program, id: Id) -> bool {
    let clamps = matches!(
        program.node(id),
        Node::Binary(Binary::Min | Binary::Max, ..) | Node::Select(..)
    );
    clamps && *program.ty(id) == Type::Scalar(Leaf::U64)
}
