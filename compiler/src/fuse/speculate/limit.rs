//! Bounds on speculation: what is evaluated before it is known to be needed costs no more than arrays that exist, or
//! domains that are evaluated in any case.
//!
//! In: a program after inlining. Out: the same program, in which a closed item whose extents have no bound (see [`Bounds`]) has
//! elements only where the domains around it have, if the host can tell; where it cannot, each reader evaluates it itself, as
//! the text says.

use crate::fuse::analysis::bounds::Bounds;
use crate::fuse::analysis::control::{closed, host_tells};
use crate::fuse::analysis::estimate;
use crate::fuse::demand::conditions::{Fact, all, predicate_extent};
use crate::fuse::demand::regions::reached;
use crate::fuse::rewrite::Rewrite;
use crate::fuse::scans::epilogue::read;
use crate::fuse::scans::prefix;
use crate::ir::walk;
use crate::ir::{Id, Node, Program, QuickMap, Type, Var};
use crate::scalar::{Binary, Scalar};
use crate::sorted::SortedSet;

/// What is to be done with an item that is not certain to be demanded.
enum Verdict {
    /// It is demanded if and only if these extents are not zero.
    Under(Vec<Id>),
    /// It is evaluated by each of its readers.
    InPlace,
}

/// See the module.
pub(in crate::fuse) fn limit(program: Program) -> Program {
    let verdicts = verdicts(&program);
    if verdicts.is_empty() {
        return program;
    }
    let mut limiter = Limiter {
        program,
        verdicts,
        states: QuickMap::default(),
        done: QuickMap::default(),
    };
    limiter.roots(Limiter::rewrite);
    limiter.program
}

/// The closed items that are not certain to be demanded, and may cost more than what is certain to be there.
fn verdicts(program: &Program) -> QuickMap<Id, Verdict> {
    let binders = estimate::binders(program);
    let bounds = Bounds::of(program);
    let live = walk::reachable(program, program.roots());
    let unbounded = |&id: &Id| {
        let extents = domain(program, id).unwrap_or_default();
        let mut extents = extents.iter();
        extents.any(|&extent| !bounds.bounded(program, extent)) && closed(program, &binders, id)
    };
    let mut items: Vec<Id> = live.into_iter().filter(unbounded).collect();
    if items.is_empty() {
        return QuickMap::default();
    }
    let (reached, whole) = (reached(program), whole(program));
    // The points of a top-level domain are evaluated in any case.
    let top_level = reached.iter().filter(|(_, around)| around.is_top_level());
    let points = top_level.filter_map(|(&id, _)| match program.node(id) {
        Node::Generate { extents, .. } => Some(extents.clone()),
        _ => domain(program, id),
    });
    let points: SortedSet<Id> = points.flatten().collect();
    items.retain(|&id| {
        let mut extents = domain(program, id).unwrap_or_default().into_iter();
        extents.any(|extent| !bounds.bounded(program, extent) && !points.contains(&extent))
    });
    let mut verdicts = QuickMap::default();
    for id in items {
        let extents = domain(program, id).unwrap_or_default();
        let own = extents.iter().copied().collect();
        let around = reached
            .get(&id)
            .and_then(|around| around.extents(program, id));
        if let Some(mut around) = around {
            around.retain(|&extent| !factors(program, extent).is_subset(&own));
            let closed = around.iter().all(|&extent| host_tells(program, extent));
            if closed && !around.is_empty() {
                verdicts.insert(id, Verdict::Under(around));
            }
            continue;
        }
        if program.guards(id) && matches!(program.node(id), Node::Reduce { .. }) {
            continue;
        }
        if !whole.contains(&id) {
            verdicts.insert(id, Verdict::InPlace);
        }
    }
    independent(program, &mut verdicts, &whole);
    verdicts
}

/// What tells whether an item is demanded must not need one that waits itself.
fn independent(program: &Program, verdicts: &mut QuickMap<Id, Verdict>, whole: &SortedSet<Id>) {
    let waits = |id: &Id| matches!(verdicts.get(id), Some(Verdict::Under(_)));
    let needs_one = |verdict: &Verdict| match verdict {
        Verdict::Under(extents) => {
            let all = walk::reachable(program, extents.iter().copied());
            all.iter().any(waits)
        }
        Verdict::InPlace => false,
    };
    let dependent = verdicts.iter().filter(|(_, verdict)| needs_one(verdict));
    let dependent: Vec<Id> = dependent.map(|(&id, _)| id).collect();
    for id in dependent {
        match whole.contains(&id) {
            true => verdicts.remove(&id),
            false => verdicts.insert(id, Verdict::InPlace),
        };
    }
}

/// The stored arrays that more than reads of single elements need.
fn whole(program: &Program) -> SortedSet<Id> {
    let mut whole = SortedSet::new();
    for id in walk::reachable(program, program.roots()) {
        let read = match program.node(id) {
            Node::Index { array, .. } => Some(*array),
            _ => None,
        };
        program.node(id).operands(|operand| {
            if Some(operand) != read && matches!(program.ty(operand), Type::Array(..)) {
                whole.insert(operand);
                if let Node::Project(bundle, _) = program.node(operand) {
                    whole.insert(*bundle);
                }
            }
        });
    }
    whole
}

/// The extents that a product is zero without.
fn factors(program: &Program, extent: Id) -> SortedSet<Id> {
    match *program.node(extent) {
        Node::Binary(Binary::Mul, a, b) => &factors(program, a) | &factors(program, b),
        _ => SortedSet::from([extent]),
    }
}

/// The extents of what is evaluated as a whole.
fn domain(program: &Program, id: Id) -> Option<Vec<Id>> {
    match program.node(id) {
        Node::Reduce { extents, .. }
        | Node::Scan { extents, .. }
        | Node::Sort { extents, .. }
        | Node::Scatter { extents, .. }
        | Node::Compact { extents, .. } => Some(extents.clone()),
        Node::Materialize(array) => match program.node(*array) {
            Node::Generate { extents, .. } => Some(extents.clone()),
            _ => None,
        },
        _ => None,
    }
}

struct Limiter {
    program: Program,
    verdicts: QuickMap<Id, Verdict>,
    states: QuickMap<Var, Var>,
    done: QuickMap<Id, Id>,
}

impl Rewrite for Limiter {
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

impl Limiter {
    fn rewrite(&mut self, id: Id) -> Id {
        if let Some(&to) = self.done.get(&id) {
            return to;
        }
        let mut node = self.node(id);
        let scan = read(&self.program, id).map(|(scan, ..)| scan);
        node.map_operands(|operand| self.rewrite(operand));
        let facts = match &node {
            Node::Project(..) => self.facts(self.bundle(id)),
            _ => self.facts(id),
        };
        let to = match node {
            Node::Index { array, ref indices } if scan.is_some_and(|scan| self.in_place(scan)) => {
                let Node::Project(bundle, k) = *self.program.node(array) else {
                    unreachable!("a read of a scan");
                };
                prefix(&mut self.program, bundle, k, indices)
            }
            Node::Index { array, ref indices } => match self.program.node(array).clone() {
                Node::Generate { vars, element, .. } => {
                    let map = vars.into_iter().zip(indices.iter().copied()).collect();
                    self.program.substitute(element, &map)
                }
                _ => self.program.add(node),
            },
            Node::Materialize(array) if self.in_place(id) => array,
            Node::Materialize(array) if !facts.is_empty() => {
                let mut generate = self.program.node(array).clone();
                if let Node::Generate { extents, .. } = &mut generate {
                    self.limit(extents, &facts);
                }
                let limited = self.program.add(generate);
                self.program.keep_labels(array, limited);
                self.program.add(Node::Materialize(limited))
            }
            Node::Scan {
                ref mut extents, ..
            }
            | Node::Sort {
                ref mut extents, ..
            }
            | Node::Scatter {
                ref mut extents, ..
            }
            | Node::Compact {
                ref mut extents, ..
            } => {
                self.limit(extents, &facts);
                self.program.add(node)
            }
            Node::Project(reduction, k) if !facts.is_empty() => {
                let chosen = self.only(reduction, &facts);
                self.program.add(Node::Project(chosen, k))
            }
            node => self.program.add(node),
        };
        self.program.keep_labels(id, to);
        self.done.insert(id, to);
        to
    }

    /// The reduction that a scalar comes from.
    fn bundle(&self, component: Id) -> Id {
        match *self.program.node(component) {
            Node::Project(bundle, _)
                if matches!(self.program.node(bundle), Node::Reduce { .. }) =>
            {
                bundle
            }
            _ => component,
        }
    }

    fn in_place(&self, id: Id) -> bool {
        matches!(self.verdicts.get(&id), Some(Verdict::InPlace))
    }

    /// What an item stands under, in the new program.
    fn facts(&mut self, id: Id) -> Vec<Fact> {
        let Some(Verdict::Under(extents)) = self.verdicts.get(&id) else {
            return Vec::new();
        };
        let extents = extents.clone().into_iter();
        extents.map(|id| Fact::NotZero(self.rewrite(id))).collect()
    }

    /// No elements where they are not demanded.
    fn limit(&mut self, extents: &mut [Id], facts: &[Fact]) {
        if let Some(first) = extents.first_mut() {
            *first = predicate_extent(&mut self.program, facts, *first);
        }
    }

    /// A reduction if it is demanded, else zeros.
    fn only(&mut self, reduction: Id, facts: &[Fact]) -> Id {
        let Some(condition) = all(&mut self.program, facts) else {
            return reduction;
        };
        let then = self.program.components(reduction);
        let zero = |&id: &Id| Scalar::zero(self.program.leaf(id));
        let zeros: Vec<Scalar> = then.iter().map(zero).collect();
        let otherwise = (zeros.into_iter())
            .map(|zero| self.program.constant(zero))
            .collect();
        let chosen = self.program.add(Node::If {
            condition,
            then,
            otherwise,
        });
        self.program.keep_labels(reduction, chosen);
        chosen
    }
}
