//! Index expressions as polynomials, to see which accesses run along with a domain.

use crate::plan::{Op, Statement, Value};
use crate::scalar::Binary;
use std::collections::{BTreeMap, BTreeSet};

/// How values are computed.
pub(super) trait Operations {
    /// The operation that gives a value, if it is one.
    fn operation(&self, value: Value) -> Option<&Op>;
}

impl Operations for BTreeMap<Value, &Op> {
    fn operation(&self, value: Value) -> Option<&Op> {
        self.get(&value).copied()
    }
}

/// A sum of products of values, modulo 2^64; no zero coefficients.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Polynomial {
    terms: BTreeMap<Vec<Value>, u64>,
}

/// Beyond this an index is no longer worth understanding.
const TERMS: usize = 32;

impl Polynomial {
    pub(super) fn constant(value: u64) -> Polynomial {
        let mut result = Polynomial::default();
        result.add_term(Vec::new(), value);
        result
    }

    /// A value that is not looked into.
    pub(super) fn atom(value: Value) -> Polynomial {
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
    pub(super) fn of(facts: &impl Operations, value: Value) -> Polynomial {
        let result = match facts.operation(value) {
            Some(Op::Constant(constant)) => Polynomial::constant(constant.bits),
            Some(Op::Binary(Binary::Add, a, b)) => {
                Polynomial::of(facts, *a).plus(&Polynomial::of(facts, *b), 1)
            }
            Some(Op::Binary(Binary::Sub, a, b)) => {
                Polynomial::of(facts, *a).plus(&Polynomial::of(facts, *b), u64::MAX)
            }
            Some(Op::Binary(Binary::Mul, a, b)) => {
                Polynomial::of(facts, *a).times(&Polynomial::of(facts, *b))
            }
            _ => Polynomial::atom(value),
        };
        if result.terms.len() > TERMS {
            Polynomial::atom(value)
        } else {
            result
        }
    }

    /// The flat row-major index of a domain.
    pub(super) fn flat(facts: &impl Operations, extents: &[Value], vars: &[Value]) -> Polynomial {
        let mut result = Polynomial::default();
        for (extent, var) in extents.iter().zip(vars) {
            result = result
                .times(&Polynomial::of(facts, *extent))
                .plus(&Polynomial::atom(*var), 1);
        }
        result
    }

    /// `self - other`.
    pub(super) fn minus(&self, other: &Polynomial) -> Polynomial {
        self.clone().plus(other, u64::MAX)
    }

    /// `self` times a number.
    pub(super) fn scaled(&self, factor: u64) -> Polynomial {
        Polynomial::default().plus(self, factor)
    }

    /// The number that is added to the rest.
    pub(super) fn number(&self) -> u64 {
        self.terms.get([].as_slice()).copied().unwrap_or(0)
    }

    /// The number that it is.
    pub(super) fn as_number(&self) -> Option<u64> {
        let number = self.terms.keys().all(Vec::is_empty);
        number.then(|| self.number())
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

/// The most stores to neighbours that are seen as such.
const MOST: usize = 8;

/// Stores of a point to neighbours, as many as lie between those of one point and the next: which of how many each is.
pub(super) fn alternating(
    operations: &impl Operations,
    body: &[Statement],
    flat: &Polynomial,
) -> BTreeMap<(usize, Value), (usize, usize)> {
    let mut indices: BTreeMap<usize, Vec<Value>> = BTreeMap::new();
    for statement in body {
        if let Statement::Store { buffer, index, .. } = statement {
            indices.entry(*buffer).or_default().push(*index);
        }
    }
    let mut found = BTreeMap::new();
    for (buffer, indices) in indices {
        let count = indices.len();
        let starts: Vec<Polynomial> = indices
            .iter()
            .map(|&index| Polynomial::of(operations, index).minus(&flat.scaled(count as u64)))
            .collect();
        let places = starts.iter().map(|start| {
            let first = starts.iter().min_by_key(|start| start.number())?;
            usize::try_from(start.minus(first).as_number()?).ok()
        });
        let Some(places) = places.collect::<Option<Vec<usize>>>() else {
            continue;
        };
        let all = places.iter().copied().collect::<BTreeSet<usize>>();
        if (2..=MOST).contains(&count) && all.iter().copied().eq(0..count) {
            let places = indices.into_iter().zip(places);
            found.extend(places.map(|(index, k)| ((buffer, index), (k, count))));
        }
    }
    found
}
