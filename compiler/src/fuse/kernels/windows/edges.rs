//! What is decided by keeping away from the edges of a domain.

use crate::plan::Value;
use crate::plan::affine::Polynomial;
use crate::scalar::Binary;
use crate::sorted::SortedMap;

/// Factors and numbers beyond which nothing is said of an index.
const LARGE: i128 = 1 << 32;

/// An axis of a domain, and how far a coordinate keeps from its beginning and its end.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    pub(super) var: Value,
    pub(super) extent: Value,
    /// The extent as a number, if it is one.
    pub(super) size: Option<u64>,
    pub(super) margins: [u64; 2],
}

/// A sum of coordinates, extents and a number as an integer.
struct Sum {
    /// Factors by axis.
    coordinates: Vec<i128>,
    extents: SortedMap<Value, i128>,
    number: i128,
}

impl Sum {
    /// Nothing if other values take part.
    fn of(axes: &[Axis], polynomial: &Polynomial) -> Option<Sum> {
        let mut sum = Sum {
            coordinates: vec![0; axes.len()],
            extents: SortedMap::new(),
            number: 0,
        };
        for (product, factor) in polynomial.terms() {
            let factor = i128::from(factor as i64);
            if factor.abs() > LARGE {
                return None;
            }
            match product {
                [] => sum.number = factor,
                [value] => match axes.iter().position(|axis| axis.var == *value) {
                    Some(axis) => sum.coordinates[axis] = factor,
                    None if axes.iter().any(|axis| axis.extent == *value) => {
                        sum.extents.insert(*value, factor);
                    }
                    None => return None,
                },
                _ => return None,
            }
        }
        Some(sum)
    }

    fn minus(mut self, other: &Sum) -> Sum {
        for (a, b) in self.coordinates.iter_mut().zip(&other.coordinates) {
            *a -= b;
        }
        for (extent, factor) in &other.extents {
            *self.extents.entry(*extent).or_default() -= factor;
        }
        self.number -= other.number;
        self
    }

    /// A bound from below, reached or not: with `low <= x < n - high`, and so `n > low + high`.
    fn least(&self, axes: &[Axis]) -> Option<i128> {
        let mut least = self.number;
        let mut extents = self.extents.clone();
        for (axis, coordinate) in axes.iter().zip(&self.coordinates) {
            let [low, high] = axis.margins.map(i128::from);
            if *coordinate >= 0 {
                least += coordinate * low;
                continue;
            }
            least -= coordinate * (1 + high);
            match axis.size {
                Some(size) => least += coordinate * i128::from(size),
                None => *extents.entry(axis.extent).or_default() += coordinate,
            }
        }
        for (extent, factor) in extents {
            let own = axes.iter().filter(|axis| axis.extent == extent);
            let sizes = own.map(|axis| i128::from(axis.margins[0] + axis.margins[1] + 1));
            least += factor * sizes.max()?;
            if factor < 0 {
                return None;
            }
        }
        Some(least)
    }

    /// Whether 64 bits hold it: extents of what is in memory are far from 2^64.
    fn is_exact(&self, axes: &[Axis]) -> bool {
        let mut factors = self.coordinates.iter().chain(self.extents.values());
        factors.all(|factor| factor.abs() <= 4)
            && axes.len() <= 8
            && self.least(axes).is_some_and(|least| least >= 0)
    }
}

/// Whether `a <= b`, if that is known.
pub(super) fn le(axes: &[Axis], a: &Polynomial, b: &Polynomial) -> Option<bool> {
    let difference = |a: &Polynomial, b: &Polynomial| {
        let [a, b] = [Sum::of(axes, a)?, Sum::of(axes, b)?];
        let exact = a.is_exact(axes) && b.is_exact(axes);
        if exact { a.minus(&b).least(axes) } else { None }
    };
    if difference(b, a).is_some_and(|least| least >= 0) {
        return Some(true);
    }
    difference(a, b)
        .is_some_and(|least| least >= 1)
        .then_some(false)
}

/// What a comparison gives, if that is known.
pub(super) fn compare(axes: &[Axis], op: Binary, a: &Polynomial, b: &Polynomial) -> Option<bool> {
    let apart = || match (le(axes, a, b), le(axes, b, a)) {
        (Some(false), _) | (_, Some(false)) => Some(true),
        (Some(true), Some(true)) => Some(false),
        _ => None,
    };
    match op {
        Binary::Le => le(axes, a, b),
        Binary::Lt => le(axes, b, a).map(|le| !le),
        Binary::Ne => apart(),
        Binary::Eq => apart().map(|apart| !apart),
        _ => None,
    }
}
