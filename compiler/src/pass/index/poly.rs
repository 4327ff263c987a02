//! Polynomials with integer coefficients over nodes of a program: the canonical form of index arithmetic.

use crate::ir::Id;
use crate::sorted::SortedSet;
use std::borrow::Borrow;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::ops::Deref;

/// A sum of coefficients times products of atoms. Atoms are nodes, taken as mathematical integers; a monomial is a
/// sorted list of them. No coefficient is zero, so equality of forms is equality of polynomials.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Poly {
    /// In the order of the monomials.
    terms: Vec<(Monomial, i128)>,
}

/// A product of few atoms, in order: without memory of its own, since most of the work on polynomials is to copy them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Monomial {
    atoms: [Id; MOST_FACTORS],
    count: u8,
}

impl Monomial {
    /// Nothing if it has too many factors.
    fn of(atoms: impl IntoIterator<Item = Id>) -> Option<Monomial> {
        let mut monomial = Monomial {
            atoms: [Id(0); MOST_FACTORS],
            count: 0,
        };
        for atom in atoms {
            *monomial.atoms.get_mut(monomial.count as usize)? = atom;
            monomial.count += 1;
        }
        monomial.atoms[..monomial.count as usize].sort_unstable();
        Some(monomial)
    }
}

impl Deref for Monomial {
    type Target = [Id];

    fn deref(&self) -> &[Id] {
        &self.atoms[..self.count as usize]
    }
}

impl Borrow<[Id]> for Monomial {
    fn borrow(&self) -> &[Id] {
        self
    }
}

impl PartialEq for Monomial {
    fn eq(&self, other: &Monomial) -> bool {
        **self == **other
    }
}

impl Eq for Monomial {}

impl PartialOrd for Monomial {
    fn partial_cmp(&self, other: &Monomial) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Monomial {
    fn cmp(&self, other: &Monomial) -> Ordering {
        (**self).cmp(&**other)
    }
}

impl Hash for Monomial {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

/// Larger polynomials are not worth the work.
const MOST_TERMS: usize = 24;
const MOST_FACTORS: usize = 8;
const MOST: i128 = 1 << 100;

impl Poly {
    /// A number.
    pub fn number(value: i128) -> Poly {
        Poly::term(&[], value)
    }

    /// A node.
    pub fn atom(id: Id) -> Poly {
        Poly::term(&[id], 1)
    }

    /// A monomial of a polynomial, with a coefficient.
    ///
    /// # Panics
    /// If it has more factors than any.
    pub(super) fn term(monomial: &[Id], coefficient: i128) -> Poly {
        let monomial = Monomial::of(monomial.iter().copied()).expect("few factors");
        let mut poly = Poly::default();
        poly.add_term(monomial, coefficient);
        poly
    }

    /// Monomials with their coefficients, in a fixed order; the constant comes first.
    pub fn terms(&self) -> impl Iterator<Item = (&[Id], i128)> {
        self.terms.iter().map(|(m, c)| (&m[..], *c))
    }

    /// The same as keys.
    pub(super) fn monomials(&self) -> impl Iterator<Item = (Monomial, i128)> {
        self.terms.iter().copied()
    }

    /// The value, if there are no atoms.
    pub fn as_number(&self) -> Option<i128> {
        match &self.terms[..] {
            [] => Some(0),
            [(monomial, number)] if monomial.is_empty() => Some(*number),
            _ => None,
        }
    }

    /// The node, if that is all.
    pub fn as_atom(&self) -> Option<Id> {
        match self.as_monomial() {
            Some(([id], 1)) => Some(*id),
            _ => None,
        }
    }

    /// The only term.
    pub fn as_monomial(&self) -> Option<(&[Id], i128)> {
        let mut terms = self.terms();
        terms.next().filter(|_| self.terms.len() == 1)
    }

    /// The constant term.
    pub fn constant(&self) -> i128 {
        self.coefficient(&[])
    }

    /// All atoms.
    pub fn atoms(&self) -> SortedSet<Id> {
        let atoms = self.terms().flat_map(|(monomial, _)| monomial);
        atoms.copied().collect()
    }

    /// All atoms, the last one first.
    pub(super) fn atoms_from_last(&self) -> Vec<Id> {
        let atoms = self.terms().flat_map(|(monomial, _)| monomial);
        let mut atoms: Vec<Id> = atoms.copied().collect();
        atoms.sort_unstable_by(|a, b| b.cmp(a));
        atoms.dedup();
        atoms
    }

    /// Whether a node is among the atoms.
    pub(super) fn mentions(&self, id: Id) -> bool {
        (self.terms.iter()).any(|(monomial, _)| monomial.contains(&id))
    }

    /// Number of terms.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Whether it is zero.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    pub(super) fn coefficient(&self, monomial: &[Id]) -> i128 {
        self.place(monomial).map_or(0, |at| self.terms[at].1)
    }

    /// Where a monomial is, or belongs.
    fn place(&self, monomial: &[Id]) -> Result<usize, usize> {
        (self.terms).binary_search_by(|(own, _)| own[..].cmp(monomial))
    }

    fn add_term(&mut self, monomial: Monomial, coefficient: i128) {
        match self.place(&monomial) {
            Err(at) if coefficient != 0 => self.terms.insert(at, (monomial, coefficient)),
            Err(_) => {}
            Ok(at) => {
                self.terms[at].1 += coefficient;
                if self.terms[at].1 == 0 {
                    self.terms.remove(at);
                }
            }
        }
    }

    /// `None` if it has become too large.
    fn checked(self) -> Option<Poly> {
        let small =
            self.terms.len() <= MOST_TERMS && self.terms.iter().all(|(_, c)| c.abs() <= MOST);
        small.then_some(self)
    }

    /// Sum.
    pub fn add(&self, other: &Poly) -> Option<Poly> {
        self.merged(other, 1).checked()
    }

    /// Plus so many times another one.
    fn merged(&self, other: &Poly, times: i128) -> Poly {
        let (mut a, mut b) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        loop {
            let order = match (a.peek(), b.peek()) {
                (Some((x, _)), Some((y, _))) => x.cmp(y),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => return Poly { terms },
            };
            let own = (order.is_le()).then(|| a.next()).flatten();
            let more = (order.is_ge()).then(|| b.next()).flatten();
            let coefficient = own.map_or(0, |(_, c)| *c) + more.map_or(0, |(_, c)| times * c);
            if let Some((monomial, _)) = own.or(more).filter(|_| coefficient != 0) {
                terms.push((*monomial, coefficient));
            }
        }
    }

    /// Difference.
    pub fn sub(&self, other: &Poly) -> Option<Poly> {
        self.merged(other, -1).checked()
    }

    /// The negative.
    pub fn negated(&self) -> Poly {
        let terms = self.terms.iter().map(|&(m, c)| (m, -c)).collect();
        Poly { terms }
    }

    /// What is not negative where this is not, of smaller coefficients: `2 * p + 1 >= 0` says that `p >= 0`.
    pub(super) fn reduced(mut self) -> Poly {
        let factors = self
            .terms
            .iter()
            .filter(|(monomial, _)| !monomial.is_empty());
        let common = factors.fold(0, |common, (_, c)| greatest_divisor(c.abs(), common));
        if common > 1 {
            let constant = self.constant().div_euclid(common);
            self.terms.retain(|(monomial, _)| !monomial.is_empty());
            self.terms.iter_mut().for_each(|(_, c)| *c /= common);
            return self.plus(constant);
        }
        self
    }

    /// Plus a number.
    pub fn plus(&self, value: i128) -> Poly {
        let mut sum = self.clone();
        sum.add_term(Monomial::of([]).expect("no factors"), value);
        sum
    }

    /// Product.
    pub fn mul(&self, other: &Poly) -> Option<Poly> {
        let mut product = Poly::default();
        for (a, c) in self.terms() {
            for (b, d) in other.terms() {
                let joined = Monomial::of(a.iter().chain(b).copied())?;
                product.add_term(joined, c.checked_mul(d)?);
            }
        }
        product.checked()
    }

    /// Coefficients modulo 2^bits, as the smallest signed representatives.
    pub(super) fn modulo(&self, bits: u32) -> Poly {
        let modulus = 1i128 << bits;
        let mut reduced = Poly::default();
        for &(monomial, coefficient) in &self.terms {
            let mut c = coefficient.rem_euclid(modulus);
            if c > modulus / 2 {
                c -= modulus;
            }
            reduced.add_term(monomial, c);
        }
        reduced
    }

    /// `(a, b)` with `self = a * atom + b` and `atom` in neither; `None` if it occurs in a higher power.
    pub(super) fn split(&self, atom: Id) -> Option<(Poly, Poly)> {
        let (mut with, mut without) = (Poly::default(), Poly::default());
        for &(monomial, coefficient) in &self.terms {
            match monomial.iter().filter(|&&id| id == atom).count() {
                // In order, as they are.
                0 => without.terms.push((monomial, coefficient)),
                1 => {
                    let rest = monomial.iter().copied().filter(|&id| id != atom);
                    with.add_term(Monomial::of(rest)?, coefficient);
                }
                _ => return None,
            }
        }
        Some((with, without))
    }

    /// With atoms replaced.
    pub fn substitute(&self, mut f: impl FnMut(Id) -> Option<Poly>) -> Option<Poly> {
        let mut sum = Poly::default();
        for (monomial, coefficient) in self.terms() {
            let mut product = Poly::number(coefficient);
            for &id in monomial {
                let factor = f(id).unwrap_or_else(|| Poly::atom(id));
                product = product.mul(&factor)?;
            }
            sum = sum.add(&product)?;
        }
        Some(sum)
    }

    /// Quotient and remainder of the division by `divisor`, with `lead` of its monomials as the leading one: the
    /// remainder has no term that `lead` divides.
    pub(super) fn divide(&self, divisor: &Poly, lead: &[Id]) -> Option<(Poly, Poly)> {
        let lead_coefficient = divisor.coefficient(lead);
        let (mut quotient, mut rest) = (Poly::default(), self.clone());
        for _ in 0..MOST_TERMS {
            let found = rest.terms.iter().rev().find_map(|(monomial, c)| {
                let c = c.div_euclid(lead_coefficient.abs()) * lead_coefficient.signum();
                Some((without(monomial, lead)?, c)).filter(|_| c != 0)
            });
            let Some((monomial, coefficient)) = found else {
                return Some((quotient, rest));
            };
            let term = Poly::term(&monomial, coefficient);
            rest = rest.sub(&term.mul(divisor)?)?;
            quotient = quotient.add(&term)?;
        }
        None
    }

    /// The largest integer that divides every coefficient but the constant one, and the largest monomial.
    pub(super) fn content(&self) -> (i128, Vec<Id>) {
        let mut gcd = 0;
        let mut common: Option<Vec<Id>> = None;
        for (monomial, c) in self.terms().filter(|(m, _)| !m.is_empty()) {
            gcd = greatest_divisor(gcd, c.abs());
            common = Some(match common {
                None => monomial.to_vec(),
                Some(common) => intersect(&common, monomial),
            });
        }
        (gcd, common.unwrap_or_default())
    }

    /// Divided by an integer and a monomial that divide each term.
    pub(super) fn exact_quotient(&self, number: i128, monomial: &[Id]) -> Option<Poly> {
        let mut result = Poly::default();
        for (m, c) in self.terms() {
            if c % number != 0 {
                return None;
            }
            result.add_term(without(m, monomial)?, c / number);
        }
        Some(result)
    }

    /// As text, with names for the atoms: `4n*m + 8n + 4`.
    pub fn text(&self, mut name: impl FnMut(Id) -> String) -> String {
        let mut text = String::new();
        let with_constant_last = self.terms().skip_while(|(m, _)| m.is_empty());
        let constant = self.terms().filter(|(m, _)| m.is_empty());
        for (monomial, c) in with_constant_last.chain(constant) {
            let sign = match (text.is_empty(), c < 0) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            text += sign;
            if c.abs() != 1 || monomial.is_empty() {
                text += &c.abs().to_string();
            }
            text += &monomial
                .iter()
                .map(|&id| name(id))
                .collect::<Vec<_>>()
                .join("*");
        }
        if text.is_empty() {
            text.push('0');
        }
        text
    }
}

pub(super) fn greatest_divisor(a: i128, b: i128) -> i128 {
    if b == 0 {
        a
    } else {
        greatest_divisor(b, a % b)
    }
}

/// The multiset without another; `None` if that is not part of it.
pub(super) fn without(monomial: &[Id], part: &[Id]) -> Option<Monomial> {
    let mut part = part.iter().peekable();
    // Both are in order.
    let rest = monomial.iter().filter(|&id| part.next_if_eq(&id).is_none());
    let rest = Monomial::of(rest.copied());
    rest.filter(|_| part.next().is_none())
}

fn intersect(a: &[Id], b: &[Id]) -> Vec<Id> {
    let mut rest = b.to_vec();
    let mut common = Vec::new();
    for id in a {
        if let Some(at) = rest.iter().position(|other| other == id) {
            rest.remove(at);
            common.push(*id);
        }
    }
    common
}
