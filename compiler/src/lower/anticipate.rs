//! What a region evaluates though its result may not need it: the values of `let`s and statements, arguments of calls and
//! initial values of loops, as far as they may fail or may not end, or take long where a branch of a loop would repeat them.
//!
//! They wait as [`Effect`]s of their region, and become [`Node::Demand`](crate::ir::Node::Demand)s around its result: so a
//! program says where the source evaluates a value, and not only who needs it. Those that the result needs in any case are
//! left out.

use super::Lower;
use super::guards::{Effect, Scope};
use super::value::Value;
use super::walk::written;
use crate::ir::scopes::{regions, uses};
use crate::ir::{Failure, Id, Node, Type};
use crate::scalar::{Binary, Leaf};
use crate::sorted::{SortedMap, SortedSet};
use crate::typed::Expr;

/// What a node, or what it needs, may do.
#[derive(Clone, Copy, Default)]
pub(super) struct Fallible {
    /// It may report a failure, or not end.
    fails: bool,
    /// There is an `assert!` in it.
    asserts: bool,
    /// It holds an array or a fold.
    apart: bool,
    /// It holds what is done for all rows at once, by a loop over arrays, a scatter, a compaction or a sort.
    whole: bool,
}

/// Where a scalar needs a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Depth {
    Once,
    /// In a round of a loop, or for a term of a reduction.
    Round,
    /// In a branch of such a round.
    Branch,
}

impl<'a> Lower<'a> {
    /// An expression whose value is evaluated here, whoever needs it.
    pub(super) fn evaluated(&mut self, value: &Value<'a>) {
        for leaf in value.leaves() {
            let fallible = self.fallible(leaf);
            let array = matches!(self.p.ty(leaf), Type::Array(..));
            let inner = self.scopes.iter().any(|scope| match scope {
                Scope::Domain { vars, .. } => {
                    let free = self.p.free(leaf);
                    vars.iter().any(|var| free.contains(var))
                }
                Scope::Branch(_) | Scope::Unknown => false,
            });
            // Rows of segments have any lengths, and what is made for all rows at once is there.
            let apart = array && inner && (fallible.whole || !self.around.is_empty());
            if !(fallible.fails || self.p.is_costly(leaf) && inner && !array)
                || apart
                || !matches!(self.p.ty(leaf), Type::Scalar(_) | Type::Array(..))
            {
                continue;
            }
            self.effects.push(Effect::Anticipate(leaf));
        }
    }

    /// A statement that has been evaluated, and with it what it assigns.
    pub(super) fn assigned(&mut self, statement: &'a Expr) {
        let mut writes = SortedMap::new();
        written(statement, &mut writes);
        for key in writes.into_keys() {
            if let Some(value) = self.environment.get(&key).cloned() {
                self.evaluated(&value);
            }
        }
    }

    /// The effects of the region that ends, of which these are the results, without those that the results need anyway;
    /// `outer` are those of the region around it.
    pub(super) fn end_region(&mut self, outer: Vec<Effect>, results: &[Id]) -> Vec<Effect> {
        let effects = std::mem::replace(&mut self.effects, outer);
        self.unneeded(effects, results)
    }

    /// The same of an operator, of which only failures matter: who combines what is up to those who evaluate it.
    pub(super) fn end_operator(&mut self, outer: Vec<Effect>, results: &[Id]) -> Vec<Effect> {
        let mut effects = self.end_region(outer, results);
        effects.retain(Effect::is_required);
        effects
    }

    /// The effects that results do not need anyway.
    pub(super) fn unneeded(&mut self, effects: Vec<Effect>, results: &[Id]) -> Vec<Effect> {
        let effects = self.without_pure(effects, results);
        let ids = effects.iter().filter_map(|effect| match effect {
            Effect::Anticipate(id) => Some(self.bundle(*id)),
            Effect::Guard { .. } | Effect::Demand(_) => None,
        });
        let Some(first) = ids.min() else {
            return effects;
        };
        let mut certain = SortedSet::new();
        let mut outside = SortedSet::new();
        self.certain(results, first, true, &mut certain);
        self.certain(results, first, false, &mut outside);
        let mut kept = Vec::new();
        for effect in effects.into_iter().rev() {
            let roots: Vec<Id> = match &effect {
                // What may be a kernel of its own waits for no domain and no guard.
                Effect::Anticipate(id) if outside.contains(&self.bundle(*id)) => continue,
                Effect::Anticipate(id)
                    if certain.contains(&self.bundle(*id)) && !self.is_apart(*id) =>
                {
                    continue;
                }
                Effect::Anticipate(id) | Effect::Demand(id) => vec![*id],
                Effect::Guard {
                    condition, values, ..
                } => [&[*condition][..], values].concat(),
            };
            // An assertion is left out only if it is evaluated where elements need it.
            let effect = match effect {
                Effect::Anticipate(id) if self.fallible(id).asserts && !certain.contains(&id) => {
                    Effect::Demand(self.forced(id))
                }
                effect => effect,
            };
            self.certain(&roots, first, true, &mut certain);
            self.certain(&roots, first, false, &mut outside);
            kept.push(effect);
        }
        kept.reverse();
        kept
    }

    /// Whether an array is made for a node, or elements are folded.
    fn is_apart(&self, id: Id) -> bool {
        self.fallible
            .get(id.0 as usize)
            .is_none_or(|fallible| fallible.apart)
    }

    /// What is evaluated for a node: a component's whole bundle.
    fn bundle(&self, id: Id) -> Id {
        match self.p.node(id) {
            Node::Project(bundle, _) => *bundle,
            _ => id,
        }
    }

    /// The nodes from `first` on that an evaluation of the roots evaluates; `inside` domains too, which may have no elements.
    fn certain(&self, roots: &[Id], first: Id, inside: bool, certain: &mut SortedSet<Id>) {
        let mut open = roots.to_vec();
        while let Some(id) = open.pop() {
            if id < first || !certain.insert(id) {
                continue;
            }
            match self.p.node(id) {
                Node::If { condition, .. } => open.push(*condition),
                Node::Loop { initial, .. } => open.extend(initial),
                Node::Scatter {
                    defaults,
                    extents,
                    condition,
                    ..
                } => open.extend(defaults.iter().chain(extents).chain([condition])),
                Node::Compact {
                    count,
                    extents,
                    condition,
                    ..
                } => open.extend([count, condition].into_iter().chain(extents)),
                node if inside => node.operands(|operand| open.push(operand)),
                node => open.extend(regions(node).0),
            }
        }
    }

    /// The effects without what cannot fail, unless a branch would repeat it.
    fn without_pure(&mut self, mut effects: Vec<Effect>, results: &[Id]) -> Vec<Effect> {
        let anticipated = effects.iter().filter_map(|effect| match effect {
            Effect::Anticipate(id) => Some(*id),
            Effect::Guard { .. } | Effect::Demand(_) => None,
        });
        let anticipated = Vec::from_iter(anticipated).into_iter();
        let pure = SortedSet::from_iter(anticipated.filter(|&id| !self.fallible(id).fails));
        if let Some(&first) = pure.first() {
            let repeated = self.repeated(results, first);
            effects.retain(|effect| match effect {
                Effect::Anticipate(id) => !pure.contains(id) || repeated.contains(id),
                Effect::Guard { .. } | Effect::Demand(_) => true,
            });
        }
        effects
    }

    /// The nodes from `first` on that scalars need in a branch of what they repeat.
    fn repeated(&self, results: &[Id], first: Id) -> SortedSet<Id> {
        let array = |&id: &Id| matches!(self.p.ty(id), Type::Array(..));
        let repeats = |&id: &Id| self.p.loops(id) || self.p.may_be_apart(id);
        if results.iter().any(array) || !results.iter().any(repeats) {
            return SortedSet::new();
        }
        let mut seen = SortedSet::new();
        let mut open: Vec<(Id, Depth)> = results.iter().map(|&id| (id, Depth::Once)).collect();
        while let Some((id, depth)) = open.pop() {
            if id < first || !seen.insert((depth, id)) {
                continue;
            }
            let node = self.p.node(id);
            let within = match (node, depth) {
                (Node::If { .. }, Depth::Round) => Depth::Branch,
                (Node::Loop { .. } | Node::Reduce { .. }, Depth::Once) => Depth::Round,
                _ => depth,
            };
            uses(node, |id, region| {
                open.push((id, region.map_or(depth, |_| within)));
            });
        }
        let of_branches = seen.range((Depth::Branch, Id(0))..);
        of_branches.map(|(_, id)| *id).collect()
    }

    /// A scalar whose evaluation evaluates all of an array.
    fn forced(&mut self, id: Id) -> Id {
        let Type::Array(_, extents) = self.p.ty(id).clone() else {
            return id;
        };
        let (vars, indices) = self.indices(extents.len());
        let element = self.index(id, &indices);
        let yes = self.p.bool(true);
        let element = self.under(&Effect::Demand(element), yes);
        let [left, right] = [(); 2].map(|()| self.p.var(Type::Scalar(Leaf::Bool)));
        let [a, b] = [left, right].map(|var| self.p.add(Node::Variable(var)));
        let both = self.p.binary(Binary::And, a, b);
        let fold = self.p.add(Node::Reduce {
            extents,
            vars,
            elements: vec![element],
            left: vec![left],
            right: vec![right],
            combined: vec![both],
            initial: Some(vec![yes]),
            commutes: true,
        });
        self.p.add(Node::Project(fold, 0))
    }

    /// What a node may do; operands come before their users.
    fn fallible(&mut self, id: Id) -> Fallible {
        for next in self.fallible.len() as u32..=id.0 {
            let node = self.p.node(Id(next));
            let mut all = Fallible::default();
            node.operands(|operand| {
                let Fallible {
                    fails,
                    asserts,
                    apart,
                    whole,
                } = self.fallible[operand.0 as usize];
                all.fails |= fails;
                all.asserts |= asserts;
                all.apart |= apart;
                all.whole |= whole;
            });
            all.apart |= matches!(self.p.ty(Id(next)), Type::Array(..) | Type::Bundle(_))
                && !matches!(
                    node,
                    Node::Input { .. } | Node::If { .. } | Node::Variable(_)
                );
            match node {
                Node::Guard { site, .. } => {
                    all.fails = true;
                    // What an attempt at a loop left behind has no place.
                    let place = self.p.sites.get(site.0 as usize);
                    all.asserts |=
                        place.is_some_and(|place| place.kind == Failure::AssertionFailed);
                }
                Node::Loop { state, .. } => {
                    all.fails = true;
                    let array = |&var| matches!(self.p.var_type(var), Type::Array(..));
                    all.whole |= state.iter().any(array);
                }
                Node::Routine { .. } => all.fails = true,
                Node::Scatter { once, .. } => {
                    all.fails |= once.is_some();
                    all.whole = true;
                }
                Node::Compact { .. } | Node::Sort { .. } => all.whole = true,
                _ => {}
            }
            self.fallible.push(all);
        }
        self.fallible[id.0 as usize]
    }
}
