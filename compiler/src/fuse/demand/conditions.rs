//! Conditions under which a value is demanded: computed apart from its consumers it must fail only where one of them does.
//!
//! In: a program. Out: the extents that are not zero wherever a node is demanded ([`nonempty`]), and, for a closed one, whether
//! any branch around it is taken at all ([`Demands`]): of `xs.map(|x| if x > 0 { table[0] } else { x })`, whether any `x` is
//! greater than zero.

use crate::fuse::analysis::control::{closed, host_tells, is_control};
use crate::fuse::analysis::estimate::{self, Binder};
use crate::ir::scopes::{regions, uses};
use crate::ir::trips;
use crate::ir::walk::{self, fallible, inside};
use crate::ir::{Id, IdSet, Node, Program, QuickMap, Type, Var};
use crate::pass::anywhere::{anywhere, if_holds};
use crate::pass::index::Index;
use crate::scalar::{Binary, Leaf, Scalar, Unary};
use crate::sorted::SortedSet;
use std::collections::hash_map::Entry;
use std::rc::Rc;

/// What holds where something is demanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::fuse) enum Fact {
    /// An extent is not zero.
    NotZero(Id),
    /// A condition.
    Holds(Id),
}

impl Fact {
    /// The same of something else.
    pub(in crate::fuse) fn map(self, f: impl FnOnce(Id) -> Id) -> Fact {
        match self {
            Fact::NotZero(id) => Fact::NotZero(f(id)),
            Fact::Holds(id) => Fact::Holds(f(id)),
        }
    }
}

/// The extents that are not zero wherever a node is demanded: those around all of its users.
pub(in crate::fuse) fn nonempty(program: &Program) -> QuickMap<Id, Rc<IdSet>> {
    let mut nonempty: QuickMap<Id, Rc<IdSet>> = QuickMap::default();
    nonempty.extend(program.roots().into_iter().map(|id| (id, Rc::default())));
    let live = walk::reachable(program, program.roots());
    // Users come after what they use; most are in the same domains as that.
    for user in live.into_iter().rev() {
        let around = nonempty.get(&user).cloned().unwrap_or_default();
        let mut inside = Rc::clone(&around);
        for extent in domain(program, user)
            .into_iter()
            .chain(trip_extents(program, user).unwrap_or_default())
        {
            if !inside.contains(extent) {
                Rc::make_mut(&mut inside).insert(extent);
            }
        }
        uses(program.node(user), |operand, region| {
            // A loop's condition comes before its body.
            let body = usize::from(matches!(program.node(user), Node::Loop { .. }));
            let by = match region {
                Some(region) if region == body => &inside,
                _ => &around,
            };
            match nonempty.entry(operand) {
                Entry::Vacant(entry) => _ = entry.insert(Rc::clone(by)),
                Entry::Occupied(entry) if Rc::ptr_eq(entry.get(), by) => {}
                // Mostly one of the two is inside the other: what is shared is compared at once.
                Entry::Occupied(entry) if entry.get().is_subset(by) => {}
                Entry::Occupied(mut entry) => {
                    let common = match by.is_subset(entry.get()) {
                        true => Rc::clone(by),
                        false => Rc::new(entry.get().common(by)),
                    };
                    entry.insert(common);
                }
            }
        });
    }
    nonempty
}

/// The extents without any of which the first region of a node has no point.
pub(in crate::fuse) fn domain(program: &Program, id: Id) -> Vec<Id> {
    match program.node(id) {
        Node::Generate { extents, .. }
        | Node::Reduce { extents, .. }
        | Node::Scan { extents, .. }
        | Node::Sort { extents, .. }
        | Node::Compact { extents, .. } => extents.clone(),
        Node::Scatter {
            extents, defaults, ..
        } => [extents, program.extents(defaults[0])].concat(),
        _ => Vec::new(),
    }
}

/// The extents without any of which a loop inside an element has no round, if that is known: its trip count, if the host knows it;
/// none of `0..=k`, where `k` is a counter or an index.
pub(in crate::fuse) fn trip_extents(program: &Program, id: Id) -> Option<Vec<Id>> {
    let end = trips::trip_count(program, program.node(id)).filter(|_| !is_control(program, id))?;
    let is_variable = |id: Id| matches!(program.node(id), Node::Variable(_));
    match *program.node(end) {
        Node::Binary(Binary::Add, a, b) if is_variable(a) || is_variable(b) => {
            let one = |&id: &Id| matches!(program.node(id), Node::Constant(one) if one.bits == 1);
            [a, b].iter().any(one).then(Vec::new)
        }
        _ => host_tells(program, end).then(|| vec![end]),
    }
}

/// Finds when branches are taken.
pub(in crate::fuse) struct Demands {
    nonempty: QuickMap<Id, Rc<IdSet>>,
    binders: QuickMap<Var, Binder>,
    ranges: Index,
    /// Of each node, its users, each with the region that needs it.
    users: QuickMap<Id, Vec<(Id, Option<usize>)>>,
    roots: SortedSet<Id>,
    /// What waits to be told whether it is demanded: nothing that reads it can tell.
    waiting: SortedSet<Id>,
    done: QuickMap<Id, Option<Id>>,
}

impl Demands {
    pub(in crate::fuse) fn new(program: &Program) -> Demands {
        let mut users: QuickMap<Id, Vec<(Id, Option<usize>)>> = QuickMap::default();
        for user in walk::reachable(program, program.roots()) {
            let (outside, regions) = regions(program.node(user));
            for operand in outside {
                users.entry(operand).or_default().push((user, None));
            }
            for (region, operands) in regions.iter().enumerate() {
                for &operand in operands {
                    users.entry(operand).or_default().push((user, Some(region)));
                }
            }
        }
        Demands {
            nonempty: nonempty(program),
            binders: estimate::binders(program),
            ranges: Index::with_checks(program),
            users,
            roots: program.roots().into_iter().collect(),
            waiting: SortedSet::new(),
            done: QuickMap::default(),
        }
    }

    /// From now on a bundle waits, or no longer.
    pub(in crate::fuse) fn waits(&mut self, bundle: Id, waits: bool) {
        match waits {
            true => self.waiting.insert(bundle),
            false => self.waiting.remove(&bundle),
        };
        self.done.clear();
    }

    /// Whether something can be told before what waits.
    pub(in crate::fuse) fn tells(&self, program: &Program, id: Id) -> bool {
        let all = walk::reachable(program, [id]);
        !all.into_iter().any(|id| self.waiting.contains(&id))
    }

    /// What holds wherever a node is demanded, told where the node stands without reading anything.
    pub(in crate::fuse) fn facts(&mut self, program: &mut Program, id: Id) -> Vec<Fact> {
        let extents = self.nonempty.get(&id).into_iter();
        let extents = extents.flat_map(|extents| extents.iter());
        let here = |extent: &Id| program.free(*extent).is_subset(program.free(id));
        let extents: Vec<Id> = extents.filter(here).collect();
        let reads = |node: &Node| matches!(node, Node::Index { .. } | Node::Reduce { .. });
        let branch = self.branch(program, id);
        let branch =
            branch.filter(|&taken| !inside(program, taken).any(|id| reads(program.node(id))));
        let branch = branch.map(Fact::Holds);
        let extents = extents.into_iter().map(Fact::NotZero);
        extents.chain(branch).collect()
    }

    /// Whether a node is bound by nothing but loops that the host runs.
    pub(in crate::fuse) fn closed(&self, program: &Program, id: Id) -> bool {
        closed(program, &self.binders, id)
    }

    /// Whether any branch is taken that a node is in; nothing if it is in none, or that cannot be told. What this reads is in
    /// bounds only where something demands it.
    pub(in crate::fuse) fn branch(&mut self, program: &mut Program, id: Id) -> Option<Id> {
        if let Some(&known) = self.done.get(&id) {
            return known;
        }
        let mut any = None;
        for (user, region) in self.users.get(&id).cloned().unwrap_or_default() {
            // One that cannot be told, or always, is enough.
            any = (self.by(program, id, user, region)).map(|taken| match any {
                Some(other) if other != taken => program.binary(Binary::Or, other, taken),
                _ => taken,
            });
            if any.is_none() {
                break;
            }
        }
        let any = any.filter(|_| !self.roots.contains(&id));
        self.done.insert(id, any);
        any
    }

    /// Whether the points of a bundle stand under a condition already: rows that were put together ask each for its own.
    pub(in crate::fuse) fn stands_under(
        &self,
        program: &mut Program,
        bundle: Id,
        taken: Id,
    ) -> bool {
        let (_, points) = regions(program.node(bundle));
        let nodes: SortedSet<Id> = (points.into_iter().flatten())
            .flat_map(|point| inside(program, point).collect::<Vec<Id>>())
            .collect();
        let taken = match program.node(taken) {
            Node::Project(any, _) => match program.node(*any) {
                Node::Reduce { elements, .. } => elements[0],
                _ => taken,
            },
            _ => taken,
        };
        let taken = anywhere_alike(program, taken);
        nodes.into_iter().any(|id| match *program.node(id) {
            Node::If { condition, .. } => {
                let condition = without_failures(program, condition, &mut QuickMap::default());
                anywhere_alike(program, condition) == taken
            }
            _ => false,
        })
    }

    /// The same by one user.
    fn by(&mut self, program: &mut Program, id: Id, user: Id, region: Option<usize>) -> Option<Id> {
        let around = self.branch(program, user);
        let own = match (program.node(user), region) {
            // The host takes one side with all that is in it, where there is no domain around it.
            (Node::If { .. }, Some(_))
                if self.nonempty[&user].is_empty() && is_control(program, user) =>
            {
                None
            }
            (&Node::If { condition, .. }, Some(region)) => match region {
                0 => Some(condition),
                _ => Some(program.unary(Unary::Not, condition)),
            },
            // Its body has a first round.
            (Node::Loop { .. }, Some(1)) if !is_control(program, user) => {
                Some(first_round(program, user))
            }
            _ => None,
        };
        // Without it, what is read to find out whether it holds is demanded as well.
        let own = own.filter(|&own| self.tells(program, own));
        // Where it fails, so does the program; loops are not run for this alone.
        let own = own.map(|own| without_failures(program, own, &mut QuickMap::default()));
        let loops =
            |own: Id| inside(program, own).any(|id| matches!(program.node(id), Node::Loop { .. }));
        let own = own.filter(|&own| !fallible(program, own) && !loops(own));
        let taken = match (around, own) {
            (Some(around), Some(own)) => if_holds(program, around, own),
            (around, own) => around.or(own)?,
        };
        let free = program.free(id).clone();
        match self.at_an_end(program, taken, &free) {
            true => None,
            false => self.anywhere(program, taken, &free),
        }
    }

    /// Whether a condition is known to hold for the first or the last values of all variables but these.
    fn at_an_end(&mut self, program: &mut Program, condition: Id, but: &SortedSet<Var>) -> bool {
        let over: SortedSet<Var> = program.free(condition) - but;
        let one = program.usize(1);
        [false, true].into_iter().any(|last| {
            let mut ends = QuickMap::default();
            for &var in &over {
                let Some(extent) = self.binders.get(&var).and_then(|binder| binder.extent) else {
                    return false;
                };
                let end = match last {
                    true => program.binary(Binary::Sub, extent, one),
                    false => program.usize(0),
                };
                ends.insert(var, end);
            }
            let there = program.substitute(condition, &ends);
            let there = self.ranges.simplify(program, there);
            matches!(program.node(there), Node::Constant(holds) if holds.is_true())
        })
    }

    /// Whether a condition holds anywhere, for some values of all variables but these; nothing if that cannot be told.
    fn anywhere(
        &mut self,
        program: &mut Program,
        condition: Id,
        but: &SortedSet<Var>,
    ) -> Option<Id> {
        let mut condition = condition;
        loop {
            let over: SortedSet<Var> = program.free(condition) - but;
            if over.is_empty() {
                return Some(condition);
            }
            let mut extents = Vec::new();
            for &var in &over {
                let extent = self.binders.get(&var)?.extent?;
                if fallible(program, extent) || !self.tells(program, extent) {
                    return None;
                }
                extents.push((var, extent));
            }
            let known = |&(var, extent): &(Var, Id)| anywhere(program, condition, var, extent);
            if let Some(there) = extents.iter().find_map(known) {
                condition = there;
                continue;
            }
            // First those that no other's extent depends on.
            let last = |var: &Var| {
                extents
                    .iter()
                    .all(|(_, extent)| !program.free(*extent).contains(var))
            };
            let (old, extents): (Vec<Var>, Vec<Id>) =
                extents.iter().copied().filter(|(var, _)| last(var)).unzip();
            let (vars, reads): (Vec<Var>, Vec<Id>) =
                old.iter().map(|_| program.index_var()).unzip();
            let element = program.substitute(condition, &old.into_iter().zip(reads).collect());
            let [left, right] = [(); 2].map(|()| program.var(Type::Scalar(Leaf::Bool)));
            let [a, b] = [left, right].map(|var| program.add(Node::Variable(var)));
            let either = program.binary(Binary::Or, a, b);
            let none = program.bool(false);
            condition = program.add(Node::Reduce {
                extents,
                vars,
                elements: vec![element],
                left: vec![left],
                right: vec![right],
                combined: vec![either],
                initial: Some(vec![none]),
                commutes: true,
            });
            condition = program.add(Node::Project(condition, 0));
        }
    }
}

/// Whether a loop has a round.
fn first_round(program: &mut Program, id: Id) -> Id {
    let Node::Loop {
        state,
        initial,
        condition,
        ..
    } = program.node(id).clone()
    else {
        unreachable!("a loop");
    };
    let initially = state.into_iter().zip(initial).collect();
    program.substitute(condition, &initially)
}

/// The same for all conditions that differ in their variables only.
fn anywhere_alike(program: &mut Program, condition: Id) -> Id {
    let zero = program.usize(0);
    let vars = program.free(condition).iter();
    let first = vars.map(|&var| (var, zero)).collect();
    program.substitute(condition, &first)
}

/// A scalar if it is demanded, by what holds where it is, else zero.
pub(in crate::fuse) fn predicate(program: &mut Program, facts: &[Fact], id: Id) -> Id {
    let Some(condition) = all(program, facts) else {
        return id;
    };
    // It may stand under it already.
    if let Node::Project(bundle, _) = program.node(id)
        && let Node::If {
            condition: own,
            otherwise,
            ..
        } = program.node(*bundle)
        && (otherwise.iter()).all(|&id| matches!(program.node(id), Node::Constant(_)))
        && factors(program, condition).is_subset(&factors(program, *own))
    {
        return id;
    }
    predicate_all(program, facts, &[id])[0]
}

/// Scalars, all of them if they are demanded, by what holds where they are, else zeros.
pub(in crate::fuse) fn predicate_all(program: &mut Program, facts: &[Fact], ids: &[Id]) -> Vec<Id> {
    let Some(condition) = all(program, facts).filter(|_| !ids.is_empty()) else {
        return ids.to_vec();
    };
    let zero = |id: &Id| Scalar::zero(program.leaf(*id));
    let zeros: Vec<Scalar> = ids.iter().map(zero).collect();
    let otherwise = zeros.into_iter().map(|zero| program.constant(zero));
    let otherwise = otherwise.collect();
    let bundle = program.add(Node::If {
        condition,
        then: ids.to_vec(),
        otherwise,
    });
    let mut parts = Vec::new();
    for (k, &id) in ids.iter().enumerate() {
        let part = program.add(Node::Project(bundle, k as u32));
        program.keep_labels(id, part);
        parts.push(part);
    }
    parts
}

/// Whether a scalar is zero unless a domain has elements, so that it may be evaluated before that.
pub(in crate::fuse) fn is_predicated(program: &Program, extents: &[Id], id: Id) -> bool {
    let Some((condition, _)) = guarded(program, id) else {
        return false;
    };
    let factors = factors(program, condition);
    let nonzero = |id: &Id| {
        factors
            .iter()
            .any(|&by| excludes_zero(program, by) == Some(*id))
    };
    let holds = |extent: &Id| match program.node(*extent) {
        Node::Constant(extent) => extent.bits != 0,
        _ => nonzero(extent),
    };
    extents.iter().all(holds)
}

/// What a scalar is in a domain that has elements, if it is zero unless some of the extents are not.
pub(in crate::fuse) fn implied(program: &Program, extents: &[Id], id: Id) -> Option<Id> {
    let (condition, value) = guarded(program, id)?;
    let mut factors = factors(program, condition).into_iter();
    let own = |by| excludes_zero(program, by).is_some_and(|extent| extents.contains(&extent));
    factors.all(own).then_some(value)
}

/// The condition without which a scalar is zero, and what it is with that.
fn guarded(program: &Program, id: Id) -> Option<(Id, Id)> {
    let Node::Project(bundle, k) = *program.node(id) else {
        return None;
    };
    match program.node(bundle) {
        Node::If {
            condition,
            then,
            otherwise,
        } => {
            let other = otherwise[k as usize];
            let constant = matches!(program.node(other), Node::Constant(_));
            constant.then_some((*condition, then[k as usize]))
        }
        _ => None,
    }
}

/// The extent that a comparison says not to be zero.
fn excludes_zero(program: &Program, condition: Id) -> Option<Id> {
    match *program.node(condition) {
        Node::Binary(Binary::Ne, extent, zero) => match program.node(zero) {
            Node::Constant(zero) if zero.bits == 0 => Some(extent),
            _ => None,
        },
        _ => None,
    }
}

/// What all hold if a condition does.
fn factors(program: &Program, condition: Id) -> SortedSet<Id> {
    match program.node(condition) {
        Node::Binary(Binary::And, a, b) => &factors(program, *a) | &factors(program, *b),
        _ => SortedSet::from([condition]),
    }
}

/// An extent if its points are demanded, else zero: then there are none that could fail.
pub(in crate::fuse) fn predicate_extent(program: &mut Program, facts: &[Fact], extent: Id) -> Id {
    let Some(condition) = all(program, facts) else {
        return extent;
    };
    let zero = program.usize(0);
    program.add(Node::Select(condition, extent, zero))
}

/// A condition that holds only if it is demanded.
pub(in crate::fuse) fn predicate_condition(
    program: &mut Program,
    facts: &[Fact],
    condition: Id,
) -> Id {
    match all(program, facts) {
        Some(demanded) => program.binary(Binary::And, demanded, condition),
        None => condition,
    }
}

/// Whether all of them hold, unless that is known.
pub(in crate::fuse) fn all(program: &mut Program, facts: &[Fact]) -> Option<Id> {
    let zero = program.usize(0);
    let mut condition = None;
    for &fact in facts {
        let holds = match fact {
            Fact::NotZero(extent) => match program.node(extent) {
                Node::Constant(constant) if constant.bits != 0 => continue,
                _ => program.binary(Binary::Ne, extent, zero),
            },
            Fact::Holds(condition) => condition,
        };
        condition = Some(match condition {
            Some(all) => program.binary(Binary::And, all, holds),
            None => holds,
        });
    }
    condition
}

/// The same scalar without failures: zero in their place.
pub(in crate::fuse) fn without_failures(
    program: &mut Program,
    id: Id,
    done: &mut QuickMap<Id, Id>,
) -> Id {
    if let Some(&to) = done.get(&id) {
        return to;
    }
    let to = match program.node(id).clone() {
        _ if matches!(program.ty(id), Type::Array(..)) => id,
        Node::Guard {
            condition, value, ..
        } => {
            let condition = without_failures(program, condition, done);
            let value = without_failures(program, value, done);
            let nothing = Scalar::zero(program.leaf(value));
            let nothing = program.constant(nothing);
            match program.node(value) {
                Node::Extent { .. } | Node::Constant(_) | Node::Variable(_) => {
                    program.add(Node::Select(condition, value, nothing))
                }
                _ => {
                    let bundle = program.add(Node::If {
                        condition,
                        then: vec![value],
                        otherwise: vec![nothing],
                    });
                    program.add(Node::Project(bundle, 0))
                }
            }
        }
        Node::Demand { value, .. } => without_failures(program, value, done),
        mut node => {
            node.map_operands(|operand| without_failures(program, operand, done));
            program.add(node)
        }
    };
    done.insert(id, to);
    to
}
