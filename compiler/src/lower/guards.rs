//! Everything that can fail: sites, checks before a launch, guards around values, and pending effects.
//!
//! A condition that the host knows and that strict evaluation reaches always becomes a [`Check`]; inside closures the
//! check is weakened by "or the domain is empty", inside branches by "or the branch is not taken". What the host
//! cannot know becomes a [`Node::Guard`]: of the value read, or, for shapes, of the extents. The conditions of
//! `assert!` wait as [`Effect`]s of their region (a branch, a round of a loop, an element, the whole function) and
//! guard its results.

use super::Lower;
use super::value::{Array, Value};
use crate::ir::walk;
use crate::ir::{Check, Failure, Id, Node, Place, QuickMap, Site, Var};
use crate::scalar::{Binary, Leaf};
use proc_macro2::Span;

/// What has to happen before a value counts.
#[derive(Clone)]
pub(super) enum Effect {
    /// The condition holds.
    Guard {
        condition: Id,
        site: Site,
        values: Vec<Id>,
    },
    /// The node has been evaluated without a failure.
    Demand(Id),
    /// The region evaluates the node, but it may be left out where no result depends on it.
    Anticipate(Id),
}

impl Effect {
    /// Whether it must not be left out.
    pub(super) fn is_required(&self) -> bool {
        !matches!(self, Effect::Anticipate(_))
    }
}

/// Around the expression being lowered, from the outermost.
#[derive(Clone)]
pub(super) enum Scope {
    /// The element of an array, or a term of a reduction.
    Domain { vars: Vec<Var>, extents: Vec<Id> },
    /// Evaluated only if the condition holds.
    Branch(Id),
    /// Evaluated an unknown number of times.
    Unknown,
}

/// The requirements on values of the regions around the expression being lowered, which are evaluated before it: where the same is
/// required again, the first one is meant.
#[derive(Default)]
pub(super) struct Required {
    effects: QuickMap<(Id, Failure), Effect>,
    /// The keys, in program order.
    order: Vec<(Id, Failure)>,
}

impl Required {
    /// Only the first so many are left.
    pub(super) fn truncate(&mut self, count: usize) {
        for key in self.order.drain(count..) {
            self.effects.remove(&key);
        }
    }

    pub(super) fn count(&self) -> usize {
        self.order.len()
    }
}

/// A requirement before it is known where it goes.
pub(super) struct Requirement {
    pub(super) condition: Id,
    pub(super) kind: Failure,
    /// With `{0}` and `{1}` for the values.
    pub(super) message: String,
    pub(super) values: Vec<Id>,
    pub(super) span: Span,
}

impl<'a> Lower<'a> {
    fn site(&mut self, requirement: &Requirement) -> Site {
        let mut message = requirement.message.clone();
        for (k, &value) in requirement.values.iter().enumerate() {
            if self.p.leaf(value).is_signed() {
                message = message.replace(&format!("{{{k}}}"), &format!("{{{k}:i}}"));
            }
        }
        self.place(requirement.kind, &message, requirement.span)
    }

    pub(super) fn place(&mut self, kind: Failure, message: &str, span: Span) -> Site {
        let span = self.spans.add(self.frame.call.unwrap_or(span));
        self.p.sites.push(Place {
            kind,
            message: message.to_owned(),
            span,
        });
        Site(self.p.sites.len() as u32 - 1)
    }

    /// A requirement on one value: a check if it is reached always and known to the host, else an effect.
    pub(super) fn require_value(&mut self, requirement: Requirement) -> Option<Effect> {
        if self.known(requirement.condition) == Some(true) {
            return None;
        }
        if self.scopes.is_empty() && self.host_tells(&requirement) {
            self.check(requirement);
            return None;
        }
        Some(self.effect(requirement))
    }

    /// A requirement on shapes: a check, weakened by the scopes around it, wherever the host knows enough.
    pub(super) fn require_shape(&mut self, mut requirement: Requirement) -> Option<Effect> {
        if self.known(requirement.condition) == Some(true) {
            return None;
        }
        if self.host_tells(&requirement)
            && let Some(condition) = self.weakened(requirement.condition)
        {
            if self.known(condition) != Some(true) {
                requirement.condition = condition;
                self.check(requirement);
            }
            return None;
        }
        let of_elements = requirement.kind == Failure::AssertionFailed
            && (self.p.reads(requirement.condition) || self.p.moves(requirement.condition));
        let effect = self.effect(requirement);
        if let Some((depth, shapes)) = &mut self.of_body
            && *depth == self.scopes.len()
            && !of_elements
        {
            shapes.push(effect.clone());
        }
        Some(effect)
    }

    /// Whether the host knows, before anything runs, both the condition and what is told where it does not hold.
    fn host_tells(&mut self, requirement: &Requirement) -> bool {
        let mut parts = std::iter::once(&requirement.condition).chain(&requirement.values);
        parts.all(|&id| self.host_known(id))
    }

    fn check(&mut self, requirement: Requirement) {
        let site = self.site(&requirement);
        let same = |check: &Check| check.condition == requirement.condition;
        // The first of equal conditions is the one that fails.
        if !self.p.checks.iter().any(same) {
            self.p.checks.push(Check {
                condition: requirement.condition,
                site,
                values: requirement.values,
            });
        }
    }

    fn effect(&mut self, requirement: Requirement) -> Effect {
        let key = (requirement.condition, requirement.kind);
        if let Some(effect) = self.required.effects.get(&key) {
            return effect.clone();
        }
        let site = self.site(&requirement);
        let effect = Effect::Guard {
            condition: requirement.condition,
            site,
            values: requirement.values,
        };
        self.required.effects.insert(key, effect.clone());
        self.required.order.push(key);
        effect
    }

    /// Lowers what stands in a scope.
    pub(super) fn in_scope<T>(&mut self, scope: Scope, lower: impl FnOnce(&mut Self) -> T) -> T {
        let required = self.required.count();
        self.scopes.push(scope);
        let lowered = lower(self);
        self.scopes.pop();
        self.required.truncate(required);
        lowered
    }

    /// Lowers an element, which is no scope of its own where there is only one.
    pub(super) fn in_domain<T>(
        &mut self,
        vars: &[Var],
        extents: &[Id],
        lower: impl FnOnce(&mut Self) -> T,
    ) -> T {
        if extents.is_empty() {
            return lower(self);
        }
        let domain = Scope::Domain {
            vars: vars.to_vec(),
            extents: extents.to_vec(),
        };
        self.in_scope(domain, lower)
    }

    /// `condition`, or this place is not reached; `None` if the host does not know whether it is.
    fn weakened(&mut self, condition: Id) -> Option<Id> {
        let mut weak = condition;
        for scope in self.scopes.clone().into_iter().rev() {
            match scope {
                Scope::Domain { extents, .. } => {
                    for extent in extents.into_iter().rev() {
                        if !self.host_known(extent) {
                            return None;
                        }
                        let zero = self.p.usize(0);
                        let empty = self.binary(Binary::Eq, extent, zero);
                        weak = self.or(empty, weak);
                    }
                }
                Scope::Branch(taken) => {
                    if !self.host_known(taken) {
                        return None;
                    }
                    let not = self.not(taken);
                    weak = self.or(not, weak);
                }
                Scope::Unknown => return None,
            }
        }
        Some(weak)
    }

    /// A value under an effect.
    pub(super) fn under(&mut self, effect: &Effect, value: Id) -> Id {
        let node = match effect {
            Effect::Guard {
                condition,
                site,
                values,
            } => Node::Guard {
                condition: *condition,
                site: *site,
                values: values.clone(),
                value,
            },
            Effect::Demand(id) | Effect::Anticipate(id) => Node::Demand {
                effect: *id,
                value,
                required: effect.is_required(),
            },
        };
        let id = self.p.add(node);
        if let Some(&span) = self.p.spans.get(&value) {
            self.p.place(id, span);
        }
        id
    }

    /// A value under effects in program order.
    pub(super) fn under_all(&mut self, effects: &[Effect], value: Id) -> Id {
        effects
            .iter()
            .rev()
            .fold(value, |value, effect| self.under(effect, value))
    }

    /// An element, or the extents of an array, under effects.
    pub(super) fn guarded(&mut self, effects: &[Effect], value: Value<'a>) -> Value<'a> {
        if effects.is_empty() {
            return value;
        }
        match value {
            Value::Tuple(fields) => Value::Tuple(
                fields
                    .into_iter()
                    .map(|field| self.guarded(effects, field))
                    .collect(),
            ),
            Value::Array(array) => Value::Array(self.guarded_array(effects, array)),
            Value::Nested(mut nested) => {
                for extent in &mut nested.extents {
                    *extent = self.under_all(effects, *extent);
                }
                Value::Nested(nested)
            }
            other => other.map(&mut |leaf| self.under_all(effects, leaf)),
        }
    }

    /// An array whose extents (or, of rank 0, whose element) stand under effects.
    pub(super) fn guarded_array(&mut self, effects: &[Effect], mut array: Array<'a>) -> Array<'a> {
        if effects.is_empty() {
            return array;
        }
        if array.extents.is_empty() {
            array.tree = Box::new(array.tree.map(&mut |leaf| {
                let value = self.index(leaf, &[]);
                let value = self.under_all(effects, value);
                self.abstracted(&[], &[], value)
            }));
            return array;
        }
        // The leaves too: their nodes must have the array's extents, or nothing reads the guards.
        let extents: Vec<Id> = array
            .extents
            .iter()
            .map(|&extent| self.under_all(effects, extent))
            .collect();
        Array {
            tree: Box::new(
                array
                    .tree
                    .map(&mut |leaf| self.resized(leaf, &extents, &[])),
            ),
            extents,
        }
    }

    /// The same, where the extents are known without the effects. Outside of elements, where the host knows them, what reads an
    /// element checks these, and nothing waits for them.
    pub(super) fn guarded_elements(
        &mut self,
        effects: &[Effect],
        mut array: Array<'a>,
    ) -> Array<'a> {
        let is_element = |scope: &Scope| matches!(scope, Scope::Domain { .. });
        let in_element = self.scopes.iter().any(is_element);
        let of_host = array.extents.iter().all(|&id| self.is_of_host(id));
        if in_element || effects.is_empty() || array.extents.is_empty() || !of_host {
            return self.guarded_array(effects, array);
        }
        let extents = array.extents.clone();
        let mut guarded = |leaf| self.resized(leaf, &extents, effects);
        array.tree = Box::new(array.tree.map(&mut guarded));
        array
    }

    /// Whether a number is arithmetic of those that the host has been given, and of extents of its arrays.
    pub(super) fn is_of_host(&self, id: Id) -> bool {
        walk::inside(&self.p, id).all(|id| match self.p.node(id) {
            Node::Math(..) | Node::Guard { .. } | Node::Demand { .. } => true,
            node => walk::is_arithmetic(node),
        })
    }

    /// An extent without those of its guards that are `let_go`: the same number wherever they hold. They become effects,
    /// which must stand around every element: what is read is in bounds only if they hold.
    pub(super) fn unguarded(
        &mut self,
        extent: Id,
        let_go: &dyn Fn(&Self, Id) -> bool,
        effects: &mut Vec<Effect>,
    ) -> Id {
        let (by, effect, value) = match self.p.node(extent).clone() {
            Node::Guard {
                condition,
                site,
                values,
                value,
            } => {
                let effect = Effect::Guard {
                    condition,
                    site,
                    values,
                };
                (condition, effect, value)
            }
            Node::Demand {
                effect,
                value,
                required,
            } => match required {
                true => (effect, Effect::Demand(effect), value),
                false => (effect, Effect::Anticipate(effect), value),
            },
            mut node @ (Node::Unary(..) | Node::Binary(..) | Node::Select(..) | Node::Cast(..)) => {
                node.map_operands(|operand| self.unguarded(operand, let_go, effects));
                return self.p.add(node);
            }
            _ => return extent,
        };
        if !let_go(self, by) {
            return extent;
        }
        effects.push(effect);
        self.unguarded(value, let_go, effects)
    }

    /// The same elements under effects, over extents of the same values.
    pub(super) fn resized(&mut self, leaf: Id, extents: &[Id], effects: &[Effect]) -> Id {
        let (vars, indices) = self.indices(extents.len());
        let element = self.index(leaf, &indices);
        let element = self.under_all(effects, element);
        self.abstracted(extents, &vars, element)
    }

    /// `a == b` of two extents, or [`Failure::ShapeMismatch`] with both.
    pub(super) fn require_equal(
        &mut self,
        a: Id,
        b: Id,
        message: &str,
        span: Span,
    ) -> Option<Effect> {
        let condition = self.binary(Binary::Eq, a, b);
        self.require_shape(Requirement {
            condition,
            kind: Failure::ShapeMismatch,
            message: message.to_owned(),
            values: vec![a, b],
            span,
        })
    }

    /// `index < extent` before a read that the user wrote.
    pub(super) fn require_index(
        &mut self,
        index: Id,
        extent: Id,
        what: &str,
        span: Span,
    ) -> Option<Effect> {
        let requirement = self.within(index, extent, what, span);
        self.require_value(requirement)
    }

    /// That an index is one of an axis.
    pub(super) fn within(&mut self, index: Id, extent: Id, what: &str, span: Span) -> Requirement {
        let condition = self.binary(Binary::Lt, index, extent);
        let within = if what.is_empty() {
            String::new()
        } else {
            format!(" in `{what}`")
        };
        Requirement {
            condition,
            kind: Failure::OutOfBounds,
            message: format!("index {{0}} of an axis of {{1}}{within}"),
            values: vec![index, extent],
            span,
        }
    }

    /// `divisor != 0`.
    pub(super) fn require_divisor(&mut self, divisor: Id, rem: bool, span: Span) -> Option<Effect> {
        let leaf = self.p.leaf(divisor);
        if let Some(constant) = self.constant_of(divisor)
            && constant.bits != 0
        {
            return None;
        }
        // `n / d.max(1)`, as the quotients of wider integers are written.
        if let Node::Binary(Binary::Max, _, least) = *self.p.node(divisor)
            && leaf == Leaf::U64
            && self.constant_of(least).is_some_and(|least| least.bits > 0)
        {
            return None;
        }
        let zero = self.int(leaf, 0);
        let condition = self.binary(Binary::Ne, divisor, zero);
        let what = if rem { "remainder" } else { "division" };
        self.require_value(Requirement {
            condition,
            kind: Failure::DivisionByZero,
            message: format!("{what} by zero"),
            values: vec![],
            span,
        })
    }

    /// A reduction without a first value needs an element.
    pub(super) fn require_some(&mut self, count: Id, what: &str, span: Span) -> Option<Effect> {
        let zero = self.p.usize(0);
        let condition = self.binary(Binary::Lt, zero, count);
        self.require_shape(Requirement {
            condition,
            kind: Failure::EmptyReduction,
            message: format!("`{what}` of an empty axis"),
            values: vec![],
            span,
        })
    }

    /// A condition of `assert!`: a check, or an effect of the region.
    pub(super) fn assert(&mut self, condition: Id, message: &str, span: Span) {
        let effect = self.require_shape(Requirement {
            condition,
            kind: Failure::AssertionFailed,
            message: message.to_owned(),
            values: vec![],
            span,
        });
        self.effects.extend(effect);
    }
}
