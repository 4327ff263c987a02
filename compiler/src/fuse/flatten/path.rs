//! Paths: the conditions of the branches around a node.

use crate::fuse::analysis::control::{host_tells, is_array_loop};
use crate::fuse::analysis::estimate;
use crate::ir::{Id, Node, Program, QuickMap};
use crate::pass::anywhere::conjunction;
use crate::scalar::{Binary, Scalar};
use crate::sorted::SortedSet;

/// Conditions, each with what it has to be; each is evaluated only where those before are as they should be.
pub(super) type Path = Vec<(Id, bool)>;

/// The paths to a node, the longest first: from the program's roots; from an array around it that is made apart, so that
/// the whole of it is demanded or not; none, for what does not fail, as `guard_reads` keeps its reads in bounds.
pub(super) fn to(program: &Program, id: Id, fails: bool) -> Vec<Path> {
    let from = |apart: bool| paths(program, apart).remove(&id).flatten();
    let anywhere = (!fails).then(Path::new);
    [from(false), from(true), anywhere]
        .into_iter()
        .flatten()
        .collect()
}

/// A path without the conditions that the host tells before: where one of them does not hold there are no rows.
pub(super) fn without_rows(program: &mut Program, path: Path, extents: &mut [Id]) -> Path {
    let mut rest = Path::new();
    let mut open: Vec<(Id, bool)> = path.into_iter().rev().collect();
    while let Some((condition, holds)) = open.pop() {
        if let Node::Project(bundle, k) = *program.node(condition)
            && let Some((first, then)) = conjunction(program, bundle, k as usize)
            && holds
        {
            open.extend([(then, true), (first, true)]);
        } else if host_tells(program, condition) {
            let none = program.usize(0);
            let (some, other) = match holds {
                true => (extents[0], none),
                false => (none, extents[0]),
            };
            extents[0] = program.add(Node::Select(condition, some, other));
        } else {
            rest.push((condition, holds));
        }
    }
    rest
}

/// The path to each node that is evaluated, wherever the domains around it have points and the loops over arrays around it
/// have rounds; none if it is not known. Where several ones lead to a node it is the one that is a part of all others.
/// Those to arrays that depend on nothing but such loops may be left out.
fn paths(program: &Program, apart: bool) -> QuickMap<Id, Option<Path>> {
    let binders = estimate::binders(program);
    let is_apart = |id: Id| {
        let state = |var| (binders.get(var)).is_some_and(|by| is_array_loop(program, by.node));
        matches!(program.node(id), Node::Generate { .. }) && program.free(id).iter().all(state)
    };
    let mut paths: QuickMap<Id, Option<Path>> = QuickMap::default();
    let roots = program.roots();
    for &id in &roots {
        paths.insert(id, Some(Vec::new()));
    }
    let mut open: SortedSet<Id> = roots.into_iter().collect();
    // Whoever uses a node comes after it in the program.
    while let Some(id) = open.pop_last() {
        let path = match apart && is_apart(id) {
            true => Some(Path::new()),
            false => paths[&id].clone(),
        };
        let also = |condition: Id, holds: bool| {
            let mut path = path.clone()?;
            if !path.contains(&(condition, holds)) {
                path.push((condition, holds));
            }
            Some(path)
        };
        let mut reach = |ids: &[Id], path: &Option<Path>| {
            for &id in ids {
                let known = paths.remove(&id);
                let path = match known {
                    Some(known) => weaker(known, path.clone()),
                    None => path.clone(),
                };
                paths.insert(id, path);
                open.insert(id);
            }
        };
        match program.node(id) {
            Node::If {
                condition,
                then,
                otherwise,
            } => {
                reach(&[*condition], &path);
                reach(then, &also(*condition, true));
                reach(otherwise, &also(*condition, false));
            }
            Node::Guard {
                condition,
                values,
                value,
                ..
            } => {
                reach(&[*condition], &path);
                reach(values, &also(*condition, false));
                reach(&[*value], &also(*condition, true));
            }
            Node::Binary(op @ (Binary::And | Binary::Or), a, b) => {
                reach(&[*a], &path);
                reach(&[*b], &also(*a, *op == Binary::And));
            }
            Node::Loop {
                initial,
                condition,
                next,
                ..
            } if !is_array_loop(program, id) => {
                reach(initial, &path);
                reach(&[*condition], &None);
                reach(next, &None);
            }
            node => {
                let mut operands = Vec::new();
                node.operands(|operand| operands.push(operand));
                reach(&operands, &path);
            }
        }
    }
    paths
}

/// Of two paths the one that is a part of the other.
fn weaker(a: Option<Path>, b: Option<Path>) -> Option<Path> {
    let always = |path: &Option<Path>| path.as_ref().is_some_and(Vec::is_empty);
    if always(&a) {
        return a;
    }
    if always(&b) {
        return b;
    }
    let (a, b) = (a?, b?);
    let within = |a: &Path, b: &Path| a.iter().all(|step| b.contains(step));
    match (within(&a, &b), within(&b, &a)) {
        (true, _) => Some(a),
        (_, true) => Some(b),
        _ => None,
    }
}

/// Values where a path leads, zeros elsewhere.
pub(super) fn under(program: &mut Program, path: &[(Id, bool)], mut values: Vec<Id>) -> Vec<Id> {
    for &(condition, holds) in path.iter().rev() {
        let nothing = (values.iter())
            .map(|&value| program.constant(Scalar::zero(program.leaf(value))))
            .collect();
        let (then, otherwise) = match holds {
            true => (values, nothing),
            false => (nothing, values),
        };
        let bundle = program.add(Node::If {
            condition,
            then,
            otherwise,
        });
        values = program.components(bundle);
    }
    values
}
