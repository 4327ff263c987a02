//! Index expressions as polynomials, to see which accesses run along with a domain.

use super::walk::{Definition, Facts};
use crate::plan::{Op, Value};
use crate::scalar::Binary;
use std::collections::BTreeMap;

/// A sum of products of values, modulo 2^64; no zero coefficients.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Polynomial {
    terms: BTreeMap<Vec<Value>, u64>,
}

/// Beyond this an index is no longer worth understanding.
const TERMS: usize = 32;

impl Polynomial {
    fn constant(value: u64) -> Polynomial {
        let mut result = Polynomial::default();
        result.add_term(Vec::new(), value);
        result
    }

    fn value(value: Value) -> Polynomial {
        let mut result = Polynomial::default();
        result.add_term(vec![value], 1);
        result
    }

    fn add_term(&mut self, product: Vec<Value>, factor: u64) {
        let sum = self
            .terms
            .get(&product)
            .copied()
            .unwrap_or(0)
            .wrapping_add(factor);
        if sum == 0 {
            self.terms.remove(&product);
        } else {
            self.terms.insert(product, sum);
        }
    }

    fn plus(mut self, other: &Polynomial, factor: u64) -> Polynomial {
        for (product, coefficient) in &other.terms {
            self.add_term(product.clone(), coefficient.wrapping_mul(factor));
        }
        self
    }

    fn times(&self, other: &Polynomial) -> Polynomial {
        let mut result = Polynomial::default();
        for (a, x) in &self.terms {
            for (b, y) in &other.terms {
                let mut product = [a.as_slice(), b].concat();
                product.sort();
                result.add_term(product, x.wrapping_mul(*y));
            }
        }
        result
    }

    /// Of an index value of a kernel.
    pub(super) fn of(facts: &Facts, value: Value) -> Polynomial {
        let result = match facts.definition(value) {
            Some(Definition::Op(Op::Constant(constant))) => Polynomial::constant(constant.bits),
            Some(Definition::Op(Op::Binary(Binary::Add, a, b))) => {
                Polynomial::of(facts, *a).plus(&Polynomial::of(facts, *b), 1)
            }
            Some(Definition::Op(Op::Binary(Binary::Sub, a, b))) => {
                Polynomial::of(facts, *a).plus(&Polynomial::of(facts, *b), u64::MAX)
            }
            Some(Definition::Op(Op::Binary(Binary::Mul, a, b))) => {
                Polynomial::of(facts, *a).times(&Polynomial::of(facts, *b))
            }
            _ => Polynomial::value(value),
        };
        if result.terms.len() > TERMS {
            Polynomial::value(value)
        } else {
            result
        }
    }

    /// The flat row-major index of a domain.
    pub(super) fn flat(facts: &Facts, extents: &[Value], vars: &[Value]) -> Polynomial {
        let mut result = Polynomial::default();
        for (extent, var) in extents.iter().zip(vars) {
            result = result
                .times(&Polynomial::of(facts, *extent))
                .plus(&Polynomial::value(*var), 1);
        }
        result
    }

    /// `self - other`.
    pub(super) fn minus(&self, other: &Polynomial) -> Polynomial {
        self.clone().plus(other, u64::MAX)
    }

    /// Whether there are no terms.
    pub(super) fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// Every value that occurs.
    pub(super) fn values(&self) -> impl Iterator<Item = Value> + '_ {
        self.terms.keys().flatten().copied()
    }

    /// The terms, for writing the polynomial down again.
    pub(super) fn terms(&self) -> impl Iterator<Item = (&[Value], u64)> + '_ {
        self.terms
            .iter()
            .map(|(product, factor)| (product.as_slice(), *factor))
    }
}

impl Polynomial {
    /// Whether one more of `value` is one more of the whole.
    pub(super) fn is_unit_in(&self, value: Value) -> bool {
        self.terms.iter().all(|(product, factor)| {
            !product.contains(&value) || (product.len() == 1 && *factor == 1)
        }) && self.terms.contains_key([value].as_slice())
    }
}
