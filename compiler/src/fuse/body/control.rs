//! Placement of what has scopes of its own: guards, branches, loops and sequential folds.

use crate::fuse::body::collapse::{self, Domain};
use crate::fuse::body::stores::{Each, Store};
use crate::fuse::body::{Body, Kind};
use crate::ir::walk;
use crate::ir::{Id, IdSet, Node, Program, QuickMap, Site, Type, Var};
use crate::plan::body::{Carry, Join};
use crate::plan::{Fold, Op, Statement, Value};
use crate::scalar::{Binary, Leaf, Unary};

impl Body<'_> {
    /// A check, and the value where it holds, else zero.
    pub(in crate::fuse) fn guard(
        &mut self,
        at: usize,
        condition: Id,
        site: Site,
        values: &[Id],
        value: Id,
    ) -> Value {
        let holds = self.value_at(condition, at);
        let around = self.scopes[at].guard();
        self.check(at, (holds, site), values);
        let both = match around {
            Some(around) => self.op(at, Leaf::Bool, Op::Binary(Binary::And, around, holds)),
            None => holds,
        };
        let leaf = self.program.leaf(value);
        // What is already there has not been computed under this guard.
        if let Some(found) = self.known(value, at) {
            return self.or_zero(at, both, (value, found));
        }
        // Of a branch by the same condition only one side is left.
        let value = match *self.program.node(value) {
            Node::Project(bundle, k) => match self.program.node(bundle) {
                Node::If {
                    condition: own,
                    then,
                    ..
                } if *own == condition && !self.sources.slots.contains_key(&value) => {
                    then[k as usize]
                }
                _ => value,
            },
            _ => value,
        };
        // Scopes further in wait while the guarded part is placed right here.
        let inner = self.scopes.split_off(at + 1);
        let result = if self.structured(value) {
            self.open_side(vec![(both, true)], &[value]);
            let then_value = self.value(value);
            let then = self.close();
            self.open_side(vec![(both, false)], &[]);
            let zero = self.constant(at, leaf, 0);
            let otherwise = self.close();
            let result = self.fresh(leaf);
            self.push(
                at,
                Statement::If {
                    condition: both,
                    then,
                    otherwise,
                    results: vec![Join {
                        result,
                        then: then_value,
                        otherwise: zero,
                    }],
                },
            );
            result
        } else {
            self.open(Kind::Guarded, Vec::new(), &[value]);
            self.scopes[at + 1].set_guard(both);
            let found = self.value(value);
            let checks = std::mem::take(&mut self.scopes[at + 1].checks);
            self.scopes[at].checks.extend(checks);
            for statement in self.close() {
                self.push(at, statement);
            }
            if matches!(self.program.node(value), Node::Index { .. }) {
                found
            } else {
                self.or_zero(at, both, (value, found))
            }
        };
        self.scopes.extend(inner);
        result
    }

    /// A check, unless it has been made where the scope is reached.
    fn check(&mut self, at: usize, (holds, site): (Value, Site), values: &[Id]) {
        let around = self.scopes[at].guard();
        let before = self.scopes[..=at].iter().flat_map(|scope| &scope.checks);
        let made = |&(other, of, under): &(Value, Site, Option<Value>)| {
            (other, of) == (holds, site) && (under.is_none() || under == around)
        };
        if before.into_iter().any(made) {
            return;
        }
        self.scopes[at].checks.push((holds, site, around));
        let values: Vec<Value> = values.iter().map(|&id| self.value_at(id, at)).collect();
        let condition = match around {
            Some(around) => {
                let off = self.op(at, Leaf::Bool, Op::Unary(Unary::Not, around));
                self.op(at, Leaf::Bool, Op::Binary(Binary::Or, off, holds))
            }
            None => holds,
        };
        let place = self.program.sites[site.0 as usize].span;
        self.values.places.insert(condition, place);
        let check = Statement::Check {
            condition,
            site,
            values,
        };
        self.push(at, check);
    }

    /// A value where a condition holds, and zero elsewhere.
    fn or_zero(&mut self, at: usize, holds: Value, (id, value): (Id, Value)) -> Value {
        let leaf = self.program.leaf(id);
        match self.program.node(id) {
            Node::Constant(constant) if leaf == Leaf::Bool && constant.is_true() => holds,
            _ => {
                let zero = self.constant(at, leaf, 0);
                self.op(at, leaf, Op::Select(holds, value, zero))
            }
        }
    }

    /// Whether a guarded value is more than straight-line code.
    fn structured(&self, id: Id) -> bool {
        let (mut seen, mut open) = (IdSet::default(), vec![id]);
        while let Some(id) = open.pop() {
            let there = self.known(id, self.scopes.len() - 1).is_some()
                || self.sources.is_outside(self.program, id);
            if there || !seen.insert(id) {
                continue;
            }
            match self.program.node(id) {
                Node::If { .. } | Node::Loop { .. } | Node::Reduce { .. } => return true,
                Node::Index { indices, .. } => open.extend(indices),
                node => walk::evaluated(node, |operand| open.push(operand)),
            }
        }
        false
    }

    /// Emits a bundle at a scope; its wanted components are known there afterwards.
    pub(in crate::fuse) fn bundle(&mut self, id: Id, at: usize) {
        let guard = match self.needs_guard(id, at) {
            true => self.nonempty(at),
            false => None,
        };
        let inner = self.scopes.split_off(at + 1);
        if let Some(guard) = guard {
            self.open(Kind::Guarded, Vec::new(), &[]);
            self.scopes[at + 1].set_guard(guard);
        }
        self.bundle_here(id);
        if guard.is_none() {
            self.scopes.extend(inner);
            return;
        }
        let of =
            |part: &Id| matches!(self.program.node(*part), Node::Project(from, _) if *from == id);
        let known = self.scopes[at + 1].values.iter();
        let mut found: Vec<(Id, Value)> = known.map(|(&id, &value)| (id, value)).collect();
        found.retain(|(part, _)| of(part));
        found.sort_unstable();
        for statement in self.close() {
            self.push(at, statement);
        }
        self.scopes.extend(inner);
        for (part, value) in found {
            self.define(at, part, value);
        }
    }

    /// Whether reads in a bundle are to be switched off where the domains are empty that it leaves, as a single read would be:
    /// unless these are its own.
    fn needs_guard(&mut self, id: Id, at: usize) -> bool {
        let own: Vec<Value> = match self.program.node(id) {
            Node::Reduce { extents, .. } => {
                let known = extents.iter().map(|&extent| self.known(extent, at));
                known.flatten().collect()
            }
            _ => Vec::new(),
        };
        let mut left = self.scopes[at + 1..]
            .iter()
            .flat_map(|scope| &scope.extents);
        left.any(|extent| !own.contains(extent))
            && !self.scopes[at].certain.contains(id)
            && self.reads(id, at)
    }

    /// Emits a bundle at the innermost scope.
    fn bundle_here(&mut self, id: Id) {
        match self.program.node(id).clone() {
            Node::If {
                condition,
                then,
                otherwise,
            } => self.branch(id, condition, &then, &otherwise),
            Node::Loop {
                state,
                initial,
                condition,
                next,
            } => self.rounds(id, &state, &initial, condition, &next),
            Node::Reduce { .. } => {
                let group = self.beside(id, self.scopes.len() - 1);
                self.sequential(&group);
            }
            other => unreachable!("no bundle: {other:?}"),
        }
    }

    fn component(&mut self, bundle: Id, k: usize) -> Id {
        self.program.add(Node::Project(bundle, k as u32))
    }

    fn branch(&mut self, id: Id, condition: Id, then: &[Id], otherwise: &[Id]) {
        let at = self.scopes.len() - 1;
        let wanted = self.wanted_of(id, then.len());
        let pick = |from: &[Id]| -> Vec<Id> { wanted.iter().map(|&k| from[k as usize]).collect() };
        let (then, otherwise) = (pick(then), pick(otherwise));
        if let Some(holds) = self.decided(condition) {
            // Of a branch by what one around it has decided only a side is left.
            let side = if holds { &then } else { &otherwise };
            for (&k, &value) in wanted.iter().zip(side) {
                let value = self.value(value);
                let component = self.component(id, k as usize);
                self.define(at, component, value);
            }
            return;
        }
        let of = self.undecided(condition);
        let condition = self.value(of);
        // Needed on both sides: before the branch, in the order of definition. Arrays are there.
        let common: Vec<Id> = self
            .common(&then, &otherwise)
            .into_iter()
            .filter(|&id| matches!(self.program.ty(id), Type::Scalar(_)))
            .filter(|&id| !matches!(self.program.node(id), Node::Constant(_)))
            .filter(|&id| !is_bundle(self.program.node(id)))
            .collect();
        for id in common {
            self.value(id);
        }
        let facts = self.facts(of, true);
        self.open_side(facts, &then);
        let then_values = self.values(&then);
        let then = self.close();
        let facts = self.facts(of, false);
        self.open_side(facts, &otherwise);
        let otherwise_values = self.values(&otherwise);
        let otherwise = self.close();
        let mut results = Vec::new();
        for (n, &k) in wanted.iter().enumerate() {
            let component = self.component(id, k as usize);
            let result = self.fresh(self.program.leaf(component));
            results.push(Join {
                result,
                then: then_values[n],
                otherwise: otherwise_values[n],
            });
            self.define(at, component, result);
        }
        self.push(
            at,
            Statement::If {
                condition,
                then,
                otherwise,
                results,
            },
        );
    }

    fn rounds(&mut self, id: Id, state: &[Var], initial: &[Id], condition: Id, next: &[Id]) {
        let at = self.scopes.len() - 1;
        let wanted: Vec<usize> = self
            .wanted_of(id, state.len())
            .into_iter()
            .map(|k| k as usize)
            .collect();
        let initial: Vec<Value> = wanted.iter().map(|&k| self.value(initial[k])).collect();
        self.open(Kind::Round, Vec::new(), &[condition]);
        let states: Vec<Value> = wanted.iter().map(|&k| self.bind(state[k])).collect();
        let holds = self.value(condition);
        let test = self.close();
        let next: Vec<Id> = wanted.iter().map(|&k| next[k]).collect();
        self.open(Kind::Round, Vec::new(), &next);
        for (&k, &value) in wanted.iter().zip(&states) {
            self.bind_to(state[k], value);
        }
        let nexts = self.values(&next);
        let body = self.close();
        let mut carries = Vec::new();
        for (n, &k) in wanted.iter().enumerate() {
            carries.push(Carry {
                state: states[n],
                initial: initial[n],
                next: nexts[n],
            });
            let component = self.component(id, k);
            self.define(at, component, states[n]);
        }
        self.push(
            at,
            Statement::Loop {
                state: carries,
                test,
                condition: holds,
                body,
            },
        );
    }

    /// Reductions that are certain to run at this scope too, over the same extents, and need not wait for each other, nor for
    /// one that waits for this.
    fn beside(&self, id: Id, at: usize) -> Vec<Id> {
        let Node::Reduce { extents, .. } = self.program.node(id) else {
            unreachable!("asked of a reduction");
        };
        let mut group = vec![id];
        for other in self.certain_at(at) {
            let Node::Reduce { extents: same, .. } = self.program.node(other) else {
                continue;
            };
            let fits = other != id
                && same == extents
                && self.pending(other, at)
                && self.bound_at(other, at)
                && !group.iter().any(|&member| {
                    walk::reaches(self.program, member, other)
                        || walk::reaches(self.program, other, member)
                })
                && !self
                    .folding
                    .iter()
                    .any(|&begun| begun == other || walk::reaches(self.program, other, begun));
            if fits {
                group.push(other);
            }
        }
        group
    }

    /// Whether no component of a bundle has been computed yet, and none comes from outside.
    fn pending(&self, bundle: Id, at: usize) -> bool {
        self.wanted.get(&bundle).is_some_and(|wanted| {
            wanted.iter().all(|&k| {
                let component = self.program.find(&Node::Project(bundle, k));
                component.is_some_and(|id| {
                    self.known(id, at).is_none() && !self.sources.is_outside(self.program, id)
                })
            })
        })
    }

    /// Reductions of one thread, in one loop nest.
    fn sequential(&mut self, group: &[Id]) {
        let at = self.scopes.len() - 1;
        let (extents, vars, body, folds) = self.folds(group, None, at, Self::values);
        self.push(
            at,
            Statement::Fold {
                extents,
                vars,
                body,
                folds,
            },
        );
    }

    /// The code of several reductions over one domain, and of what is stored at its points: its extents, variables, elements,
    /// and the folds. Results are known at scope `at`, the innermost one.
    pub(in crate::fuse) fn folds(
        &mut self,
        group: &[Id],
        stored: Option<Each>,
        at: usize,
        values: impl FnOnce(&mut Self, &[Id]) -> Vec<Value>,
    ) -> (Vec<Value>, Vec<Value>, Vec<Statement>, Vec<Fold>) {
        let Node::Reduce { extents, vars, .. } = self.program.node(group[0]).clone() else {
            unreachable!("asked of reductions");
        };
        let begun = self.folding.len();
        self.folding.extend(group);
        let whole = extents.clone();
        let mut domain = Domain { extents, vars };
        let mut parts = Vec::new();
        let mut all = Vec::new();
        for &id in group {
            let Node::Reduce {
                vars: own,
                elements,
                left,
                right,
                combined,
                initial,
                commutes,
                ..
            } = self.program.node(id).clone()
            else {
                unreachable!("asked of reductions");
            };
            let mut map = QuickMap::default();
            for (&own, &var) in own.iter().zip(&domain.vars) {
                if own != var {
                    let read = self.program.add(Node::Variable(var));
                    map.insert(own, read);
                }
            }
            all.extend(self.program.substitute_all(&elements, &map));
            self.want(&combined);
            let initial = initial.map(|initial| self.values(&initial));
            parts.push((id, elements, left, right, combined, initial, commutes));
        }
        let mut stores = stored.map_or_else(Vec::new, |each| each.over(self.program, &domain.vars));
        all.extend(stores.iter().map(|store| store.element));
        let mut places = stores.iter().map(|store| store.index).collect();
        if self.collapse {
            collapse::collapse(
                self.program,
                self.sources,
                &mut domain,
                &mut all,
                &mut places,
            );
        }
        self.want(&all);
        self.want(&places);
        let elements = all.split_off(all.len() - stores.len());
        for ((store, element), place) in stores.iter_mut().zip(elements).zip(places) {
            (store.element, store.index) = (element, place);
        }
        for part in &mut parts {
            let rest = all.split_off(part.1.len());
            part.1 = std::mem::replace(&mut all, rest);
        }
        let extents = values(self, &domain.extents);
        let vars = &domain.vars;
        let mut roots: Vec<Id> = parts.iter().flat_map(|part| part.1.clone()).collect();
        roots.extend(stores.iter().flat_map(Store::roots));
        self.before(&whole, &roots);
        self.open(Kind::Domain, extents.clone(), &roots);
        let var_values: Vec<Value> = vars.iter().map(|&var| self.bind(var)).collect();
        let elements: Vec<Vec<Value>> = parts.iter().map(|part| self.values(&part.1)).collect();
        for store in &stores {
            self.store(store);
        }
        let body = self.close();
        self.folding.truncate(begun);
        let mut folds = Vec::new();
        for ((id, element_ids, left, right, combined, initial, commutes), elements) in
            parts.into_iter().zip(elements)
        {
            let operator = self.operator(&left, &right, &combined);
            let known = operator.known.iter().flatten();
            let contracts = known.zip(&element_ids).any(|(op, &element)| {
                let product = matches!(self.program.node(element), Node::Binary(Binary::Mul, ..));
                *op == Binary::Add && product && self.program.leaf(element).is_float()
            });
            let mut results = Vec::new();
            for k in 0..element_ids.len() {
                let component = self.component(id, k);
                let result = self.fresh(self.program.leaf(component));
                self.define(at, component, result);
                results.push(result);
            }
            folds.push(Fold {
                elements,
                initial,
                commutes,
                contracts,
                results,
                ..operator
            });
        }
        (extents, var_values, body, folds)
    }

    /// A fold of which only the operator is there yet.
    pub(in crate::fuse) fn operator(
        &mut self,
        left: &[Var],
        right: &[Var],
        combined: &[Id],
    ) -> Fold {
        let known = known_operator(self.program, left, right, combined);
        self.open(Kind::Round, Vec::new(), combined);
        let left: Vec<Value> = left.iter().map(|&var| self.bind(var)).collect();
        let right: Vec<Value> = right.iter().map(|&var| self.bind(var)).collect();
        let combined = self.values(combined);
        let combine = self.close();
        Fold {
            elements: Vec::new(),
            left,
            right,
            combine,
            combined,
            initial: None,
            known,
            commutes: false,
            contracts: false,
            results: Vec::new(),
        }
    }
}

/// The operators of a reduction, if they are known ones, which take their operands in any order.
pub(in crate::fuse) fn known_operator(
    program: &Program,
    left: &[Var],
    right: &[Var],
    combined: &[Id],
) -> Option<Vec<Binary>> {
    use Binary::{Add, And, Max, Min, Mul, Or, Xor};
    let mut known = Vec::new();
    for ((&left, &right), &combined) in left.iter().zip(right).zip(combined) {
        let left = program.find(&Node::Variable(left))?;
        let right = program.find(&Node::Variable(right))?;
        match *program.node(combined) {
            Node::Binary(op @ (Add | Mul | Min | Max | And | Or | Xor), a, b)
                if (a, b) == (left, right) || (a, b) == (right, left) =>
            {
                known.push(op);
            }
            _ => return None,
        }
    }
    Some(known)
}

fn is_bundle(node: &Node) -> bool {
    matches!(
        node,
        Node::If { .. } | Node::Loop { .. } | Node::Reduce { .. }
    )
}
