//! From polynomials back to expressions, and the simplification of nodes.

use super::{Index, Poly};
use crate::ir::{Id, IdSet, Node, Program};
use crate::scalar::{Binary, Leaf, Scalar};
use crate::sorted::{SortedMap, SortedSet};

impl Index {
    /// The expression, simplified: its integer arithmetic and comparisons, through all scalar operations. Reads,
    /// regions and the like stay as they are.
    pub fn simplify(&mut self, program: &mut Program, id: Id) -> Id {
        self.sync(program);
        let level = self.frames.len() - 1;
        if let Some(&to) = self.frames[level].simplified.get(&id) {
            return to;
        }
        let node = program.node(id).clone();
        let descend = match &node {
            Node::Unary(..)
            | Node::Binary(..)
            | Node::Select(..)
            | Node::Cast(..)
            | Node::Bitcast(..)
            | Node::Math(..)
            | Node::Foreign(..) => true,
            Node::Constant(_)
            | Node::Parameter(_)
            | Node::Input { .. }
            | Node::Extent { .. }
            | Node::Variable(_)
            | Node::OnCuda
            | Node::Routine { .. }
            | Node::Index { .. }
            | Node::Guard { .. }
            | Node::Demand { .. }
            | Node::If { .. }
            | Node::Loop { .. }
            | Node::Generate { .. }
            | Node::Reduce { .. }
            | Node::Scan { .. }
            | Node::Scatter { .. }
            | Node::Compact { .. }
            | Node::Sort { .. }
            | Node::Project(..)
            | Node::Materialize(_) => false,
        };
        let mut to = id;
        if descend {
            let mut changed = node;
            changed.map_operands(|operand| self.simplify(program, operand));
            to = program.add(changed);
        }
        to = self.simplify_node(program, to);
        self.frames[level].simplified.insert(id, to);
        to
    }

    /// A node whose operands are simple already.
    pub fn simplify_node(&mut self, program: &mut Program, id: Id) -> Id {
        self.within(program, &[id], |this, program| {
            this.simplify_here(program, id)
        })
    }

    fn simplify_here(&mut self, program: &mut Program, id: Id) -> Id {
        let leaf = match program.ty(id) {
            crate::ir::Type::Scalar(leaf) => *leaf,
            crate::ir::Type::Array(..) | crate::ir::Type::Bundle(_) => return id,
        };
        if let Node::Constant(_) | Node::Variable(_) | Node::Parameter(_) = program.node(id)
            && !self.equal.contains_key(&id)
        {
            return id;
        }
        if let Node::Select(condition, a, b) = *program.node(id)
            && let Some(holds) = self.decide(program, condition)
        {
            return if holds { a } else { b };
        }
        if let Some(quotient) = self.rounded_up(program, id) {
            return quotient;
        }
        if leaf == Leaf::Bool {
            return match self.decide(program, id) {
                Some(holds) => program.bool(holds),
                None => self.simplify_comparison(program, id),
            };
        }
        if !leaf.is_integer() {
            return id;
        }
        if let Node::Binary(op @ (Binary::Div | Binary::Rem), a, b) = *program.node(id) {
            return self.simplify_division(program, id, op, a, b);
        }
        let poly = self.polynomial(program, id);
        self.replace(program, id, &poly)
    }

    /// The polynomial instead of the expression, unless that takes more operations.
    fn replace(&mut self, program: &mut Program, id: Id, poly: &Poly) -> Id {
        if poly.as_atom() == Some(id) {
            return id;
        }
        let leaf = program.leaf(id);
        if let Some(&alias) = self.aliases.get(poly)
            && program.leaf(alias) == leaf
        {
            return alias;
        }
        let atoms = poly.atoms();
        let (to, from) = (cost(program, poly, leaf), operations(program, id, &atoms));
        if to > from {
            return id;
        }
        let before = program.ids().len();
        let emitted = emit(program, poly, leaf);
        // Parts of a sum may be needed elsewhere: written anew, each would be a sum of its own.
        let made = program.ids().len() - before;
        match !program.reads(id) || made == 0 || (made == 1 && to < from) {
            true => emitted,
            false => id,
        }
    }

    fn simplify_division(&mut self, program: &mut Program, id: Id, op: Binary, a: Id, b: Id) -> Id {
        let leaf = program.leaf(id);
        if let Some(shorter) = self.digits(program, op, a, b) {
            return shorter;
        }
        let Some(division) = self.division(program, a, b) else {
            return id;
        };
        let Some(divisor) = division.divisor else {
            let poly = match op {
                Binary::Div => division.quotient,
                _ => division.rest,
            };
            return emit(program, &poly.modulo(leaf.bits()), leaf);
        };
        let unchanged = division.quotient.is_empty() && division.scale == Poly::number(1);
        if unchanged && self.exact(program, a) == division.rest {
            return id;
        }
        let (_, high) = super::range_of(leaf);
        let fits = |this: &mut Self, program: &Program, poly: &Poly| {
            this.proves(program, &poly.negated().plus(high))
        };
        if !fits(self, program, &division.rest) || !fits(self, program, &divisor) {
            return id;
        }
        let rest = emit(program, &division.rest, leaf);
        let divisor = emit(program, &divisor, leaf);
        let inner = program.binary(op, rest, divisor);
        let whole = match op {
            Binary::Div => Poly::atom(inner).add(&division.quotient),
            _ => division
                .scale
                .mul(&Poly::atom(inner))
                .and_then(|scaled| scaled.add(&division.offset)),
        };
        match whole {
            Some(poly) => emit(program, &poly.modulo(leaf.bits()), leaf),
            None => id,
        }
    }

    /// `(x/a)/b = x/(a*b)`, `(x % (a*b)) / a = (x/a) % b`, `(x % (a*b)) % a = x % a`: for unsigned, by truncation.
    fn digits(&mut self, program: &mut Program, op: Binary, a: Id, b: Id) -> Option<Id> {
        let leaf = program.leaf(a);
        if leaf.is_signed() {
            return None;
        }
        let Node::Binary(inner, x, d) = *program.node(a) else {
            return None;
        };
        let (outer, inner_divisor) = (self.exact(program, b), self.exact(program, d));
        let (_, high) = super::range_of(leaf);
        match (inner, op) {
            (Binary::Div, Binary::Div) => {
                let product = outer.mul(&inner_divisor)?;
                let fits = self.proves(program, &product.negated().plus(high))
                    && self.is_positive(program, &product);
                if !fits {
                    return None;
                }
                let product = emit(program, &product, leaf);
                let whole = program.binary(Binary::Div, x, product);
                Some(self.simplify_node(program, whole))
            }
            (Binary::Rem, Binary::Div | Binary::Rem) => {
                if !self.is_positive(program, &outer) || !self.is_positive(program, &inner_divisor)
                {
                    return None;
                }
                let (ratio, rest) = inner_divisor
                    .terms()
                    .find_map(|_| {
                        let lead = outer.terms().last()?.0.to_vec();
                        inner_divisor.divide(&outer, &lead)
                    })
                    .filter(|(_, rest)| rest.is_empty())?;
                debug_assert!(rest.is_empty());
                if op == Binary::Rem {
                    let whole = program.binary(Binary::Rem, x, b);
                    return Some(self.simplify_node(program, whole));
                }
                if !self.is_positive(program, &ratio) {
                    return None;
                }
                let high_part = program.binary(Binary::Div, x, b);
                let high_part = self.simplify_node(program, high_part);
                let ratio = emit(program, &ratio, leaf);
                let whole = program.binary(Binary::Rem, high_part, ratio);
                Some(self.simplify_node(program, whole))
            }
            _ => None,
        }
    }

    /// `if x % d == 0 { x / d } else { x / d + 1 }` is `(x + d - 1) / d`, where that does not wrap.
    fn rounded_up(&mut self, program: &mut Program, id: Id) -> Option<Id> {
        let Node::Select(condition, a, b) = *program.node(id) else {
            return None;
        };
        let Node::Binary(op @ (Binary::Eq | Binary::Ne), rem, zero) = *program.node(condition)
        else {
            return None;
        };
        let (whole, up) = if op == Binary::Eq { (a, b) } else { (b, a) };
        let Node::Binary(Binary::Rem, x, d) = *program.node(rem) else {
            return None;
        };
        let form = |this: &mut Self, id| this.exact(program, id);
        let is_up = form(self, zero) == Poly::number(0)
            && *program.node(whole) == Node::Binary(Binary::Div, x, d)
            && self.polynomial(program, up) == self.polynomial(program, whole).plus(1);
        let leaf = program.leaf(x);
        let (numerator, divisor) = (self.exact(program, x), self.exact(program, d));
        let sum = numerator.add(&divisor)?.plus(-1);
        let (_, high) = super::range_of(leaf);
        let fits = is_up
            && self.is_natural(program, &numerator)
            && self.is_positive(program, &divisor)
            && self.proves(program, &sum.negated().plus(high));
        if !fits {
            return None;
        }
        let sum = emit(program, &sum, leaf);
        let quotient = program.binary(Binary::Div, sum, d);
        Some(self.simplify_node(program, quotient))
    }

    /// What stands on both sides goes.
    fn simplify_comparison(&mut self, program: &mut Program, id: Id) -> Id {
        let Node::Binary(op, a, b) = *program.node(id) else {
            return id;
        };
        let leaf = program.leaf(a);
        let comparison = matches!(op, Binary::Lt | Binary::Le | Binary::Eq | Binary::Ne);
        if !comparison || !leaf.is_integer() {
            return id;
        }
        let (x, y) = (self.exact(program, a), self.exact(program, b));
        let Some(difference) = y.sub(&x) else {
            return id;
        };
        let (mut left, mut right) = (Poly::default(), Poly::default());
        for (monomial, c) in difference.terms() {
            let side = if c < 0 { &mut left } else { &mut right };
            match side.add(&Poly::term(monomial, c.abs())) {
                Some(sum) => *side = sum,
                None => return id,
            }
        }
        let (low, high) = super::range_of(leaf);
        let fits = [&left, &right].into_iter().all(|side| {
            self.proves(program, &side.plus(-low))
                && self.proves(program, &side.negated().plus(high))
        });
        let now = cost(program, &left, leaf) + cost(program, &right, leaf);
        let atoms: SortedSet<Id> = &left.atoms() | &right.atoms();
        let before = operations(program, a, &atoms) + operations(program, b, &atoms);
        if !fits || now >= before {
            return id;
        }
        let (left, right) = (emit(program, &left, leaf), emit(program, &right, leaf));
        program.binary(op, left, right)
    }
}

/// Operations of an expression down to the given atoms (and others it may contain).
fn operations(program: &Program, id: Id, atoms: &SortedSet<Id>) -> usize {
    let mut seen = IdSet::default();
    let mut open = vec![id];
    let mut count = 0;
    while let Some(id) = open.pop() {
        if atoms.contains(&id) || !seen.insert(id) {
            continue;
        }
        match program.node(id) {
            Node::Binary(_, a, b) => {
                count += 1;
                open.extend([*a, *b]);
            }
            Node::Unary(_, a) | Node::Cast(_, a) => {
                count += 1;
                open.push(*a);
            }
            Node::Select(a, b, c) => {
                count += 1;
                open.extend([*a, *b, *c]);
            }
            _ => {}
        }
    }
    count
}

/// The operations that [`emit`] makes.
fn cost(program: &Program, poly: &Poly, leaf: Leaf) -> usize {
    let casts = poly
        .atoms()
        .into_iter()
        .filter(|&atom| program.leaf(atom) != leaf)
        .count();
    casts + arithmetic(program, poly)
}

fn arithmetic(program: &Program, poly: &Poly) -> usize {
    if let Some((with, atom, without)) = factored(program, poly) {
        let product = arithmetic(program, &with) + 1 + usize::from(with == Poly::number(-1));
        let _ = atom;
        return product + arithmetic(program, &without) + usize::from(!without.is_empty());
    }
    let mut count = poly.len().saturating_sub(1);
    for (monomial, c) in poly.terms() {
        count += monomial.len().saturating_sub(1);
        count += usize::from(c.abs() != 1 && !monomial.is_empty());
    }
    let begins = poly.terms().any(|(monomial, c)| begins(monomial, c));
    count + usize::from(!begins && !poly.is_empty() && poly.as_number().is_none())
}

/// Whether a term may be the first one of a sum without a negation: it is positive, or has a factor that takes the sign.
fn begins(monomial: &[Id], c: i128) -> bool {
    c > 0 || c != -1 && !monomial.is_empty()
}

/// `poly = with * atom + without` for the atom that stands in most terms, at least two.
fn factored(program: &Program, poly: &Poly) -> Option<(Poly, Id, Poly)> {
    let mut counts: SortedMap<Id, usize> = SortedMap::new();
    for (monomial, _) in poly.terms() {
        for atom in monomial.iter().copied().collect::<SortedSet<Id>>() {
            *counts.entry(atom).or_default() += 1;
        }
    }
    let most = counts.iter().map(|(_, &n)| n).max().filter(|&n| n >= 2)?;
    let mut candidates = counts.iter().filter(|&(_, &n)| n == most);
    let (&first, _) = candidates.next()?;
    let atom = candidates.fold(first, |best, (&atom, _)| {
        if program.compare(atom, best).is_lt() {
            atom
        } else {
            best
        }
    });
    let (with, without) = poly.split(atom)?;
    Some((with, atom, without))
}

/// The expression of a polynomial, always the same for the same one. Correct modulo 2^width: atoms of other types are
/// cast.
pub(super) fn emit(program: &mut Program, poly: &Poly, leaf: Leaf) -> Id {
    if let Some(number) = poly.as_number() {
        return program.constant(Scalar::wrapped(leaf, number as u64));
    }
    if let Some((with, atom, without)) = factored(program, poly) {
        let factor = emit(program, &with, leaf);
        let atom = emit_atom(program, atom, leaf);
        let product = program.binary(Binary::Mul, factor, atom);
        if without.is_empty() {
            return product;
        }
        if let Some(number) = without.as_number().filter(|&number| number < 0) {
            let number = program.constant(Scalar::wrapped(leaf, (-number) as u64));
            return program.binary(Binary::Sub, product, number);
        }
        let rest = emit(program, &without, leaf);
        return program.binary(Binary::Add, product, rest);
    }
    // Positive terms first, the constant last, in an order that does not depend on ids.
    let mut terms: Vec<(Vec<Id>, i128)> = (poly.terms())
        .map(|(monomial, c)| {
            let mut monomial = monomial.to_vec();
            monomial.sort_by(|&a, &b| program.compare(a, b));
            (monomial, c)
        })
        .collect();
    terms.sort_by(|(a, c), (b, d)| {
        let rank = |monomial: &[Id], c: i128| (c < 0, monomial.is_empty());
        let structure = || {
            let pairs = a.iter().zip(b);
            pairs
                .map(|(&x, &y)| program.compare(x, y))
                .find(|order| order.is_ne())
                .unwrap_or(b.len().cmp(&a.len()))
        };
        rank(a, *c).cmp(&rank(b, *d)).then_with(structure)
    });
    if let Some(first) = terms.iter().position(|(monomial, c)| begins(monomial, *c)) {
        terms[..=first].rotate_right(1);
    }
    let mut sum: Option<Id> = None;
    for (monomial, c) in terms {
        let mut product: Option<Id> = None;
        for atom in monomial.iter().copied() {
            let atom = emit_atom(program, atom, leaf);
            product = Some(match product {
                None => atom,
                Some(product) => program.binary(Binary::Mul, product, atom),
            });
        }
        let (factor, negative) = match sum.is_none() && begins(&monomial, c) {
            true => (c, false),
            false => (c.abs(), c < 0),
        };
        let factor = program.constant(Scalar::wrapped(leaf, factor as u64));
        let term = match product {
            None => factor,
            Some(product) if c.abs() == 1 => product,
            Some(product) => program.binary(Binary::Mul, product, factor),
        };
        sum = Some(match (sum, negative) {
            (None, false) => term,
            (None, true) => program.unary(crate::scalar::Unary::Neg, term),
            (Some(sum), false) => program.binary(Binary::Add, sum, term),
            (Some(sum), true) => program.binary(Binary::Sub, sum, term),
        });
    }
    sum.expect("a term")
}

fn emit_atom(program: &mut Program, atom: Id, leaf: Leaf) -> Id {
    if program.leaf(atom) == leaf {
        atom
    } else {
        program.add(Node::Cast(leaf, atom))
    }
}
