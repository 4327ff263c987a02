//! Compactions: what a condition keeps of a vector, and how many that is.

use super::comparisons::Order;
use crate::ir::{Id, IdSet, Node, QuickMap, Var};
use crate::lower::guards::Scope;
use crate::lower::value::{Array, ClosureValue, Value};
use crate::lower::{Lower, Lowered, not_yet};
use crate::scalar::{Binary, Leaf};
use crate::typed::{Compaction, Expr, Reduction};
use proc_macro2::Span;

impl<'a> Lower<'a> {
    pub(super) fn compact(
        &mut self,
        compaction: Compaction,
        arguments: &'a [Expr],
        span: Span,
    ) -> Lowered<Value<'a>> {
        let array = self.array(&arguments[0])?;
        if compaction == Compaction::Unique {
            return self.unique(&array, span);
        }
        let closure = match arguments.get(1) {
            Some(argument) => Some(self.closure(argument)?),
            None => None,
        };
        let (vars, at) = self.indices(1);
        let outer = std::mem::take(&mut self.effects);
        let domain = Scope::Domain {
            vars: vars.clone(),
            extents: array.extents.clone(),
        };
        let (condition, kept) = self.in_scope(domain, |lower| {
            let element = lower.element(&array, &at);
            lower.mark_safe(&element);
            match &closure {
                Some(closure) => lower.kept(closure, element),
                None => Ok((lower.begins_run(&array, at[0], |_, leaf| leaf), element)),
            }
        })?;
        let effects = self.end_region(outer, &[condition]);
        let kept = match compaction {
            Compaction::Indices => Value::Scalar(at[0]),
            _ => kept,
        };
        let mut condition = self.under_all(&effects, condition);
        let mut kept = kept;
        if self.reduces(condition, vars[0]) {
            // Work for several threads, and asked for more than once: an array, to be stored.
            let mut read = |leaf: Id| {
                let array = self.abstracted(&array.extents, &vars, leaf);
                self.index(array, &at)
            };
            [condition] = [condition].map(&mut read);
            kept = kept.map(&mut read);
        }
        let first = self.compacted(&array.extents, vars[0], condition, &kept, span)?;
        if compaction != Compaction::Partition {
            return Ok(first);
        }
        let not = self.not(condition);
        let second = self.compacted(&array.extents, vars[0], not, &kept, span)?;
        Ok(Value::Tuple(vec![first, second]))
    }

    /// The first of all equal elements, in their order: a stable sort of the places brings equal elements together, the
    /// first place of each run is marked, and what is marked is kept.
    fn unique(&mut self, array: &Array<'a>, span: Span) -> Lowered<Value<'a>> {
        let extents = &array.extents;
        let (vars, at) = self.indices(1);
        let element = self.element(array, &at);
        let mut elements = element.leaves();
        let inside = |scope: &Scope| matches!(scope, Scope::Domain { .. });
        let around = self.segment_around(extents, &elements, &vars, span)?;
        if around.is_none() && self.scopes.iter().any(inside) {
            return Err(not_yet(
                span,
                "`unique` for each element or row",
                "write `sort()`, and count or fold where an element differs from the one before it",
            ));
        }
        let condition = if elements.is_empty() {
            // All units are equal.
            self.begins_run(array, at[0], |_, leaf| leaf)
        } else {
            let keys = elements.len();
            elements.push(match &around {
                Some(around) => self.place_in(around, extents[0], at[0], span),
                None => at[0],
            });
            let (own, rank) = self.indices(1);
            let mut sorted =
                self.sort_node(extents, vars.clone(), &elements, Order::natural(keys), span)?;
            let place = sorted.pop().expect("the places beside the keys");
            let sorted = Array {
                extents: extents.clone(),
                tree: Box::new(element.with_leaves(&sorted)),
            };
            let first = self.begins_run(&sorted, rank[0], |lower, key| lower.p.ordered(key));
            let target = self.index(place, &rank);
            let points = (extents[0], own);
            let marks = match &around {
                Some(around) => self.marked_segments(around, points, first, target, span)?,
                None => self.marked(extents[0], points, first, target, span),
            };
            self.index(marks, &at)
        };
        self.compacted(extents, vars[0], condition, &element, span)
    }

    /// Whether a reduction of its own is needed for each value of a variable.
    fn reduces(&self, id: Id, var: Var) -> bool {
        let (mut seen, mut open) = (IdSet::default(), vec![id]);
        while let Some(id) = open.pop() {
            if !self.p.free(id).contains(&var) || !seen.insert(id) {
                continue;
            }
            let node = self.p.node(id);
            if matches!(node, Node::Reduce { .. }) {
                return true;
            }
            node.operands(|operand| open.push(operand));
        }
        false
    }

    /// What a closure says about an element: whether it is kept, and as what.
    fn kept(&mut self, closure: &ClosureValue<'a>, element: Value<'a>) -> Lowered<(Id, Value<'a>)> {
        Ok(match self.apply(closure, vec![element.clone()])? {
            Value::Option { some, payload } => (some, *payload),
            // A closure that never gives a value ends with a failure before.
            Value::Never => (self.p.bool(false), element),
            condition => (condition.scalar(), element),
        })
    }

    /// Whether an element differs from the one before it, by what each leaf is compared by.
    fn begins_run(
        &mut self,
        array: &Array<'a>,
        at: Id,
        mut compared: impl FnMut(&mut Self, Id) -> Id,
    ) -> Id {
        let (zero, one) = (self.p.usize(0), self.p.usize(1));
        let first = self.p.binary(Binary::Eq, at, zero);
        let before = self.p.binary(Binary::Sub, at, one);
        let [here, before] = [at, before].map(|at| self.element(array, &[at]).leaves());
        let differs: Vec<Id> = (here.into_iter().zip(before))
            .map(|(a, b)| {
                let (a, b) = (compared(self, a), compared(self, b));
                self.p.binary(Binary::Ne, a, b)
            })
            .collect();
        let none = self.p.bool(false);
        let differs = differs
            .into_iter()
            .fold(none, |any, leaf| self.or(any, leaf));
        let yes = self.p.bool(true);
        self.either(first, vec![yes], vec![differs])[0]
    }

    /// The elements where a condition holds; both are given over `var`.
    pub(super) fn compacted(
        &mut self,
        extents: &[Id],
        var: Var,
        condition: Id,
        element: &Value<'a>,
        span: Span,
    ) -> Lowered<Value<'a>> {
        let points = [&[condition][..], &element.leaves()].concat();
        if let Some(around) = self.segment_around(extents, &points, &[var], span)? {
            return self.compacted_segments(&around, extents[0], var, condition, element, span);
        }
        let over = |lower: &mut Self, ids: &[Id], at: Id| {
            let map = QuickMap::from_iter([(var, at)]);
            lower.p.substitute_all(ids, &map)
        };
        let count = self.reduced(extents, Reduction::Sum, Leaf::U64, |lower, at| {
            let condition = over(lower, &[condition], at[0])[0];
            lower.cast(Leaf::U64, condition)
        });
        let leaves = element.leaves();
        let mut tree = element.clone();
        if !leaves.is_empty() {
            let (own, read) = self.p.index_var();
            let mut points = over(self, &[&[condition][..], &leaves].concat(), read);
            let elements = points.split_off(1);
            let bundle = self.p.add(Node::Compact {
                count,
                extents: extents.to_vec(),
                vars: vec![own],
                condition: points[0],
                elements,
            });
            self.locate(bundle, span);
            tree = tree.with_leaves(&self.p.components(bundle));
        }
        Ok(Value::Array(Array {
            extents: vec![count],
            tree: Box::new(tree),
        }))
    }
}
