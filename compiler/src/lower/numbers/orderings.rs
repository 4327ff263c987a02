//! Orderings, which are -1, 0 or 1: the comparisons that give them, and their methods.
//!
//! What an ordering is asked goes down into the branches that it is made of, so that a comparison that only has to know
//! what is less computes no more. Orderings that compare leaf after leaf are remembered as such: a sort by them has keys.

use crate::ir::{Id, Node};
use crate::lower::value::Value;
use crate::lower::{Lower, Lowered};
use crate::scalar::{Binary, Leaf, Unary};
use proc_macro2::Span;

/// The leaves that an ordering compares one after the other, each by [`crate::scalar::Scalar::order`].
pub(in crate::lower) type Pairs = Vec<(Id, Id)>;

const LESS: i128 = -1;
const EQUAL: i128 = 0;
const GREATER: i128 = 1;

impl<'a> Lower<'a> {
    /// A comparison, or a method of an ordering; nothing if the name is that of neither.
    pub(super) fn ordering_method(
        &mut self,
        name: &str,
        values: &[Value<'a>],
        span: Span,
    ) -> Option<Lowered<Value<'a>>> {
        let value = match (name, values) {
            ("cmp" | "total_cmp", [a, b]) => {
                let pairs = a.leaves().into_iter().zip(b.leaves()).collect();
                Value::Scalar(self.total_order(pairs))
            }
            ("partial_cmp", [a, b]) => self.partial_order(&a.leaves(), &b.leaves()),
            ("reverse", [order]) => Value::Scalar(self.reversed(order.scalar())),
            ("then", [first, second]) => {
                let (first, second) = (first.scalar(), second.scalar());
                let equal = self.ordering_is(first, EQUAL);
                let order = self.select(equal, second, first);
                self.remember_both(order, first, second);
                Value::Scalar(order)
            }
            ("then_with", [first, Value::Closure(second)]) => {
                let first = first.scalar();
                let equal = self.ordering_is(first, EQUAL);
                let mut other = first;
                let order = self.branch(
                    span,
                    equal,
                    |lower| {
                        let value = lower.apply(second, vec![])?;
                        other = value.scalar();
                        Ok(value)
                    },
                    |_| Ok(Value::Scalar(first)),
                );
                if let Ok(order) = &order {
                    self.remember_both(order.scalar(), first, other);
                }
                return Some(order);
            }
            ("is_lt", [order]) => Value::Scalar(self.is_less(order.scalar())),
            ("is_gt", [order]) => Value::Scalar(self.ordering_is(order.scalar(), GREATER)),
            ("is_eq", [order]) => Value::Scalar(self.ordering_is(order.scalar(), EQUAL)),
            ("is_le" | "is_ge" | "is_ne", [order]) => {
                let not = match name {
                    "is_le" => GREATER,
                    "is_ge" => LESS,
                    _ => EQUAL,
                };
                let is = self.ordering_is(order.scalar(), not);
                Value::Scalar(self.not(is))
            }
            _ => return None,
        };
        Some(Ok(value))
    }

    /// Whether an ordering is `Less`.
    pub(in crate::lower) fn is_less(&mut self, order: Id) -> Id {
        self.ordering_is(order, LESS)
    }

    /// Compares leaf after leaf.
    fn total_order(&mut self, pairs: Pairs) -> Id {
        let mut order = self.int(Leaf::I8, EQUAL);
        for &(a, b) in pairs.iter().rev() {
            let (a, b) = (self.p.ordered(a), self.p.ordered(b));
            order = self.ordering_of(a, b, order);
        }
        self.comparisons.insert(order, pairs);
        order
    }

    /// The ordering of two scalars, or `rest` if they are equal.
    fn ordering_of(&mut self, a: Id, b: Id, rest: Id) -> Id {
        let [less, greater] = [LESS, GREATER].map(|value| self.int(Leaf::I8, value));
        let below = self.binary(Binary::Lt, a, b);
        let same = self.binary(Binary::Eq, a, b);
        let other = self.select(same, rest, greater);
        self.select(below, less, other)
    }

    /// The same of leaves that may be NaN: nothing, if one is before the first that differs.
    fn partial_order(&mut self, a: &[Id], b: &[Id]) -> Value<'a> {
        let mut order = self.int(Leaf::I8, EQUAL);
        let mut some = self.p.bool(true);
        for (&a, &b) in a.iter().zip(b).rev() {
            order = self.ordering_of(a, b, order);
            if self.p.leaf(a).is_float() {
                let [a_is, b_is] = [a, b].map(|x| self.p.binary(Binary::Eq, x, x));
                let numbers = self.and(a_is, b_is);
                let same = self.binary(Binary::Eq, a, b);
                let differ = self.not(same);
                let rest = self.or(differ, some);
                some = self.and(numbers, rest);
            } else {
                let same = self.binary(Binary::Eq, a, b);
                let differ = self.not(same);
                some = self.or(differ, some);
            }
        }
        Value::Option {
            some,
            payload: Box::new(Value::Scalar(order)),
        }
    }

    fn reversed(&mut self, order: Id) -> Id {
        let to = self.asked(order, &mut |lower, order| match lower.constant_of(order) {
            Some(known) => lower.int(Leaf::I8, -known.as_i128()),
            None => lower.p.unary(Unary::Neg, order),
        });
        if let Some(pairs) = self.comparisons.get(&order) {
            let pairs = pairs.iter().map(|&(a, b)| (b, a)).collect();
            self.comparisons.insert(to, pairs);
        }
        to
    }

    /// What compares by the pairs of one ordering and then by those of another.
    fn remember_both(&mut self, order: Id, first: Id, second: Id) {
        let both = [first, second].map(|order| self.comparisons.get(&order).cloned());
        if let [Some(first), Some(second)] = both {
            self.comparisons.insert(order, [first, second].concat());
        }
    }

    /// Whether an ordering has a value.
    fn ordering_is(&mut self, order: Id, value: i128) -> Id {
        self.asked(order, &mut |lower, order| {
            let value = lower.int(Leaf::I8, value);
            lower.binary(Binary::Eq, order, value)
        })
    }

    /// `of` an ordering: of what its branches give.
    fn asked(&mut self, order: Id, of: &mut dyn FnMut(&mut Self, Id) -> Id) -> Id {
        match self.p.node(order).clone() {
            Node::Select(condition, then, otherwise) => {
                let [then, otherwise] = [then, otherwise].map(|side| self.asked(side, of));
                self.select(condition, then, otherwise)
            }
            Node::Guard {
                condition,
                site,
                values,
                value,
            } => {
                let value = self.asked(value, of);
                self.p.add(Node::Guard {
                    condition,
                    site,
                    values,
                    value,
                })
            }
            Node::Demand {
                effect,
                value,
                required,
            } => {
                let value = self.asked(value, of);
                self.p.add(Node::Demand {
                    effect,
                    value,
                    required,
                })
            }
            Node::Project(bundle, k) => match self.p.node(bundle).clone() {
                Node::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    let sides =
                        [then, otherwise].map(|side| vec![self.asked(side[k as usize], of)]);
                    let [then, otherwise] = sides;
                    let bundle = self.p.add(Node::If {
                        condition,
                        then,
                        otherwise,
                    });
                    self.p.components(bundle)[0]
                }
                _ => of(self, order),
            },
            _ => of(self, order),
        }
    }
}
