//! Flat indices, and index arithmetic as polynomials with wrapping coefficients.
//!
//! In: `U64` expressions. Out: equal ones in a canonical form (exact modulo 2^64), so that equal polynomials are one
//! node. What ranges say about divisions, remainders and comparisons is `pass::index`'s work.

use crate::ir::walk;
use crate::ir::{Id, Node, Program, Type};
use crate::pass::index::Index;
use crate::scalar::{Binary, Leaf};
use crate::sorted::SortedMap;

/// Coefficients by monomial: sorted atoms, none for the constant.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(in crate::fuse) struct Poly(pub(in crate::fuse) SortedMap<Vec<Id>, i64>);

impl Poly {
    pub(in crate::fuse) fn constant(value: i64) -> Poly {
        let mut poly = Poly::default();
        poly.add_term(Vec::new(), value);
        poly
    }

    pub(in crate::fuse) fn atom(id: Id) -> Poly {
        Poly(SortedMap::from([(vec![id], 1)]))
    }

    pub(in crate::fuse) fn add_term(&mut self, monomial: Vec<Id>, by: i64) {
        let coefficient = self.0.entry(monomial.clone()).or_default();
        *coefficient = coefficient.wrapping_add(by);
        if *coefficient == 0 {
            self.0.remove(&monomial);
        }
    }

    pub(in crate::fuse) fn plus(&self, other: &Poly, times: i64) -> Poly {
        let mut sum = self.clone();
        for (monomial, coefficient) in &other.0 {
            sum.add_term(monomial.clone(), coefficient.wrapping_mul(times));
        }
        sum
    }

    pub(in crate::fuse) fn times(&self, other: &Poly) -> Poly {
        let mut product = Poly::default();
        for (a, x) in &self.0 {
            for (b, y) in &other.0 {
                let mut monomial = [&a[..], b].concat();
                monomial.sort();
                product.add_term(monomial, x.wrapping_mul(*y));
            }
        }
        product
    }

    /// `slope` and `rest` of `slope * atom + rest`, neither with the atom in it; `None` if it is not linear.
    pub(in crate::fuse) fn linear(&self, atom: Id) -> Option<(Poly, Poly)> {
        let (mut slope, mut rest) = (Poly::default(), Poly::default());
        for (monomial, &coefficient) in &self.0 {
            match monomial.iter().filter(|&&id| id == atom).count() {
                0 => rest.add_term(monomial.clone(), coefficient),
                1 => {
                    let others = monomial.iter().copied().filter(|&id| id != atom);
                    slope.add_term(others.collect(), coefficient);
                }
                _ => return None,
            }
        }
        Some((slope, rest))
    }
}

/// The polynomial of an expression; whatever is not a sum, difference or product is an atom.
pub(in crate::fuse) fn poly(program: &Program, id: Id) -> Poly {
    if *program.ty(id) != Type::Scalar(Leaf::U64) {
        return Poly::atom(id);
    }
    match *program.node(id) {
        Node::Constant(constant) => Poly::constant(constant.bits as i64),
        Node::Binary(op @ (Binary::Add | Binary::Sub | Binary::Mul), a, b) => {
            let (a, b) = (poly(program, a), poly(program, b));
            match op {
                Binary::Add => a.plus(&b, 1),
                Binary::Sub => a.plus(&b, -1),
                _ => a.times(&b),
            }
        }
        _ => Poly::atom(id),
    }
}

/// The expression of a polynomial: always the same one.
pub(in crate::fuse) fn build(program: &mut Program, poly: &Poly) -> Id {
    let mut sum: Option<Id> = None;
    // Products first, the constant last; what is subtracted after what it is subtracted from.
    let mut terms: Vec<(&Vec<Id>, i64)> = poly.0.iter().map(|(m, &c)| (m, c)).collect();
    terms.sort_by_key(|(monomial, coefficient)| {
        (*coefficient < 0, std::cmp::Reverse(monomial.len()))
    });
    for (monomial, coefficient) in terms {
        let mut product: Option<Id> = None;
        for &atom in monomial {
            product = Some(match product {
                Some(left) => program.binary(Binary::Mul, left, atom),
                None => atom,
            });
        }
        let subtract = coefficient < 0 && sum.is_some();
        let scale = match subtract {
            true => coefficient.unsigned_abs(),
            false => coefficient as u64,
        };
        let term = match product {
            Some(product) if scale == 1 => product,
            Some(product) => {
                let scale = program.usize(scale);
                program.binary(Binary::Mul, product, scale)
            }
            None => program.usize(scale),
        };
        sum = Some(match sum {
            Some(left) if subtract => program.binary(Binary::Sub, left, term),
            Some(left) => program.binary(Binary::Add, left, term),
            None => term,
        });
    }
    sum.unwrap_or_else(|| program.usize(0))
}

/// The flat row-major index of an element, as simple as ranges allow. One index for an array of several axes is flat
/// already.
pub(in crate::fuse) fn flat(
    program: &mut Program,
    ranges: &mut Index,
    extents: &[Id],
    indices: &[Id],
) -> Id {
    let mut flat = Poly::default();
    if let ([index], true) = (indices, extents.len() > 1) {
        flat = poly(program, *index);
    } else {
        for (&extent, &index) in extents.iter().zip(indices) {
            let index = ranges.simplify(program, index);
            flat = flat
                .times(&poly(program, extent))
                .plus(&poly(program, index), 1);
        }
    }
    let flat = build(program, &flat);
    let simple = ranges.simplify(program, flat);
    // Canonical again, so that it can be compared.
    let simple = poly(program, simple);
    build(program, &simple)
}

/// The number of elements, in canonical form. An extent that elements tell stays as it is written: the host knows it as
/// that, and could not compute it again.
pub(in crate::fuse) fn size(program: &mut Program, ranges: &mut Index, extents: &[Id]) -> Poly {
    let mut size = Poly::constant(1);
    for &extent in extents {
        let factor = match is_told(program, extent) {
            true => Poly::atom(extent),
            false => {
                let extent = ranges.simplify(program, extent);
                poly(program, extent)
            }
        };
        size = size.times(&factor);
    }
    size
}

/// Whether a scalar depends on the elements of arrays.
fn is_told(program: &Program, id: Id) -> bool {
    let told = |id: Id| {
        matches!(
            program.node(id),
            Node::Index { .. } | Node::Reduce { .. } | Node::Loop { .. }
        )
    };
    walk::reachable(program, [id]).into_iter().any(told)
}
