//! Regions in which a value is demanded in any case: stored elsewhere it would fail where strict evaluation does not.
//!
//! In: a program. Out: per array, the domains, and the trip counts of loops inside elements, that must not be zero for it to be
//! evaluated. An array that only some
//! element, some branch or some later round evaluates has no entry.

use crate::fuse::analysis::control::{host_tells, is_control};
use crate::fuse::analysis::rounds;
use crate::fuse::demand::conditions::{self, nonempty};
use crate::ir::{Id, Node, Output, Program, QuickMap, Var};
use crate::scalar::Binary;
use std::collections::VecDeque;
use std::rc::Rc;

/// What lies around an array.
#[derive(Clone, Default)]
pub(in crate::fuse) struct Around {
    /// Domains: an extent each, and its variable; a scatter's points are evaluated only if its target has elements too.
    domains: Rc<[(Option<Var>, Id)]>,
    /// Loops of the host, in whose rounds it is.
    loops: Rc<[Id]>,
    /// Whether something else may evaluate it too, which is not within these domains.
    elsewhere: bool,
    /// Conditions without which nothing of it is demanded, but a failure, or nothing scattered.
    conditions: Rc<[Id]>,
}

/// A list with more at its end.
fn with<T: Copy>(list: &[T], more: impl IntoIterator<Item = T>) -> Rc<[T]> {
    list.iter().copied().chain(more).collect()
}

/// The arrays that are evaluated, each by the fewest domains around it.
pub(in crate::fuse) fn reached(program: &Program) -> QuickMap<Id, Around> {
    let mut found: QuickMap<Id, Around> = QuickMap::default();
    let mut open: VecDeque<(Id, Around)> = VecDeque::new();
    let checks = program.checks.iter().map(|check| check.condition);
    let outputs = program.outputs.iter().flat_map(|output| match output {
        Output::Scalar(leaves) => leaves.clone(),
        Output::Array { extents, leaves } => [&extents[..], leaves].concat(),
    });
    open.extend(checks.chain(outputs).map(|id| (id, Around::default())));
    while let Some((id, around)) = open.pop_front() {
        if found.contains_key(&id) {
            continue;
        }
        // What has no more around it comes first.
        let mut also = |ids: &[Id]| {
            let new = ids.iter().filter(|id| !found.contains_key(id));
            new.for_each(|&id| open.push_front((id, around.clone())));
        };
        match program.node(id) {
            Node::Index { array, indices } => {
                also(indices);
                open.push_front((*array, around.of(program, *array)));
            }
            Node::Guard {
                condition, value, ..
            } => {
                let mut inside = around.clone();
                inside.conditions = with(&inside.conditions, [*condition]);
                open.push_front((*value, inside));
                // What the condition needs is demanded whether or not it holds: it comes first.
                open.push_front((*condition, around.clone()));
            }
            Node::Binary(Binary::And | Binary::Or, a, _) => also(&[*a]),
            Node::If {
                condition,
                then,
                otherwise,
            } => {
                also(&[*condition]);
                if around.domains.is_empty() && is_control(program, id) {
                    // The host runs one side, and computes there what only this side needs.
                    also(then);
                    also(otherwise);
                }
            }
            Node::Loop {
                initial,
                condition,
                next,
                ..
            } => {
                also(initial);
                if around.domains.is_empty() && is_control(program, id) {
                    let mut inside = around.clone();
                    inside.loops = with(&inside.loops, [id]);
                    // What the host checks before the round holds in it.
                    let mut next = next.clone();
                    let mut told = Vec::new();
                    while let Some((condition, site, values)) = rounds::around(program, &next) {
                        told.extend(values.into_iter().chain([condition]));
                        next = rounds::under(program, &next, site);
                    }
                    let round = next.iter().chain([condition]).chain(&told);
                    open.extend(round.map(|&id| (id, inside.clone())));
                } else if let Some(extents) = conditions::trip_extents(program, id) {
                    let mut inside = around.clone();
                    let extents = extents.into_iter().map(|extent| (None, extent));
                    inside.domains = with(&inside.domains, extents);
                    open.extend(next.iter().map(|&id| (id, inside.clone())));
                }
            }
            Node::Generate {
                extents,
                vars,
                element,
            } => {
                also(extents);
                open.push_back((*element, around.inside(vars, extents)));
            }
            Node::Reduce {
                extents,
                vars,
                elements,
                initial,
                ..
            } => {
                also(extents);
                initial.iter().for_each(|initial| also(initial));
                let inside = around.inside(vars, extents);
                open.extend(elements.iter().map(|&id| (id, inside.clone())));
            }
            Node::Scan {
                extents,
                vars,
                elements,
                ..
            }
            | Node::Sort {
                extents,
                vars,
                elements,
                ..
            } => {
                also(extents);
                let inside = around.inside(vars, extents);
                open.extend(elements.iter().map(|&id| (id, inside.clone())));
            }
            Node::Scatter {
                defaults,
                extents,
                vars,
                condition,
                at,
                elements,
                ..
            } => {
                also(defaults);
                also(extents);
                let mut inside = around.inside(vars, extents);
                let target = program.extents(defaults[0]).iter();
                inside.domains = with(&inside.domains, target.map(|&extent| (None, extent)));
                open.push_back((*condition, inside.clone()));
                inside.conditions = with(&inside.conditions, [*condition]);
                let points = at.iter().chain(elements);
                open.extend(points.map(|&id| (id, inside.clone())));
            }
            Node::Compact {
                count,
                extents,
                vars,
                condition,
                ..
            } => {
                also(&[*count]);
                also(extents);
                // Elements are evaluated at some points only.
                open.push_back((*condition, around.inside(vars, extents)));
            }
            node => node.operands(|operand| also(&[operand])),
        }
        found.insert(id, around);
    }
    let nonempty = nonempty(program);
    for (id, around) in &mut found {
        let by_all = &nonempty[id];
        around.elsewhere = around.domains.iter().any(|(_, extent)| {
            let some = || matches!(program.node(*extent), Node::Constant(size) if size.bits != 0);
            !by_all.contains(*extent) && !some()
        });
    }
    found
}

impl Around {
    fn inside(&self, vars: &[Var], extents: &[Id]) -> Around {
        let mut inside = self.clone();
        let domains = vars.iter().copied().map(Some).zip(extents.iter().copied());
        inside.domains = with(&inside.domains, domains);
        inside
    }

    /// What lies around an array that is read here. Of domains whose variables it does not depend on one with each extent is
    /// enough: else those around the first of a chain of arrays would be those of all others.
    fn of(&self, program: &Program, array: Id) -> Around {
        let free = program.free(array);
        let mut domains: Vec<(Option<Var>, Id)> = Vec::new();
        for &(var, extent) in self.domains.iter() {
            let var = var.filter(|var| free.contains(var));
            if !domains.contains(&(var, extent)) {
                domains.push((var, extent));
            }
        }
        Around {
            domains: domains.into(),
            ..self.clone()
        }
    }

    /// Whether it is evaluated wherever these domains have elements.
    pub(in crate::fuse) fn is_unconditional(&self) -> bool {
        self.conditions.is_empty()
    }

    /// Whether the host knows all conditions without which nothing of it is demanded.
    pub(in crate::fuse) fn is_told_by_host(&self, program: &Program) -> bool {
        self.conditions.iter().all(|&id| host_tells(program, id))
    }

    /// Whether no domain and no loop is around it.
    pub(in crate::fuse) fn is_top_level(&self) -> bool {
        self.domains.is_empty() && self.loops.is_empty()
    }

    /// The extents that must not be zero for the array to be evaluated; nothing if it cannot tell by itself.
    pub(in crate::fuse) fn extents(&self, program: &Program, array: Id) -> Option<Vec<Id>> {
        let free = program.free(array);
        let turns = |id: &Id| {
            program
                .node(*id)
                .bound()
                .iter()
                .any(|var| free.contains(var))
        };
        let mut extents = Vec::new();
        for (var, extent) in self.domains.iter() {
            // Where the array is computed for each value of a variable, there is one.
            let varies = var.is_some_and(|var| free.contains(&var));
            if !varies && !extents.contains(extent) {
                extents.push(*extent);
            }
        }
        let here = |id: &Id| program.free(*id).is_subset(free);
        // A buffer is for all who read it.
        let for_all = extents.is_empty() || !self.elsewhere;
        (for_all && extents.iter().all(here) && self.loops.iter().all(turns)).then_some(extents)
    }
}
