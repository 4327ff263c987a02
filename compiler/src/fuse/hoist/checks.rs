//! Checks of a round that its host can make before it: an extent of the state against another one, for each `zip` in it.
//!
//! In: a program before inlining. Out: the same program, in which such a guard stands once around what the round gives, and
//! nowhere inside: no reduction waits for it, is kept from being shared by threads, or from leaving a body. The failure that
//! is reported stays the first one: a guard moves only past what cannot fail, past others that have moved, and past what lazy
//! evaluation reaches only where it holds.

use crate::fuse::analysis::control::is_control;
use crate::fuse::analysis::rounds::{arithmetic, extents, extents_of_states};
use crate::fuse::rewrite::Rewrite;
use crate::ir::scopes::regions;
use crate::ir::walk;
use crate::ir::{Failure, Id, IdSet, Node, Program, QuickMap, Site, Var};
use crate::scalar::{Binary, Leaf};
use crate::sorted::{SortedMap, SortedSet};
use std::collections::VecDeque;

/// A guard of a round.
#[derive(Clone, PartialEq, Eq)]
struct Guard {
    condition: Id,
    values: Vec<Id>,
    /// The extents of the domains around it: where one is zero, it is not evaluated.
    domains: Vec<Id>,
}

/// See the module.
pub(in crate::fuse) fn run(program: Program) -> Program {
    let loops: Vec<Id> = (walk::reachable(&program, program.roots()).into_iter())
        .filter(|&id| matches!(program.node(id), Node::Loop { .. }) && is_control(&program, id))
        .collect();
    let states = extents_of_states(&program);
    let found = loops.into_iter().filter_map(|id| {
        let guards = guards(&program, id, &states);
        (!guards.is_empty()).then_some((id, guards))
    });
    let guards: QuickMap<Id, SortedMap<Site, Guard>> = found.collect();
    if guards.is_empty() {
        return program;
    }
    let sites = guards.values().flat_map(SortedMap::keys).copied().collect();
    let mut hoist = Hoist {
        program,
        guards,
        sites,
        told: QuickMap::default(),
        states: QuickMap::default(),
        done: QuickMap::default(),
    };
    hoist.roots(Hoist::rewrite);
    hoist.program
}

/// The guards that each round evaluates before anything else that may fail, and that the host can tell.
fn guards(program: &Program, id: Id, states: &SortedSet<Var>) -> SortedMap<Site, Guard> {
    let Node::Loop { next, .. } = program.node(id) else {
        return SortedMap::new();
    };
    // Guards inside a condition come before it, and have moved if it does.
    let told = |id: Id| arithmetic(program, id, true, states);
    let certain = certain(program, next, &told);
    let outside = outside(program, id);
    // By site: the guard, if it is one, and the fewest domains around it, if it is evaluated wherever they have points.
    let mut found: SortedMap<Site, (Option<Guard>, Option<Vec<Id>>)> = SortedMap::new();
    for id in walk::reachable(program, next.iter().copied()) {
        match program.node(id) {
            Node::Guard {
                condition,
                site,
                values,
                ..
            } => {
                let is_speculatable = told(*condition) && values.iter().all(|&value| told(value));
                let guard = (is_speculatable && !outside.contains(&id)).then(|| Guard {
                    condition: *condition,
                    values: values.clone(),
                    domains: Vec::new(),
                });
                let (first, around) = found.entry(*site).or_insert((guard.clone(), None));
                if *first != guard {
                    *first = None;
                }
                if let Some(domains) = certain.get(&id)
                    && around
                        .as_ref()
                        .is_none_or(|known| domains.len() < known.len())
                {
                    *around = Some(domains.clone());
                }
            }
            Node::Scatter {
                once: Some(site), ..
            } => _ = found.insert(*site, (None, None)),
            _ => {}
        }
    }
    let (mut first, mut others) = (SortedMap::new(), SortedSet::new());
    let mut asked = 0;
    for (site, (guard, domains)) in found {
        let guard = guard.zip(domains).filter(|(guard, _)| {
            asked += usize::from(!others.is_empty());
            others.is_empty()
                || asked <= MOST_ASKED && are_behind(program, next, guard.condition, &others)
        });
        match guard {
            Some((guard, domains)) => _ = first.insert(site, Guard { domains, ..guard }),
            None => _ = others.insert(site),
        }
    }
    first
}

/// For so many guards of a round it is asked whether other failures come after them.
const MOST_ASKED: usize = 16;

/// Whether a round reaches failures only where a condition holds: each is under a guard of it, or of what has such a guard, or in
/// a domain with such extents. What is evaluated ahead of its demand does not count, as it may be left out.
fn are_behind(program: &Program, next: &[Id], condition: Id, sites: &SortedSet<Site>) -> bool {
    let is_guard = |id: Id| matches!(program.node(id), Node::Guard { condition: own, .. } if *own == condition);
    let mut guarded = IdSet::default();
    for id in walk::reachable(program, next.iter().copied()) {
        let mut has = is_guard(id);
        let operand = |operand: Id| has |= guarded.contains(operand);
        program.node(id).operands(operand);
        if has {
            guarded.insert(id);
        }
    }
    let (mut seen, mut open) = (IdSet::default(), next.to_vec());
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        let node = program.node(id);
        match node {
            Node::Guard { site, .. }
            | Node::Scatter {
                once: Some(site), ..
            } if sites.contains(site) => return false,
            Node::Guard {
                condition, values, ..
            } if is_guard(id) || guarded.contains(*condition) => {
                open.push(*condition);
                open.extend(values);
            }
            Node::Demand {
                value,
                required: false,
                ..
            } => open.push(*value),
            Node::Reduce { extents, .. }
            | Node::Scan { extents, .. }
            | Node::Sort { extents, .. }
                if extents.iter().any(|&extent| guarded.contains(extent)) =>
            {
                open.extend(extents);
            }
            _ => node.operands(|operand| open.push(operand)),
        }
    }
    true
}

/// What a round evaluates in any case, or wherever domains have points whose extents the host can tell: these extents.
fn certain(program: &Program, next: &[Id], told: &impl Fn(Id) -> bool) -> QuickMap<Id, Vec<Id>> {
    let mut found: QuickMap<Id, Vec<Id>> = QuickMap::default();
    let mut open: VecDeque<(Id, Vec<Id>)> = next.iter().map(|&id| (id, Vec::new())).collect();
    while let Some((id, around)) = open.pop_front() {
        if found.contains_key(&id) {
            continue;
        }
        let node = program.node(id);
        let (outside, inside) = regions(node);
        outside
            .iter()
            .for_each(|&id| open.push_front((id, around.clone())));
        let domain = match node {
            // It holds in what follows, or is the failure.
            Node::Guard { condition, .. } if told(*condition) => Some(Vec::new()),
            Node::Generate { extents, .. }
            | Node::Reduce { extents, .. }
            | Node::Scan { extents, .. }
            | Node::Sort { extents, .. }
                if extents
                    .iter()
                    .all(|&extent| told(program.unguarded(extent))) =>
            {
                Some(
                    extents
                        .iter()
                        .map(|&extent| program.unguarded(extent))
                        .collect(),
                )
            }
            _ => None,
        };
        if let (Some(mut domain), Some(first)) = (domain, inside.first()) {
            domain.retain(|extent| !around.contains(extent));
            let within = [&around[..], &domain].concat();
            open.extend(first.iter().map(|&id| (id, within.clone())));
        }
        found.insert(id, around);
    }
    found
}

/// What a program needs besides the rounds of a loop.
fn outside(program: &Program, id: Id) -> SortedSet<Id> {
    let (mut seen, mut open) = (SortedSet::new(), program.roots());
    while let Some(next) = open.pop() {
        if !seen.insert(next) {
            continue;
        }
        match program.node(next) {
            Node::Loop { initial, .. } if next == id => open.extend(initial),
            node => node.operands(|operand| open.push(operand)),
        }
    }
    seen
}

/// Whether a condition compares an extent with itself.
fn is_true(program: &Program, condition: Id) -> bool {
    match *program.node(condition) {
        Node::Binary(Binary::Eq, a, b) => a == b && program.leaf(a) == Leaf::U64,
        _ => false,
    }
}

/// Whether evaluating something may report a failure.
fn may_fail(program: &Program, id: Id) -> bool {
    let mut all = walk::reachable(program, [id]).into_iter();
    all.any(|id| {
        matches!(
            program.node(id),
            Node::Guard { .. } | Node::Routine { .. } | Node::Scatter { once: Some(_), .. }
        )
    })
}

struct Hoist {
    program: Program,
    guards: QuickMap<Id, SortedMap<Site, Guard>>,
    /// The sites of all of them.
    sites: SortedSet<Site>,
    /// Components of new loops that only told whether the guards hold, and what they begin with.
    told: QuickMap<(Id, u32), Id>,
    states: QuickMap<Var, Var>,
    done: QuickMap<Id, Id>,
}

impl Rewrite for Hoist {
    fn program(&mut self) -> &mut Program {
        &mut self.program
    }

    fn states(&mut self) -> &mut QuickMap<Var, Var> {
        &mut self.states
    }

    fn extent(&mut self, id: Id) -> Id {
        self.rewrite(id)
    }
}

impl Hoist {
    fn rewrite(&mut self, id: Id) -> Id {
        if let Some(&to) = self.done.get(&id) {
            return to;
        }
        let mut node = self.node(id);
        let to = match &mut node {
            Node::Project(bundle, k) => {
                let bundle = self.rewrite(*bundle);
                let told = self.told.get(&(bundle, *k)).copied();
                told.unwrap_or_else(|| self.program.add(Node::Project(bundle, *k)))
            }
            Node::Guard { site, value, .. } if self.sites.contains(site) => self.rewrite(*value),
            _ => {
                node.map_operands(|operand| self.rewrite(operand));
                // An extent that was checked against another one may be that one now.
                if let Node::Guard {
                    condition, value, ..
                } = node
                    && is_true(&self.program, condition)
                {
                    self.done.insert(id, value);
                    return value;
                }
                let mut told = Vec::new();
                if let (
                    Some(guards),
                    Node::Loop {
                        state,
                        initial,
                        next,
                        ..
                    },
                ) = (self.guards.get(&id).cloned(), &mut node)
                {
                    if !guards.keys().any(|&site| self.asserts(site)) {
                        told = self.unchanged(state, initial, next);
                    }
                    self.guard(&guards, state, next);
                }
                let to = match node {
                    Node::Demand { effect, value, .. } if !may_fail(&self.program, effect) => value,
                    node => self.program.add(node),
                };
                self.told
                    .extend(told.into_iter().map(|(k, id)| ((to, k), id)));
                to
            }
        };
        self.program.keep_labels(id, to);
        self.done.insert(id, to);
        to
    }

    /// Whether a site is that of an `assert!`, which is never left out.
    fn asserts(&self, site: Site) -> bool {
        self.program.sites[site.0 as usize].kind == Failure::AssertionFailed
    }

    /// The scalars of a state that no round changes, and what they begin with.
    fn unchanged(&self, state: &[Var], initial: &[Id], next: &[Id]) -> Vec<(u32, Id)> {
        let all = (0..).zip(state.iter().zip(next)).zip(initial);
        let unchanged = all.filter(|((_, (var, next)), initial)| {
            *self.program.node(**next) == Node::Variable(**var)
                && matches!(self.program.node(**initial), Node::Constant(_))
        });
        unchanged.map(|((k, _), &initial)| (k, initial)).collect()
    }

    /// Guards around what a round gives, but for extents: the types of arrays name them.
    fn guard(&mut self, guards: &SortedMap<Site, Guard>, state: &[Var], next: &mut [Id]) {
        let extents = extents(&self.program, state);
        for (var, next) in state.iter().zip(next) {
            if extents.contains(var) {
                continue;
            }
            let mut seen = SortedSet::new();
            let mut around = Vec::new();
            for (&site, guard) in guards {
                let mut condition = self.rewrite(guard.condition);
                for &extent in &guard.domains {
                    let (extent, zero) = (self.rewrite(extent), self.program.usize(0));
                    let empty = self.program.binary(Binary::Eq, extent, zero);
                    condition = self.program.binary(Binary::Or, empty, condition);
                }
                // What holds needs no other check.
                let known = !seen.insert(condition) || is_true(&self.program, condition);
                if !known {
                    let values = guard.values.iter();
                    let values: Vec<Id> = values.map(|&value| self.rewrite(value)).collect();
                    around.push((condition, site, values));
                }
            }
            for (condition, site, values) in around.into_iter().rev() {
                *next = self.program.add(Node::Guard {
                    condition,
                    site,
                    values,
                    value: *next,
                });
            }
        }
    }
}
