//! Polynomials over the values of a kernel: what an index is made of.

use crate::plan::Value;
use crate::sorted::SortedMap;

/// A sum of products of values, modulo 2^64; no zero coefficients.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(crate) struct Polynomial {
    terms: SortedMap<Vec<Value>, u64>,
}

impl Polynomial {
    /// A number.
    pub(crate) fn constant(value: u64) -> Polynomial {
        let mut result = Polynomial::default();
        result.add_term(Vec::new(), value);
        result
    }

    /// A value that is not looked into.
    pub(crate) fn atom(value: Value) -> Polynomial {
        let mut result = Polynomial::default();
        result.add_term(vec![value], 1);
        result
    }

    /// With this product so many times more.
    pub(crate) fn add_term(&mut self, product: Vec<Value>, factor: u64) {
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

    /// `self + factor * other`.
    pub(crate) fn plus(mut self, other: &Polynomial, factor: u64) -> Polynomial {
        for (product, coefficient) in &other.terms {
            self.add_term(product.clone(), coefficient.wrapping_mul(factor));
        }
        self
    }

    /// The product.
    pub(crate) fn times(&self, other: &Polynomial) -> Polynomial {
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

    /// `self - other`.
    pub(crate) fn minus(&self, other: &Polynomial) -> Polynomial {
        self.clone().plus(other, u64::MAX)
    }

    /// `self` times a number.
    pub(crate) fn scaled(&self, factor: u64) -> Polynomial {
        Polynomial::default().plus(self, factor)
    }

    /// The number that is added to the rest.
    pub(crate) fn number(&self) -> u64 {
        self.terms.get([].as_slice()).copied().unwrap_or(0)
    }

    /// The number that it is.
    pub(crate) fn as_number(&self) -> Option<u64> {
        let number = self.terms.keys().all(Vec::is_empty);
        number.then(|| self.number())
    }

    /// With another polynomial for a value.
    pub(crate) fn replaced(&self, value: Value, by: &Polynomial) -> Polynomial {
        let mut result = Polynomial::default();
        for (product, factor) in &self.terms {
            let (own, rest): (Vec<Value>, Vec<Value>) =
                product.iter().partition(|other| **other == value);
            let mut term = Polynomial::default();
            term.add_term(rest, *factor);
            let term = own.iter().fold(term, |term, _| term.times(by));
            result = result.plus(&term, 1);
        }
        result
    }

    /// Whether there are no terms.
    pub(crate) fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// Every value that occurs.
    pub(crate) fn values(&self) -> impl Iterator<Item = Value> + '_ {
        self.terms.keys().flatten().copied()
    }

    /// The terms, for writing the polynomial down again.
    pub(crate) fn terms(&self) -> impl Iterator<Item = (&[Value], u64)> + '_ {
        self.terms
            .iter()
            .map(|(product, factor)| (product.as_slice(), *factor))
    }

    /// Whether one more of `value` is one more of the whole.
    pub(crate) fn is_unit_in(&self, value: Value) -> bool {
        self.terms.iter().all(|(product, factor)| {
            !product.contains(&value) || (product.len() == 1 && *factor == 1)
        }) && self.terms.contains_key([value].as_slice())
    }
}
