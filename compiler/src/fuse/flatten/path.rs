//! Paths: the conditions of the branches around a node.

use crate::fuse::analysis::control::{host_tells, is_array_loop};
use crate::fuse::analysis::estimate;
use crate::ir::{Id, Node, Program, QuickMap};
use crate::pass::anywhere::{conjunction, if_holds};
use crate::scalar::{Binary, Scalar, Unary};
use crate::sorted::SortedSet;

/// Conditions in turn; each is evaluated only where those before are as they should be.
pub(super) type Path = Vec<Step>;

#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) condition: Id,
    /// What it has to be.
    pub(super) holds: bool,
    /// Whether it is a check: something fails where it is not.
    pub(super) check: bool,
}

impl PartialEq for Step {
    fn eq(&self, other: &Step) -> bool {
        (self.condition, self.holds) == (other.condition, other.holds)
    }
}

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

/// The steps of a path that depend on rows, and those that the host tells before.
pub(super) fn split(program: &Program, path: &[Step]) -> (Path, Path) {
    let (mut rest, mut host) = (Path::new(), Path::new());
    for &step in path {
        let mut parts = match step.holds {
            true => conjuncts(program, step),
            false => vec![step],
        };
        let tells = |part: &Step| host_tells(program, part.condition);
        if !parts.iter().any(tells) {
            parts = vec![step];
        }
        let (told, other): (Path, Path) = parts.into_iter().partition(tells);
        host.extend(told);
        rest.extend(other);
    }
    (rest, host)
}

/// The conditions that hold if one does.
fn conjuncts(program: &Program, step: Step) -> Path {
    if let Node::Project(bundle, k) = *program.node(step.condition)
        && let Some((first, then)) = conjunction(program, bundle, k as usize)
    {
        let part = |condition| conjuncts(program, Step { condition, ..step });
        return [part(first), part(then)].concat();
    }
    vec![step]
}

/// An extent, or zero where one of the conditions does not hold.
pub(super) fn none_unless(program: &mut Program, host: &[Step], mut extent: Id) -> Id {
    let none = program.usize(0);
    for step in host {
        let (some, other) = match step.holds {
            true => (extent, none),
            false => (none, extent),
        };
        extent = program.add(Node::Select(step.condition, some, other));
    }
    extent
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
        let with = |step: Step| {
            let mut path = path.clone()?;
            if !path.contains(&step) {
                path.push(step);
            }
            Some(path)
        };
        let [branch, check] = [false, true].map(|check| {
            move |condition: Id, holds: bool| Step {
                condition,
                holds,
                check,
            }
        });
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
                reach(then, &with(branch(*condition, true)));
                reach(otherwise, &with(branch(*condition, false)));
            }
            Node::Guard {
                condition,
                values,
                value,
                ..
            } => {
                reach(&[*condition], &path);
                reach(values, &with(check(*condition, false)));
                reach(&[*value], &with(check(*condition, true)));
            }
            Node::Binary(op @ (Binary::And | Binary::Or), a, b) => {
                reach(&[*a], &path);
                reach(&[*b], &with(branch(*a, *op == Binary::And)));
            }
            Node::Compact {
                count,
                extents,
                condition,
                elements,
                ..
            } => {
                reach(&[*count, *condition], &path);
                reach(extents, &path);
                reach(elements, &with(branch(*condition, true)));
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

/// Whether a path leads here.
pub(super) fn holds(program: &mut Program, path: &[Step]) -> Id {
    let mut all = program.bool(true);
    for &Step {
        condition, holds, ..
    } in path.iter().rev()
    {
        let step = match holds {
            true => condition,
            false => program.unary(Unary::Not, condition),
        };
        let last = matches!(program.node(all), Node::Constant(_));
        all = match last {
            true => step,
            false => if_holds(program, step, all),
        };
    }
    all
}

/// Values where a path leads, zeros elsewhere.
pub(super) fn under(program: &mut Program, path: &[Step], mut values: Vec<Id>) -> Vec<Id> {
    for &Step {
        condition, holds, ..
    } in path.iter().rev()
    {
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
