//! What conditions and checks say: polynomials that are not negative, and atoms that equal others.

use super::poly::Monomial;
use super::{Index, Poly};
use crate::ir::{Id, IdSet, Node, Program, QuickMap};
use crate::scalar::{Binary, Unary};
use crate::sorted::SortedSet;
use std::rc::Rc;

/// Polynomials that are not negative, found by what stands in them.
#[derive(Default)]
pub(super) struct Facts {
    list: Vec<Rc<Poly>>,
    known: SortedSet<Rc<Poly>>,
    by_monomial: QuickMap<Monomial, Vec<(usize, bool)>>,
}

impl Facts {
    pub(super) fn push(&mut self, fact: Poly) {
        let fact = Rc::new(fact.reduced());
        if !self.known.insert(Rc::clone(&fact)) {
            return;
        }
        for (monomial, c) in fact
            .monomials()
            .filter(|(monomial, _)| !monomial.is_empty())
        {
            let of = self.by_monomial.entry(monomial).or_default();
            of.push((self.list.len(), c > 0));
        }
        self.list.push(fact);
    }

    pub(super) fn all(&self) -> &[Rc<Poly>] {
        &self.list
    }

    /// The facts that have a term in common with a polynomial, of the same sign, in the order in which they were found.
    pub(super) fn touching(&self, poly: &Poly, found: &mut Vec<Rc<Poly>>) {
        let mut places = Vec::new();
        for (monomial, c) in poly.terms() {
            let of = self.by_monomial.get(monomial).into_iter().flatten();
            places.extend(
                of.filter(|(_, positive)| *positive == (c > 0))
                    .map(|&(at, _)| at),
            );
        }
        places.sort_unstable();
        places.dedup();
        found.extend(places.into_iter().map(|at| Rc::clone(&self.list[at])));
    }
}

impl Extend<Poly> for Facts {
    fn extend<T: IntoIterator<Item = Poly>>(&mut self, facts: T) {
        facts.into_iter().for_each(|fact| self.push(fact));
    }
}

/// Whether a fact says something about a polynomial: they have a term in common, of the same sign.
pub(super) fn touches(fact: &Poly, poly: &Poly) -> bool {
    fact.terms()
        .any(|(m, c)| !m.is_empty() && poly.coefficient(m).signum() == c.signum())
}

impl Index {
    /// A condition is known to be true, or false.
    pub fn assume(&mut self, program: &Program, condition: Id, holds: bool) {
        self.sync(program);
        let mut facts = Vec::new();
        self.facts_of(program, condition, holds, &mut facts);
        let mut of_domains = Vec::new();
        for fact in &facts {
            self.without_indices(program, fact, &mut of_domains);
        }
        let frame = self.frames.last_mut().expect("a frame");
        frame.facts.extend(facts);
        frame.facts.extend(of_domains);
        frame.forget();
    }

    /// What a fact about index variables says about the extents that these stay below: with `0 < i` and `i < n`, `1 < n`.
    fn without_indices(&mut self, program: &Program, fact: &Poly, found: &mut Vec<Poly>) {
        let mut fact = fact.clone();
        for atom in fact.atoms_from_last() {
            let Node::Variable(var) = program.node(atom) else {
                continue;
            };
            if !self.domains.contains_key(var) {
                continue;
            }
            let bounds = self.bounds(program, atom);
            let Some((factor, rest)) = fact.split(atom) else {
                return;
            };
            let most = match factor.as_number() {
                Some(0) | None => return,
                Some(1..) => bounds.high.first(),
                Some(_) => bounds.low.first(),
            };
            let at = most.and_then(|most| factor.mul(most)?.add(&rest));
            let Some(at) = at.filter(|at| at.as_number().is_none()) else {
                return;
            };
            found.push(at.clone());
            fact = at;
        }
    }

    fn facts_of(&mut self, program: &Program, condition: Id, holds: bool, facts: &mut Vec<Poly>) {
        let frame = self.frames.last_mut().expect("a frame");
        frame.conditions.insert(condition, holds);
        match program.node(condition) {
            Node::Unary(Unary::Not, a) => self.facts_of(program, *a, !holds, facts),
            Node::Binary(Binary::And, a, b) if holds => {
                self.facts_of(program, *a, true, facts);
                self.facts_of(program, *b, true, facts);
            }
            Node::Binary(Binary::Or, a, b) if !holds => {
                self.facts_of(program, *a, false, facts);
                self.facts_of(program, *b, false, facts);
            }
            // `a && b` with lazy operands.
            Node::Project(bundle, 0) => {
                if let Node::If {
                    condition,
                    then,
                    otherwise,
                } = program.node(*bundle)
                {
                    let (then, otherwise) = (then[0], otherwise[0]);
                    let constant = |id: Id| match program.node(id) {
                        Node::Constant(c) => Some(c.is_true()),
                        _ => None,
                    };
                    if holds && constant(otherwise) == Some(false) {
                        self.facts_of(program, *condition, true, facts);
                        self.facts_of(program, then, true, facts);
                    } else if !holds && constant(then) == Some(true) {
                        self.facts_of(program, *condition, false, facts);
                        self.facts_of(program, otherwise, false, facts);
                    }
                }
            }
            Node::Binary(op @ (Binary::Lt | Binary::Le | Binary::Eq | Binary::Ne), a, b)
                if program.leaf(*a).is_integer() =>
            {
                let (op, a, b) = (*op, *a, *b);
                // Nothing is less than zero: the other side is what it is less than.
                if holds
                    && op == Binary::Lt
                    && !program.leaf(a).is_signed()
                    && let Node::Select(condition, _, none) = *program.node(b)
                    && is_zero(program, none)
                {
                    let mut own = Vec::new();
                    self.facts_of(program, condition, true, &mut own);
                    let frame = self.frames.last_mut().expect("a frame");
                    frame.facts.extend(own);
                    frame.forget();
                }
                self.compared(program, (op, a, b), holds, facts);
            }
            _ => {}
        }
    }

    /// What a comparison of integers says.
    fn compared(
        &mut self,
        program: &Program,
        (op, a, b): (Binary, Id, Id),
        holds: bool,
        facts: &mut Vec<Poly>,
    ) {
        let entered = self.begin(program, &[a, b]);
        if holds && matches!(op, Binary::Lt | Binary::Le) {
            facts.extend(self.unwrapped(program, a, b));
        }
        let (a, b) = (self.exact(program, a), self.exact(program, b));
        if let (Some(up), Some(down)) = (b.sub(&a), a.sub(&b)) {
            match (op, holds) {
                (Binary::Lt, true) => facts.push(up.plus(-1)),
                (Binary::Lt, false) => facts.push(down),
                (Binary::Le, true) => facts.push(up),
                (Binary::Le, false) => facts.push(down.plus(-1)),
                (Binary::Eq, true) | (Binary::Ne, false) => facts.extend([up, down]),
                _ => {
                    // Different and on one side: apart.
                    for side in [up, down] {
                        if self.proves(program, &side) {
                            facts.push(side.plus(-1));
                        }
                    }
                }
            }
        }
        self.end(entered);
    }

    /// What follows from a difference being at most a number: one that wraps is greater than what is taken from.
    fn unwrapped(&mut self, program: &Program, difference: Id, most: Id) -> Option<Poly> {
        let Node::Binary(Binary::Sub, a, b) = *program.node(difference) else {
            return None;
        };
        if program.leaf(a).is_signed() {
            return None;
        }
        let (a, b) = (self.exact(program, a), self.exact(program, b));
        let above = a.sub(&self.exact(program, most))?;
        self.proves(program, &above).then(|| a.sub(&b))?
    }

    /// A condition that holds throughout the program. Equalities are used from left to right or from right to left,
    /// so that the later extent is expressed by the earlier one.
    pub fn assume_check(&mut self, program: &Program, condition: Id) {
        self.sync(program);
        match program.node(condition).clone() {
            Node::Binary(Binary::Eq, a, b) if program.leaf(a).is_integer() => {
                self.assume_equal(program, a, b);
            }
            Node::Binary(Binary::And, a, b) => {
                self.assume_check(program, a);
                self.assume_check(program, b);
            }
            Node::Binary(Binary::Or, a, b) => {
                // `any(extent == 0) || condition`.
                let (mut empty, mut open, mut rest) = (Vec::new(), vec![a, b], Vec::new());
                while let Some(id) = open.pop() {
                    match program.node(id) {
                        Node::Binary(Binary::Or, a, b) => open.extend([*a, *b]),
                        Node::Binary(Binary::Eq, a, b) if is_zero(program, *a) => empty.push(*b),
                        Node::Binary(Binary::Eq, a, b) if is_zero(program, *b) => empty.push(*a),
                        _ => rest.push(id),
                    }
                }
                let [condition] = rest[..] else { return };
                let mut premises = Vec::new();
                for extent in empty {
                    match self.polynomial(program, extent).as_monomial() {
                        Some((monomial, 1)) => premises.extend(monomial),
                        _ => return,
                    }
                }
                self.push();
                let mut facts = Vec::new();
                self.facts_of(program, condition, true, &mut facts);
                self.pop();
                for fact in facts {
                    self.conditional.push((premises.clone(), Rc::new(fact)));
                }
                self.forget();
            }
            _ => {
                let mut facts = Vec::new();
                self.facts_of(program, condition, true, &mut facts);
                self.frames[0].facts.extend(facts);
                self.forget();
            }
        }
    }

    fn assume_equal(&mut self, program: &Program, a: Id, b: Id) {
        let (left, right) = (self.exact(program, a), self.exact(program, b));
        let Some(difference) = left.sub(&right) else {
            return;
        };
        // Solve for the last atom that stands alone.
        let solved = difference.atoms().into_iter().rev().find_map(|atom| {
            let (factor, rest) = difference.split(atom)?;
            match factor.as_number() {
                Some(1) => Some((atom, rest.negated())),
                Some(-1) => Some((atom, rest)),
                _ => None,
            }
            .filter(|(_, value)| !value.atoms().iter().any(|&id| mentions(program, id, atom)))
        });
        self.forget();
        match solved {
            Some((atom, value)) => {
                let mentions = |other: &&mut Poly| other.mentions(atom);
                for other in self.equal.values_mut().filter(mentions) {
                    let replaced = other.substitute(|id| (id == atom).then(|| value.clone()));
                    if let Some(replaced) = replaced {
                        *other = replaced;
                    }
                }
                if !program.leaf(atom).is_signed() {
                    self.frames[0].facts.push(value.clone());
                }
                if value.as_number().is_none() && value.as_atom().is_none() {
                    self.aliases.entry(value.clone()).or_insert(atom);
                }
                self.equal.insert(atom, value);
            }
            None => {
                let facts = [difference.negated(), difference];
                self.frames[0].facts.extend(facts);
            }
        }
    }
}

/// Whether an expression contains another.
fn mentions(program: &Program, id: Id, wanted: Id) -> bool {
    let (mut open, mut seen) = (vec![id], IdSet::default());
    while let Some(id) = open.pop() {
        if id == wanted {
            return true;
        }
        if seen.insert(id) {
            program.node(id).operands(|operand| open.push(operand));
        }
    }
    false
}

fn is_zero(program: &Program, id: Id) -> bool {
    matches!(program.node(id), Node::Constant(constant) if constant.bits == 0)
}
