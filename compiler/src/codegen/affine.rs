//! Index expressions of kernels as polynomials, to see which accesses run along with a domain.

use crate::plan::affine::Polynomial;
use crate::plan::{Op, Statement, Value};
use crate::scalar::Binary;
use crate::sorted::{SortedMap, SortedSet};

/// How values are computed.
pub(super) trait Operations {
    /// The operation that gives a value, if it is one.
    fn operation(&self, value: Value) -> Option<&Op>;
}

impl Operations for SortedMap<Value, &Op> {
    fn operation(&self, value: Value) -> Option<&Op> {
        self.get(&value).copied()
    }
}

/// Beyond this an index is no longer worth understanding.
const TERMS: usize = 32;

impl Polynomial {
    /// Of an index value of a kernel.
    pub(in crate::codegen) fn of(facts: &impl Operations, value: Value) -> Polynomial {
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
        if result.terms().count() > TERMS {
            Polynomial::atom(value)
        } else {
            result
        }
    }

    /// The flat row-major index of a domain.
    pub(in crate::codegen) fn flat(
        facts: &impl Operations,
        extents: &[Value],
        vars: &[Value],
    ) -> Polynomial {
        let mut result = Polynomial::default();
        for (extent, var) in extents.iter().zip(vars) {
            result = result
                .times(&Polynomial::of(facts, *extent))
                .plus(&Polynomial::atom(*var), 1);
        }
        result
    }
}

/// The most stores to neighbours that are seen as such.
const MOST: usize = 8;

/// Stores of a point to neighbours, as many as lie between those of one point and the next: which of how many each is.
pub(super) fn alternating(
    operations: &impl Operations,
    body: &[Statement],
    flat: &Polynomial,
) -> SortedMap<(usize, Value), (usize, usize)> {
    let mut indices: SortedMap<usize, Vec<Value>> = SortedMap::new();
    for statement in body {
        if let Statement::Store { buffer, index, .. } = statement {
            indices.entry(*buffer).or_default().push(*index);
        }
    }
    let mut found = SortedMap::new();
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
        let all = places.iter().copied().collect::<SortedSet<usize>>();
        if (2..=MOST).contains(&count) && all.iter().copied().eq(0..count) {
            let places = indices.into_iter().zip(places);
            found.extend(places.map(|(index, k)| ((buffer, index), (k, count))));
        }
    }
    found
}
