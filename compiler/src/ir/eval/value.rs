//! Values, and what they are poisoned by: the failures that they depend on, where evaluation is lazy.

use super::{Failed, Machine};
use crate::ir::{Failure, Id, Node, Site};
use crate::scalar::Scalar;
use crate::sorted::{SortedMap, SortedSet};
use std::rc::Rc;

/// The least failure that something depends on.
pub(super) type Poison = Option<Rc<Failed>>;

#[derive(Clone, Debug)]
pub(super) enum Value {
    Scalar(Scalar),
    /// A scalar that depends on a failure.
    Poisoned(Scalar, Rc<Failed>),
    Array(Rc<Manifest>),
    Bundle(Rc<[Value]>),
}

/// An array in memory.
#[derive(Clone, Debug)]
pub(super) struct Manifest {
    pub(super) extents: Vec<u64>,
    pub(super) elements: Elements,
}

/// Row-major.
#[derive(Clone, Debug, Default)]
pub(super) struct Elements {
    pub(super) scalars: Vec<Scalar>,
    /// Of single elements.
    poison: SortedMap<usize, Rc<Failed>>,
    /// Of all.
    every: Poison,
}

/// The lesser of two.
pub(super) fn least(a: Poison, b: Poison) -> Poison {
    match (a, b) {
        (Some(a), Some(b)) => Some(if b < a { b } else { a }),
        (a, b) => a.or(b),
    }
}

impl Value {
    /// The value if it depends on this too.
    pub(super) fn poisoned(self, by: &Poison) -> Value {
        let Some(by) = by else { return self };
        match self {
            Value::Scalar(scalar) => Value::Poisoned(scalar, Rc::clone(by)),
            Value::Poisoned(scalar, other) => {
                Value::Poisoned(scalar, if *by < other { Rc::clone(by) } else { other })
            }
            Value::Array(array) => {
                let mut array = Manifest::clone(&array);
                let every = array.elements.every.take();
                array.elements.every = least(every, Some(Rc::clone(by)));
                Value::Array(Rc::new(array))
            }
            Value::Bundle(parts) => {
                let parts = parts
                    .iter()
                    .map(|part| part.clone().poisoned(&Some(Rc::clone(by))));
                Value::Bundle(parts.collect())
            }
        }
    }

    /// A loop's state after a round: a poisoned state keeps its first failure, since no round follows a failure.
    pub(super) fn after(self, before: &Value) -> Value {
        match (self, before) {
            (Value::Poisoned(scalar, _), Value::Poisoned(_, by)) => {
                Value::Poisoned(scalar, Rc::clone(by))
            }
            (value, _) => value,
        }
    }

    /// A scalar, whatever it depends on.
    pub(super) fn bare(&self) -> Scalar {
        match self {
            Value::Scalar(scalar) | Value::Poisoned(scalar, _) => *scalar,
            other => panic!("no scalar but {other:?}"),
        }
    }

    /// The least of these failures that some part of it depends on.
    pub(super) fn poison(&self, of: &dyn Fn(&Failed) -> bool) -> Poison {
        match self {
            Value::Scalar(_) => None,
            Value::Poisoned(_, by) => of(by).then(|| Rc::clone(by)),
            Value::Array(array) => array.elements.least(of),
            Value::Bundle(parts) => (parts.iter().map(|part| part.poison(of))).fold(None, least),
        }
    }
}

impl From<Vec<Scalar>> for Elements {
    fn from(scalars: Vec<Scalar>) -> Elements {
        Elements {
            scalars,
            ..Elements::default()
        }
    }
}

impl Elements {
    pub(super) fn push(&mut self, value: Value) {
        let at = self.scalars.len();
        self.scalars.push(split(value, |by| {
            self.poison.insert(at, by);
        }));
    }

    pub(super) fn set(&mut self, at: usize, value: Value) {
        self.poison.remove(&at);
        self.scalars[at] = split(value, |by| {
            self.poison.insert(at, by);
        });
    }

    pub(super) fn get(&self, at: usize) -> Value {
        let own = self.poison.get(&at).cloned();
        Value::Scalar(self.scalars[at]).poisoned(&least(own, self.every.clone()))
    }

    fn least(&self, of: &dyn Fn(&Failed) -> bool) -> Poison {
        let all = self.poison.values().chain(&self.every);
        all.filter(|by| of(by)).min().cloned()
    }
}

fn split(value: Value, by: impl FnOnce(Rc<Failed>)) -> Scalar {
    match value {
        Value::Scalar(scalar) => scalar,
        Value::Poisoned(scalar, failed) => {
            by(failed);
            scalar
        }
        other => panic!("no scalar but {other:?}"),
    }
}

impl Machine<'_> {
    /// What is evaluated depends on this.
    pub(super) fn meet(&mut self, by: Poison) {
        self.poison = least(self.poison.take(), by);
    }

    /// A scalar on which what is evaluated depends.
    pub(super) fn consume(&mut self, value: Value) -> Scalar {
        split(value, |by| self.meet(Some(by)))
    }

    pub(super) fn is_assertion(&self, site: Site) -> bool {
        self.program.sites[site.0 as usize].kind == Failure::AssertionFailed
    }

    /// Whether this is there for nothing but its failure: guards around a literal.
    pub(super) fn is_check(&self, id: Id) -> bool {
        match self.program.node(id) {
            Node::Guard { value, .. } => {
                matches!(self.program.node(*value), Node::Constant(_)) || self.is_check(*value)
            }
            _ => false,
        }
    }

    /// Whether an assertion is made somewhere in this.
    pub(super) fn asserts(&mut self, id: Id) -> bool {
        let program = self.program;
        let asserted = self.asserted.get_or_insert_with(|| {
            let mut asserted = SortedSet::new();
            for id in program.ids() {
                let own = match program.node(id) {
                    Node::Guard { site, .. } => {
                        program.sites[site.0 as usize].kind == Failure::AssertionFailed
                    }
                    _ => false,
                };
                let mut within = own;
                (program.node(id)).operands(|operand| within |= asserted.contains(&operand));
                if within {
                    asserted.insert(id);
                }
            }
            asserted
        });
        asserted.contains(&id)
    }

    pub(super) fn array(&mut self, id: Id) -> Rc<Manifest> {
        match self.value(id) {
            Value::Array(array) => array,
            other => panic!("{id:?} is no array but {other:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Array, Output, eval, eval_lazily, evaluate};
    use super::*;
    use crate::scalar::Leaf;

    /// What strict and lazy evaluation of a function of a vector give: the first number of the result, or a message.
    fn both(block: &str, numbers: &[i64]) -> [Result<i64, String>; 2] {
        let unit = crate::compile(block.parse().expect("tokens"), &crate::Options::default());
        assert!(unit.errors.is_empty(), "{:?}", unit.errors);
        let program = &unit.functions[0].lowered;
        let leaf = numbers.iter().map(|&x| Scalar::number(Leaf::I64, x));
        let array = Array {
            extents: vec![numbers.len() as u64],
            leaves: vec![leaf.collect()],
        };
        let arrays = [array];
        let all = [
            eval(program, &[], &arrays),
            eval_lazily(program, &[], &arrays),
        ];
        all.map(|result| match result {
            Ok(outputs) => Ok(match &outputs[0] {
                Output::Scalar(leaves) => leaves[0].as_i64(),
                Output::Array { leaves, .. } => leaves[0][0].as_i64(),
            }),
            Err(failed) => Err(program.sites[failed.site.0 as usize].message.clone()),
        })
    }

    #[test]
    fn what_no_result_depends_on_does_not_fail() {
        for (body, xs) in [
            // Elements, branches, operands, columns of tuples, rounds.
            ("-> Vector<i64> { xs.map(|x| 100 / x).take(1) }", [1, 0, 2]),
            (
                "-> i64 { let ys = xs.map(|x| 100 / x); if xs[0] > 0 { ys[2] } else { ys[1] } }",
                [1, 0, 2],
            ),
            (
                "-> i64 { xs.map(|x| (x, 100 / x)).fold((0, 0), |(a, b), (c, d)| (a + c, b + d)).0 }",
                [1, 0, 2],
            ),
            (
                "-> Vector<i64> { xs.map(|x| 100 / x).cumsum().take(1) }",
                [1, 0, 2],
            ),
            (
                "-> Vector<i64> { let ys = xs.sort_by_key(|x| -x); xs.map(|x| { let mut a = 0; let mut b = 0; for i in 0..3 { a += x; b += 7 / (x - ys[2]); } a }) }",
                [1, 0, 2],
            ),
        ] {
            let block = format!("pub fn f(xs: &Vector<i64>) {body}");
            let [strict, lazy] = both(&block, &xs);
            assert!(lazy.is_ok(), "{body}: {lazy:?}");
            assert!(strict.is_err() || strict == lazy, "{body}: {strict:?}");
        }
    }

    #[test]
    fn what_a_result_depends_on_fails() {
        for body in [
            "-> Vector<i64> { xs.map(|x| 100 / x) }",
            "-> i64 { xs.map(|x| 100 / x).sum() }",
            "-> Vector<i64> { xs.map(|x| 100 / x).cumsum().skip(1) }",
            "-> Vector<i64> { xs.filter(|x| 100 / x > 3) }",
            "-> Vector<i64> { xs.sort_by_key(|x| 100 / x) }",
            "-> Vector<i64> { fill(3, 0).scatter(|a, b| a + b, xs, |i, x| if 100 / x > 0 { Some(i) } else { None }) }",
            "-> Vector<i64> { xs.map(|x| { let mut a = x; while a < 100 / x { a += 1; } a }) }",
            "-> i64 { let mut ys = xs; let mut a = 0; while a < 3 { ys = ys.map(|x| x + 6 / x); a += 1; } ys.sum() }",
        ] {
            let block = format!("pub fn f(xs: &Vector<i64>) {body}");
            let [strict, lazy] = both(&block, &[1, 0, 2]);
            assert!(lazy.is_err(), "{body}");
            assert_eq!(strict, lazy, "{body}");
        }
    }

    #[test]
    fn assertions_are_no_values() {
        let block = |inner: &str| {
            format!(
                "pub fn f(xs: &Vector<i64>) -> Vector<i64> {{ xs.map(|x| {{ if x < 1 {{ {inner} }} x }}) }}"
            )
        };
        let [strict, lazy] = both(&block("assert!(x > 0);"), &[1, 0, 2]);
        assert!(strict.is_err() && strict == lazy, "{strict:?}, {lazy:?}");
        let [_, lazy] = both(&block("let _y = 100 / x;"), &[1, 0, 2]);
        assert_eq!(lazy, Ok(1));
    }

    #[test]
    fn all_failures_are_known() {
        let block = "pub fn f(xs: &Vector<i64>) -> (Vector<i64>, Vector<i64>) {
            (xs.map(|x| 100 / x), xs.map(|x| xs[(x + 9) as usize]))
        }";
        let unit = crate::compile(block.parse().expect("tokens"), &crate::Options::default());
        let numbers = [0, 1, 0].map(|x| Scalar::number(Leaf::I64, x));
        let array = Array {
            extents: vec![3],
            leaves: vec![numbers.to_vec()],
        };
        let found = evaluate(&unit.functions[0].lowered, &[], &[array]);
        assert_eq!(found.result.err().as_ref(), found.failures.first());
        let values = found.failures.into_iter().map(|failed| failed.values);
        assert_eq!(
            values.collect::<Vec<_>>(),
            [vec![], vec![9, 3], vec![10, 3]]
        );
    }
}
