//! The state of a loop: what the body writes and really changes, as one `Loop` node.
//!
//! Extents of arrays are tried as invariant first; only an axis whose extent comes out different becomes state, and
//! then the body is lowered again.

use super::guards::{Effect, Scope};
use super::value::{Array, Key, Value};
use super::{Lower, Lowered, not_yet};
use crate::ir::{Id, Node, QuickMap, Type, Var};
use crate::scalar::Leaf;
use crate::sorted::{SortedMap, SortedSet};
use crate::typed::{self, Label};
use proc_macro2::Span;

/// A scalar or array of the state of a loop.
struct Slot {
    var: Var,
    read: Id,
    initial: Id,
    next: Id,
}

/// The state of a loop while its body is lowered.
#[derive(Default)]
struct State {
    slots: Vec<(Var, Id, Id)>,
    /// The position in `slots` of extents that vary: of (variable, array in it, axis).
    varying: SortedMap<(Key, usize, usize), usize>,
}

/// A loop to be lowered, possibly several times.
struct Rounds<'c, 'a> {
    span: Span,
    keys: Vec<Key>,
    condition: &'c mut dyn FnMut(&mut Lower<'a>) -> Lowered<Id>,
    body: &'c mut dyn FnMut(&mut Lower<'a>) -> Lowered<()>,
}

impl<'a> Lower<'a> {
    pub(super) fn rounds(
        &mut self,
        label: Label,
        span: Span,
        writes: SortedMap<Key, Option<&'a typed::Type>>,
        condition: &mut dyn FnMut(&mut Self) -> Lowered<Id>,
        body: &mut dyn FnMut(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        self.set_flag(Key::broken(label), false);
        let mut keys = Vec::new();
        for (key, ty) in writes {
            let Some(value) = self.environment.get(&key) else {
                continue;
            };
            if matches!(value, Value::Unset) {
                let Some(ty) = ty else {
                    continue;
                };
                let zero = self.zero_of(ty, span)?;
                self.environment.insert(key, zero);
            }
            let initial = self.environment[&key].clone();
            self.evaluated(&initial);
            keys.push(key);
        }
        let mut going = |lower: &mut Self| {
            let left = lower.left();
            let on = lower.not(left);
            lower.lazy(span, true, on, |lower| condition(lower))
        };
        let mut round = |lower: &mut Self| {
            // A round begins only where no flag is set.
            for flag in lower.flags() {
                lower.set_flag(flag, false);
            }
            lower.set_flag(Key::continued(label), false);
            body(lower)?;
            lower.environment.remove(&Key::continued(label));
            Ok(())
        };
        let mut rounds = Rounds {
            span,
            keys,
            condition: &mut going,
            body: &mut round,
        };
        let mut varying = SortedSet::new();
        let (sites, checks) = (self.p.sites.len(), self.p.checks.len());
        let required = self.required.count();
        while let Some(more) = self.attempt(&mut rounds, &varying)? {
            self.p.sites.truncate(sites);
            self.p.checks.truncate(checks);
            self.required.truncate(required);
            // Places of the sites that are gone are given anew.
            self.fallible.clear();
            self.forget_segments(sites);
            varying.extend(more);
        }
        self.environment.remove(&Key::broken(label));
        Ok(())
    }

    /// Lowers the loop with these extents as state. The ones that turn out to vary too come back, and nothing else
    /// has happened; otherwise the environment is the one after the loop.
    fn attempt(
        &mut self,
        rounds: &mut Rounds<'_, 'a>,
        varying: &SortedSet<(Key, usize, usize)>,
    ) -> Lowered<Option<Vec<(Key, usize, usize)>>> {
        let before = self.environment.clone();
        let effects = std::mem::take(&mut self.effects);
        let mut state = State::default();
        let mut inside = QuickMap::default();
        for &key in &rounds.keys {
            let mut array = 0;
            let value = self.enter(
                key,
                &before[&key],
                varying,
                &mut state,
                &mut array,
                rounds.span,
            )?;
            if let Some(name) = self.frame.names.get(&key).cloned() {
                self.name_value(&value, &name);
            }
            inside.insert(key, value.clone());
            self.environment.insert(key, value);
        }
        let condition = self.in_scope(Scope::Unknown, |lower| (rounds.condition)(lower))?;
        let pending = std::mem::take(&mut self.effects);
        let condition = self.under_all(&pending, condition);

        // The body runs if the condition holds at first: the host may know that.
        let initially: QuickMap<Var, Id> = state
            .slots
            .iter()
            .map(|&(var, _, initial)| (var, initial))
            .collect();
        let first = self.p.substitute(condition, &initially);
        let scope = if self.host_known(first) {
            Scope::Branch(first)
        } else {
            Scope::Unknown
        };
        self.in_scope(scope, |lower| (rounds.body)(lower))?;
        let evaluated = std::mem::replace(&mut self.effects, effects);
        let after = std::mem::replace(&mut self.environment, before.clone());

        let mut checks = Vec::new();
        let mut next: Vec<Id> = state.slots.iter().map(|&(_, read, _)| read).collect();
        let mut more = Vec::new();
        let mut slot = 0;
        for &key in &rounds.keys {
            let mut leave = Leave {
                key,
                state: &state,
                next: &mut next,
                slot: &mut slot,
                array: 0,
                more: &mut more,
                checks: &mut checks,
            };
            self.leave(&inside[&key], &after[&key], &mut leave);
        }
        if !more.is_empty() {
            return Ok(Some(more));
        }
        let evaluated = self.unneeded(evaluated, &next);
        let (mut failures, anticipated): (Vec<Effect>, Vec<Effect>) =
            evaluated.into_iter().partition(Effect::is_required);
        // Rows go through a loop over arrays together: what one of them evaluates is no part of what they count.
        let arrays =
            (state.slots.iter()).any(|&(_, read, _)| matches!(self.p.ty(read), Type::Array(..)));
        let in_rows = arrays
            && self
                .scopes
                .iter()
                .any(|scope| matches!(scope, Scope::Domain { .. }));
        for (k, next) in next.iter_mut().enumerate() {
            let (_, read, initial) = state.slots[k];
            let changes = *next != read && *next != initial;
            if changes && !in_rows && !state.varying.values().any(|&extent| extent == k) {
                *next = self.under_all(&anticipated, *next);
            }
        }
        // Within a domain, an array without elements tells nobody.
        let domain = |scope: &Scope| matches!(scope, Scope::Domain { .. });
        if !self.scopes.iter().any(domain) {
            failures.extend(checks);
        }
        self.finish(rounds, &state, &next, condition, &failures, &inside);
        Ok(None)
    }

    /// A state variable for each leaf of a value, and for the extents that vary.
    fn enter(
        &mut self,
        key: Key,
        value: &Value<'a>,
        varying: &SortedSet<(Key, usize, usize)>,
        state: &mut State,
        array: &mut usize,
        span: Span,
    ) -> Lowered<Value<'a>> {
        let mut slot = |lower: &mut Self, ty: Type, initial: Id| {
            let var = lower.p.state_var(ty);
            let read = lower.p.add(Node::Variable(var));
            state.slots.push((var, read, initial));
            read
        };
        Ok(match value {
            Value::Tuple(fields) => Value::Tuple(
                fields
                    .iter()
                    .map(|field| self.enter(key, field, varying, state, array, span))
                    .collect::<Lowered<_>>()?,
            ),
            Value::Option { some, payload } => {
                let some = slot(self, Type::Scalar(Leaf::Bool), *some);
                Value::Option {
                    some,
                    payload: Box::new(self.enter(key, payload, varying, state, array, span)?),
                }
            }
            Value::Scalar(_) | Value::Range(..) => value.map(&mut |leaf| {
                let ty = self.p.ty(leaf).clone();
                slot(self, ty, leaf)
            }),
            Value::Array(Array { extents, tree }) => {
                let mut inside = Vec::new();
                for (axis, &extent) in extents.iter().enumerate() {
                    let place = (key, *array, axis);
                    if varying.contains(&place) {
                        state.varying.insert(place, state.slots.len());
                        let var = self.p.state_var(Type::Scalar(Leaf::U64));
                        let read = self.p.add(Node::Variable(var));
                        state.slots.push((var, read, extent));
                        inside.push(read);
                    } else {
                        inside.push(extent);
                    }
                }
                *array += 1;
                let tree = tree.map(&mut |leaf| {
                    let ty = Type::Array(self.p.leaf(leaf), inside.clone());
                    let var = self.p.state_var(ty);
                    let read = self.p.add(Node::Variable(var));
                    state.slots.push((var, read, leaf));
                    read
                });
                Value::Array(Array {
                    extents: inside,
                    tree: Box::new(tree),
                })
            }
            Value::Window(_) | Value::Closure(_) | Value::Unset | Value::Never => value.clone(),
            Value::Nested(_) => {
                return Err(not_yet(
                    span,
                    "an array of arrays as the state of a loop",
                    "keep the array, and take its rows inside the loop",
                ));
            }
        })
    }

    /// Matches the value after a round with the state, in the order of [`Lower::enter`].
    fn leave(&mut self, inside: &Value<'a>, after: &Value<'a>, to: &mut Leave<'_>) {
        match (inside, after) {
            (Value::Tuple(a), Value::Tuple(b)) => {
                for (a, b) in a.iter().zip(b) {
                    self.leave(a, b, to);
                }
            }
            (Value::Option { payload: x, .. }, Value::Option { some, payload: y }) => {
                to.put(*some);
                self.leave(x, y, to);
            }
            (Value::Array(a), Value::Array(b)) => {
                let mut extents = b.extents.clone();
                let mut effects = Vec::new();
                for (axis, (&was, is)) in a.extents.iter().zip(&mut extents).enumerate() {
                    let place = (to.key, to.array, axis);
                    if to.state.varying.contains_key(&place) {
                        to.put(*is);
                    } else if was != *is {
                        // An extent that the round has only checked does not vary.
                        let all = |_: &Self, _| true;
                        let before = self.unguarded(was, &all, &mut Vec::new());
                        if before == self.unguarded(*is, &all, &mut effects) {
                            to.checks.push(Effect::Demand(*is));
                            *is = was;
                        } else {
                            to.more.push(place);
                        }
                    }
                }
                to.array += 1;
                for leaf in b.tree.leaves() {
                    to.put(match extents == b.extents {
                        true => leaf,
                        false => self.resized(leaf, &extents, &effects),
                    });
                }
            }
            (Value::Scalar(_) | Value::Range(..), value)
                if !matches!(value, Value::Unset | Value::Never) =>
            {
                value.leaves().into_iter().for_each(|leaf| to.put(leaf));
            }
            // Never assigned on the way out of the round: what it holds does not matter.
            (value, Value::Unset | Value::Never) => *to.slot += value.leaves().len(),
            _ => {}
        }
    }

    /// Drops what no round changes, builds the node, and reads the results.
    fn finish(
        &mut self,
        rounds: &Rounds<'_, 'a>,
        state: &State,
        next: &[Id],
        condition: Id,
        failures: &[Effect],
        inside: &QuickMap<Key, Value<'a>>,
    ) {
        let mut condition = condition;
        let mut slots: Vec<Slot> = state
            .slots
            .iter()
            .zip(next)
            .map(|(&(var, read, initial), &next)| Slot {
                var,
                read,
                initial,
                next,
            })
            .collect();
        let token = (!failures.is_empty()).then(|| {
            let var = self.p.var(Type::Scalar(Leaf::Bool));
            let read = self.p.add(Node::Variable(var));
            self.p.name_var(var, "checked");
            let next = self.under_all(failures, read);
            let initial = self.p.bool(true);
            slots.push(Slot {
                var,
                read,
                initial,
                next,
            });
            read
        });
        let mut results: QuickMap<Id, Id> = QuickMap::default();
        loop {
            // An extent must stay as long as an array of the state has it.
            let invariant = |slot: &Slot| {
                (slot.next == slot.read || slot.next == slot.initial)
                    && !state
                        .varying
                        .values()
                        .any(|&k| state.slots[k].1 == slot.read)
            };
            let (gone, kept): (Vec<_>, Vec<_>) = slots.into_iter().partition(invariant);
            slots = kept;
            if gone.is_empty() {
                break;
            }
            let map: QuickMap<Var, Id> = gone.iter().map(|slot| (slot.var, slot.initial)).collect();
            results.extend(gone.iter().map(|slot| (slot.read, slot.initial)));
            let mut roots: Vec<Id> = slots.iter().map(|slot| slot.next).collect();
            roots.push(condition);
            let roots = self.p.substitute_all(&roots, &map);
            condition = roots[slots.len()];
            for (slot, next) in slots.iter_mut().zip(roots) {
                slot.next = next;
            }
        }
        for slot in &slots {
            if let Some(name) = self.p.names.get(&slot.read).cloned() {
                self.p.name_var(slot.var, &name);
            }
        }
        if !slots.is_empty() {
            let bundle = self.p.add(Node::Loop {
                state: slots.iter().map(|slot| slot.var).collect(),
                initial: slots.iter().map(|slot| slot.initial).collect(),
                condition,
                next: slots.iter().map(|slot| slot.next).collect(),
            });
            let components = self.p.components(bundle);
            results.extend(slots.iter().map(|slot| slot.read).zip(components));
        }
        for &key in &rounds.keys {
            let value = self.read_back(&inside[&key], &results);
            self.environment.insert(key, value);
        }
        if let Some(token) = token {
            self.effects.push(Effect::Demand(results[&token]));
        }
    }

    fn read_back(&self, value: &Value<'a>, results: &QuickMap<Id, Id>) -> Value<'a> {
        let find = |id: Id| *results.get(&id).unwrap_or(&id);
        match value {
            Value::Tuple(fields) => Value::Tuple(
                fields
                    .iter()
                    .map(|field| self.read_back(field, results))
                    .collect(),
            ),
            Value::Option { some, payload } => Value::Option {
                some: find(*some),
                payload: Box::new(self.read_back(payload, results)),
            },
            Value::Array(array) => Value::Array(Array {
                extents: array.extents.iter().map(|&extent| find(extent)).collect(),
                tree: Box::new(self.read_back(&array.tree, results)),
            }),
            other => other.map(&mut |id| find(id)),
        }
    }
}

/// Where the values after a round go.
struct Leave<'s> {
    key: Key,
    state: &'s State,
    next: &'s mut [Id],
    slot: &'s mut usize,
    array: usize,
    more: &'s mut Vec<(Key, usize, usize)>,
    /// The extents with what a round has checked.
    checks: &'s mut Vec<Effect>,
}

impl Leave<'_> {
    fn put(&mut self, id: Id) {
        self.next[*self.slot] = id;
        *self.slot += 1;
    }
}
