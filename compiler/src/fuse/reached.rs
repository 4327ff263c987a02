//! When an array is evaluated at all: what may fail must not be stored, and so computed, where nobody would have met it.
//!
//! In: a program. Out: per array, the domains that must not be empty for it to be evaluated. An array that only some
//! element, some branch or some later round evaluates has no entry.

use super::estimate;
use super::needs::is_control;
use super::sources::fallible;
use crate::ir::scopes::regions;
use crate::ir::{Id, Node, Output, Program, Var};
use crate::scalar::{Binary, Scalar, Unary};
use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap, VecDeque};

/// What lies around an array.
#[derive(Clone, Default)]
pub(super) struct Around {
    /// Domains: an extent each, and its variable; a scatter's points are evaluated only if its target has elements too.
    domains: Vec<(Option<Var>, Id)>,
    /// Loops of the host, in whose rounds it is.
    loops: Vec<Id>,
    /// Whether something else may evaluate it too, which is not within these domains.
    elsewhere: bool,
}

/// The arrays that are evaluated, each by the fewest domains around it.
pub(super) fn reached(program: &Program) -> HashMap<Id, Around> {
    let mut found: HashMap<Id, Around> = HashMap::new();
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
            ids.iter()
                .for_each(|&id| open.push_front((id, around.clone())))
        };
        match program.node(id) {
            Node::Index { array, indices } => {
                also(indices);
                also(&[*array]);
            }
            Node::Guard {
                condition, value, ..
            } => also(&[*condition, *value]),
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
                    inside.loops.push(id);
                    let round = next.iter().chain([condition]);
                    open.extend(round.map(|&id| (id, inside.clone())));
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
                inside.domains.extend(target.map(|&extent| (None, extent)));
                let points = [condition].into_iter().chain(at).chain(elements);
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
    let asked = asked(program);
    for (id, around) in &mut found {
        let by_all = &asked[id];
        around.elsewhere = around.domains.iter().any(|(_, extent)| {
            let some = matches!(program.node(*extent), Node::Constant(size) if size.bits != 0);
            !some && !by_all.contains(&Fact::Some(*extent))
        });
    }
    found
}

/// What holds where something is asked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Fact {
    /// An extent is not zero.
    Some(Id),
    /// A condition holds, or does not.
    Holds(Id, bool),
}

/// What holds wherever a node is asked for: around all of its users.
pub(super) fn asked(program: &Program) -> HashMap<Id, BTreeSet<Fact>> {
    let mut asked: HashMap<Id, BTreeSet<Fact>> = HashMap::new();
    asked.extend(program.roots().into_iter().map(|id| (id, BTreeSet::new())));
    let live = estimate::reachable(program, program.roots());
    // Users come after what they use.
    for user in BTreeSet::from_iter(live).into_iter().rev() {
        let around = asked.get(&user).cloned().unwrap_or_default();
        let mut ask = |operands: &[Id], more: &[Fact]| {
            let by: BTreeSet<Fact> = around.iter().chain(more).copied().collect();
            for &operand in operands {
                match asked.entry(operand) {
                    Entry::Vacant(entry) => _ = entry.insert(by.clone()),
                    Entry::Occupied(mut entry) => entry.get_mut().retain(|fact| by.contains(fact)),
                }
            }
        };
        let (outside, regions) = regions(program.node(user));
        ask(&outside, &[]);
        // Where there is no domain around it, the host takes one side of a branch with all that is in it.
        let domains = around.iter().any(|fact| matches!(fact, Fact::Some(_)));
        let by_host = !domains && is_control(program, user);
        for (region, operands) in regions.iter().enumerate() {
            match by_host {
                true => ask(operands, &[]),
                false => ask(operands, &within(program, user, region)),
            }
        }
    }
    asked
}

/// What holds wherever a region of a node is evaluated.
fn within(program: &Program, id: Id, region: usize) -> Vec<Fact> {
    let some = |extents: &[Id]| extents.iter().copied().map(Fact::Some).collect();
    match (program.node(id), region) {
        (Node::If { condition, .. }, _) => vec![Fact::Holds(*condition, region == 0)],
        (
            Node::Generate { extents, .. }
            | Node::Reduce { extents, .. }
            | Node::Scan { extents, .. }
            | Node::Sort { extents, .. }
            | Node::Compact { extents, .. },
            0,
        ) => some(extents),
        (
            Node::Scatter {
                extents, defaults, ..
            },
            0,
        ) => some(&[extents, program.extents(defaults[0])].concat()),
        _ => Vec::new(),
    }
}

/// What holds wherever a node is asked for, as far as it can be told where the node stands, and in any case.
pub(super) fn asked_of(
    program: &Program,
    asked: &HashMap<Id, BTreeSet<Fact>>,
    id: Id,
) -> Vec<Fact> {
    let here = |fact: &Fact| {
        program.free(fact.of()).is_subset(program.free(id)) && !fallible(program, fact.of())
    };
    let facts = asked.get(&id).into_iter().flatten().copied();
    facts.filter(here).collect()
}

impl Fact {
    /// What it is about.
    pub(super) fn of(self) -> Id {
        match self {
            Fact::Some(id) | Fact::Holds(id, _) => id,
        }
    }

    /// The same of something else.
    pub(super) fn map(self, f: impl FnOnce(Id) -> Id) -> Fact {
        match self {
            Fact::Some(id) => Fact::Some(f(id)),
            Fact::Holds(id, holds) => Fact::Holds(f(id), holds),
        }
    }
}

impl Around {
    fn inside(&self, vars: &[Var], extents: &[Id]) -> Around {
        let mut inside = self.clone();
        let domains = vars.iter().copied().map(Some).zip(extents.iter().copied());
        inside.domains.extend(domains);
        inside
    }

    /// The extents that must not be zero for the array to be evaluated; nothing if it cannot tell by itself.
    pub(super) fn extents(&self, program: &Program, array: Id) -> Option<Vec<Id>> {
        let free = program.free(array);
        let turns = |id: &Id| {
            program
                .node(*id)
                .bound()
                .iter()
                .any(|var| free.contains(var))
        };
        let mut extents = Vec::new();
        for (var, extent) in &self.domains {
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

/// A scalar if it is asked for, by what holds where it is, else zero.
pub(super) fn if_asked(program: &mut Program, facts: &[Fact], id: Id) -> Id {
    let Some(condition) = all(program, facts) else {
        return id;
    };
    // It may stand under it already.
    if let Node::Project(bundle, _) = program.node(id)
        && let Node::If { condition: own, .. } = program.node(*bundle)
        && factors(program, condition).is_subset(&factors(program, *own))
    {
        return id;
    }
    let nothing = Scalar::zero(program.leaf(id));
    let nothing = program.constant(nothing);
    let bundle = program.add(Node::If {
        condition,
        then: vec![id],
        otherwise: vec![nothing],
    });
    program.keep_labels(id, bundle);
    program.add(Node::Project(bundle, 0))
}

/// What all hold if a condition does.
fn factors(program: &Program, condition: Id) -> BTreeSet<Id> {
    match program.node(condition) {
        Node::Binary(Binary::And, a, b) => &factors(program, *a) | &factors(program, *b),
        _ => BTreeSet::from([condition]),
    }
}

/// An extent if its points are asked for, else zero: then there are none that could fail.
pub(super) fn none_unless_asked(program: &mut Program, facts: &[Fact], extent: Id) -> Id {
    let Some(condition) = all(program, facts) else {
        return extent;
    };
    let zero = program.usize(0);
    program.add(Node::Select(condition, extent, zero))
}

/// A condition that holds only if it is asked for.
pub(super) fn only_if_asked(program: &mut Program, facts: &[Fact], condition: Id) -> Id {
    match all(program, facts) {
        Some(asked) => program.binary(Binary::And, asked, condition),
        None => condition,
    }
}

/// Whether all of them hold, unless that is known.
fn all(program: &mut Program, facts: &[Fact]) -> Option<Id> {
    let zero = program.usize(0);
    let mut condition = None;
    for &fact in facts {
        let holds = match fact {
            Fact::Some(extent) => match program.node(extent) {
                Node::Constant(constant) if constant.bits != 0 => continue,
                _ => program.binary(Binary::Ne, extent, zero),
            },
            Fact::Holds(condition, true) => condition,
            Fact::Holds(condition, false) => program.unary(Unary::Not, condition),
        };
        condition = Some(match condition {
            Some(all) => program.binary(Binary::And, all, holds),
            None => holds,
        });
    }
    condition
}
