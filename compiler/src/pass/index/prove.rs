//! Signs of polynomials: `P >= 0` is proved by eliminating one atom after another at the bound that minimises `P`.
//!
//! Facts: index variables run over their extents (and an extent is at least 1 where its variable occurs), types bound
//! their values, checks and enclosing conditions hold. Products of the extents of one array parameter are at most
//! [`LARGEST_ARRAY`] (the runtime refuses larger shapes, zero extents counted as one), any product of extents, and the
//! size of a domain that is entered, is below 2^63.

use super::facts::touches;
use super::poly::{Poly, without};
use super::{Index, is_unsigned, range_of};
use crate::ir::{Id, Node, Program, QuickMap};
use crate::scalar::{Binary, Unary};
use std::rc::Rc;

/// The most elements of an array parameter.
pub const LARGEST_ARRAY: i128 = 1 << 48;
const LARGEST_DOMAIN: i128 = (1 << 63) - 1;

/// Choices are told apart so deep, one in the condition or a side of the other: each is looked at under all cases of those
/// around it.
const MOST_NESTED: u32 = 2;

/// A proof that is looked for.
struct Proof {
    /// What is known besides what the frames know: facts that hold where what is positive there is so, and those of the cases
    /// that are looked at.
    facts: Vec<Rc<Poly>>,
    /// What was, or is being, tried to prove, and how deep it was looked into.
    tried: QuickMap<Poly, u32>,
    /// How many more may be tried.
    fuel: u32,
}

impl Proof {
    /// The same where more is known.
    fn with(&self, facts: &[Rc<Poly>]) -> Proof {
        Proof {
            facts: [&self.facts, facts].concat(),
            tried: QuickMap::default(),
            fuel: self.fuel,
        }
    }

    /// Whether something has not been tried before.
    fn tries(&mut self, poly: &Poly, depth: u32) -> bool {
        if self.tried.get(poly).is_some_and(|&before| before >= depth) {
            return false;
        }
        self.tried.insert(poly.clone(), depth);
        true
    }
}

/// What is known about an atom beyond its numeric range.
#[derive(Default)]
pub(super) struct Bounds {
    pub(super) low: Vec<Poly>,
    pub(super) high: Vec<Poly>,
    /// The atom has one of these values.
    cases: Vec<Case>,
    /// Of a quotient `x / d`: `d`, and `d * (x / d)` is at least this and at most that.
    quotient: Option<[Poly; 3]>,
}

/// A value that an atom may have.
struct Case {
    value: Poly,
    /// What holds where it does.
    facts: Vec<Rc<Poly>>,
}

impl Index {
    /// Whether the polynomial is proved not to be negative.
    pub(super) fn proves(&mut self, program: &Program, poly: &Poly) -> bool {
        if let Some(number) = poly.as_number() {
            return number >= 0;
        }
        if self.lowest(program, poly).is_some_and(|low| low >= 0) {
            return true;
        }
        let level = self.frames.len() - 1;
        if let Some(&known) = self.frames[level].proved.get(poly) {
            return known;
        }
        // What holds outside holds here too.
        let outer = self.frames.iter().rev();
        if outer
            .map(|frame| frame.proved.get(poly))
            .any(|known| known == Some(&true))
        {
            return true;
        }
        let entered = self.begin(program, &poly.atoms_from_last());
        let mut proof = Proof {
            facts: self.conditional_facts(),
            tried: QuickMap::default(),
            fuel: 60,
        };
        let proved = self.not_negative(program, poly, &mut proof, 8);
        self.end(entered);
        self.frames[level].proved.insert(poly.clone(), proved);
        proved
    }

    fn conditional_facts(&self) -> Vec<Rc<Poly>> {
        let holds = |(premises, _): &&(Vec<Id>, Rc<Poly>)| {
            premises.iter().all(|&atom| self.is_known_positive(atom))
        };
        let conditional = self.conditional.iter().filter(holds);
        conditional.map(|(_, fact)| Rc::clone(fact)).collect()
    }

    fn is_known_positive(&self, atom: Id) -> bool {
        (self.frames.iter()).any(|frame| frame.positive.contains(&atom))
    }

    fn not_negative(
        &mut self,
        program: &Program,
        poly: &Poly,
        proof: &mut Proof,
        depth: u32,
    ) -> bool {
        if let Some(number) = poly.as_number() {
            return number >= 0;
        }
        if self.lowest(program, poly).is_some_and(|low| low >= 0) {
            return true;
        }
        if depth == 0 || proof.fuel == 0 || !proof.tries(poly, depth) {
            return false;
        }
        proof.fuel -= 1;
        let prove_in = |this: &mut Index, proof: &mut Proof, poly: Option<Poly>| {
            poly.is_some_and(|poly| this.not_negative(program, &poly, proof, depth - 1))
        };
        let mut facts: Vec<Rc<Poly>> = Vec::new();
        let others = proof.facts.iter().rev();
        facts.extend(others.filter(|fact| touches(fact, poly)).cloned());
        for frame in &self.frames {
            frame.facts.touching(poly, &mut facts);
        }
        // What facts say by themselves, before anything that takes longer.
        let less: Vec<Poly> = facts.iter().filter_map(|fact| poly.sub(fact)).collect();
        if (less.iter()).any(|less| self.lowest(program, less) >= Some(0)) {
            return true;
        }
        // Inner variables and derived atoms have larger ids than what bounds them.
        for atom in poly.atoms_from_last() {
            let bounds = self.bounds(program, atom);
            if bounds.low.is_empty() && bounds.high.is_empty() && bounds.cases.is_empty() {
                continue;
            }
            let Some((factor, rest)) = poly.split(atom) else {
                continue;
            };
            let mut prove = |this: &mut Index, poly| prove_in(this, proof, poly);
            if let Some([divisor, low, high]) = &bounds.quotient
                && let Some(times) = whole_factor(&factor, divisor)
            {
                let at = |value: &Poly| times.mul(value)?.add(&rest);
                let end = if prove(self, Some(times.clone())) {
                    at(low)
                } else if prove(self, Some(times.negated())) {
                    at(high)
                } else {
                    None
                };
                if prove(self, end) {
                    return true;
                }
            }
            let at = |value: &Poly| factor.mul(value)?.add(&rest);
            if prove(self, Some(factor.clone())) {
                if bounds.low.iter().any(|low| prove(self, at(low))) {
                    return true;
                }
            } else if prove(self, Some(factor.negated()))
                && bounds.high.iter().any(|high| prove(self, at(high)))
            {
                return true;
            }
            let mut in_case = |case: &Case| {
                let mut of_case = proof.with(&case.facts);
                let proved = prove_in(self, &mut of_case, at(&case.value));
                proof.fuel = of_case.fuel;
                proved
            };
            if !bounds.cases.is_empty() && bounds.cases.iter().all(&mut in_case) {
                return true;
            }
        }
        less.into_iter()
            .any(|less| prove_in(self, proof, Some(less)))
    }

    /// A number that the polynomial is not below.
    pub(super) fn lowest(&mut self, program: &Program, poly: &Poly) -> Option<i128> {
        let mut sum: i128 = 0;
        for (monomial, c) in poly.terms() {
            let (low, high) = self.monomial_range(program, monomial);
            let end = if c > 0 { low } else { high };
            sum = sum.checked_add(c.checked_mul(end?)?)?;
        }
        Some(sum)
    }

    fn monomial_range(
        &mut self,
        program: &Program,
        monomial: &[Id],
    ) -> (Option<i128>, Option<i128>) {
        let (mut low, mut high) = (Some(1i128), Some(1i128));
        for (k, &atom) in monomial.iter().enumerate() {
            let (mut atom_low, atom_high) = self.numeric(program, atom, 6);
            if self.is_known_positive(atom) {
                atom_low = atom_low.max(1);
            }
            if k == 0 {
                (low, high) = (Some(atom_low), Some(atom_high));
                continue;
            }
            let (Some(l), Some(h)) = (low, high) else {
                return (None, None);
            };
            let ends = [
                l.checked_mul(atom_low),
                l.checked_mul(atom_high),
                h.checked_mul(atom_low),
                h.checked_mul(atom_high),
            ];
            if l >= 0 && atom_low >= 0 {
                (low, high) = (ends[0], ends[3]);
            } else {
                let all: Option<Vec<i128>> = ends.into_iter().collect();
                low = all.as_ref().and_then(|all| all.iter().min().copied());
                high = all.as_ref().and_then(|all| all.iter().max().copied());
            }
        }
        if monomial.len() > 1 {
            let is_extent = |&id: &Id| matches!(program.node(id), Node::Extent { .. });
            if is_part_of_one_array(program, monomial) {
                high = Some(high.map_or(LARGEST_ARRAY, |high| high.min(LARGEST_ARRAY)));
            } else if monomial.iter().all(is_extent)
                || (self.frames.iter().flat_map(|frame| &frame.sizes))
                    .any(|size| without(size, monomial).is_some())
            {
                high = Some(high.map_or(LARGEST_DOMAIN, |high| high.min(LARGEST_DOMAIN)));
            }
        }
        (low, high)
    }

    /// The range of an atom, in numbers.
    pub(super) fn numeric(&mut self, program: &Program, atom: Id, depth: u32) -> (i128, i128) {
        let (low, high) = range_of(program.leaf(atom));
        if depth == 0 {
            return (low, high);
        }
        if let Some(&known) = self.ranges.get(&(atom, depth)) {
            return known;
        }
        let range = |this: &mut Self, id| this.numeric(program, id, depth - 1);
        let found = match program.node(atom) {
            Node::Constant(constant) => (constant.as_i128(), constant.as_i128()),
            Node::Extent { .. } => (0, LARGEST_ARRAY),
            Node::Variable(var) => match self.domains.get(var).cloned() {
                Some((_, extent)) => {
                    let (_, high) = range(self, extent);
                    (0, (high - 1).max(0))
                }
                None => (low, high),
            },
            Node::Cast(_, a) if program.leaf(*a).is_integer() => {
                let (l, h) = range(self, *a);
                if l >= low && h <= high {
                    (l, h)
                } else {
                    (low, high)
                }
            }
            Node::Cast(_, a) if !program.leaf(*a).is_float() => (0, 1),
            Node::Binary(op, a, b) => {
                let ((al, ah), (bl, bh)) = (range(self, *a), range(self, *b));
                match op {
                    Binary::Min => (al.min(bl), ah.min(bh)),
                    Binary::Max => (al.max(bl), ah.max(bh)),
                    Binary::Rem if al >= 0 && bl >= 1 => (0, ah.min(bh - 1)),
                    Binary::Div if al >= 0 && bl >= 1 => (al / bh, ah / bl),
                    Binary::And if al >= 0 && bl >= 0 => (0, ah.min(bh)),
                    Binary::Shr if al >= 0 && bl == bh && bl < 64 => (al >> bl, ah >> bl),
                    Binary::Add if al + bl >= low && ah + bh <= high => (al + bl, ah + bh),
                    Binary::Sub if al - bh >= low && ah - bl <= high => (al - bh, ah - bl),
                    _ => (low, high),
                }
            }
            Node::Project(bundle, k) if matches!(program.node(*bundle), Node::If { .. }) => {
                let Node::If {
                    then, otherwise, ..
                } = program.node(*bundle)
                else {
                    unreachable!("just matched");
                };
                let k = *k as usize;
                let ((al, ah), (bl, bh)) = (range(self, then[k]), range(self, otherwise[k]));
                (al.min(bl), ah.max(bh))
            }
            Node::Select(_, a, b) => {
                let ((al, ah), (bl, bh)) = (range(self, *a), range(self, *b));
                (al.min(bl), ah.max(bh))
            }
            Node::Unary(Unary::CountOnes | Unary::LeadingZeros | Unary::TrailingZeros, _) => {
                (0, 64)
            }
            _ => (low, high),
        };
        let found = (found.0.max(low), found.1.min(high));
        self.ranges.insert((atom, depth), found);
        found
    }

    pub(super) fn bounds(&mut self, program: &Program, atom: Id) -> Rc<Bounds> {
        let level = self.frames.len() - 1;
        if let Some(bounds) = self.frames[level].bounds.get(&atom) {
            return Rc::clone(bounds);
        }
        // A fact may lead back here; going round teaches nothing.
        if !self.busy.insert(atom) {
            return Rc::default();
        }
        let bounds = Rc::new(self.find_bounds(program, atom));
        self.busy.remove(&atom);
        self.frames[level].bounds.insert(atom, Rc::clone(&bounds));
        bounds
    }

    fn find_bounds(&mut self, program: &Program, atom: Id) -> Bounds {
        let mut bounds = Bounds::default();
        match program.node(atom) {
            Node::Variable(var) => {
                if let Some((_, extent)) = self.domains.get(var).cloned() {
                    bounds.low.push(Poly::number(0));
                    // A product that wraps is smaller than the polynomial, so either is a bound.
                    let form = self.polynomial(program, extent);
                    let natural = form
                        .terms()
                        .all(|(atoms, c)| c > 0 && is_unsigned(program, atoms));
                    let form = if natural {
                        form
                    } else {
                        self.exact(program, extent)
                    };
                    bounds.high.push(form.plus(-1));
                }
                if let Some(starts) = self.starts.get(var) {
                    bounds.low.extend(starts.iter().cloned());
                }
            }
            Node::Binary(op @ (Binary::Min | Binary::Max), a, b) => {
                let [a, b] = [*a, *b].map(|id| self.exact(program, id));
                let case = |value: &Poly, other: &Poly| {
                    let above = match op {
                        Binary::Min => other.sub(value),
                        _ => value.sub(other),
                    };
                    Case {
                        value: value.clone(),
                        facts: above.into_iter().map(Poly::reduced).map(Rc::new).collect(),
                    }
                };
                bounds.cases = vec![case(&a, &b), case(&b, &a)];
                if *op == Binary::Min {
                    bounds.high = vec![a, b];
                } else {
                    bounds.low = vec![a, b];
                }
            }
            Node::Select(condition, a, b) => {
                bounds.cases = self.cases(program, *condition, *a, *b);
            }
            Node::Project(bundle, k) => {
                if let Node::If {
                    condition,
                    then,
                    otherwise,
                } = program.node(*bundle)
                {
                    let k = *k as usize;
                    bounds.cases = self.cases(program, *condition, then[k], otherwise[k]);
                }
            }
            Node::Binary(Binary::Rem, a, b) => {
                let (a, b) = (self.exact(program, *a), self.exact(program, *b));
                if self.is_natural(program, &a) && self.is_positive(program, &b) {
                    bounds.low.push(Poly::number(0));
                    bounds.high.push(b.plus(-1));
                    bounds.high.push(a);
                }
            }
            Node::Binary(Binary::Div, a, b) => {
                let (a, b) = (self.exact(program, *a), self.exact(program, *b));
                if self.is_natural(program, &a) && self.is_positive(program, &b) {
                    bounds.low.push(Poly::number(0));
                    let low = a.sub(&b).map(|low| low.plus(1));
                    bounds.quotient = low.map(|low| [b.clone(), low, a.clone()]);
                    // The quotient of an upper bound, for the innermost variable with one.
                    let mut tops = vec![a.clone()];
                    for var in a.atoms().into_iter().rev() {
                        let Some((factor, rest)) = a.split(var) else {
                            continue;
                        };
                        if factor.as_number().is_some_and(|c| c > 0) {
                            for high in &self.bounds(program, var).high {
                                tops.extend(factor.mul(high).and_then(|top| top.add(&rest)));
                            }
                        }
                    }
                    for top in tops {
                        if let Some(quotient) = self.whole_quotient(program, &top, &b) {
                            bounds.high.push(quotient);
                        }
                    }
                    bounds.high.push(a);
                }
            }
            Node::Binary(Binary::And, a, b) => {
                for id in [*a, *b] {
                    if !program.leaf(id).is_signed() {
                        bounds.high.push(self.exact(program, id));
                    }
                }
                bounds.low.push(Poly::number(0));
                if program.leaf(atom).is_signed() {
                    bounds = Bounds::default();
                }
            }
            _ => {}
        }
        bounds
    }
}

impl Index {
    /// The two values of a choice, each as it is where it is chosen.
    fn cases(&mut self, program: &Program, condition: Id, a: Id, b: Id) -> Vec<Case> {
        if self.nested == MOST_NESTED {
            return Vec::new();
        }
        self.nested += 1;
        let case = |this: &mut Self, id, holds| {
            this.push();
            this.assume(program, condition, holds);
            let value = this.exact(program, id);
            let frame = this.frames.last().expect("the frame of the case");
            let facts = frame.facts.all().to_vec();
            this.pop();
            Case { value, facts }
        };
        let cases = vec![case(self, a, true), case(self, b, false)];
        self.nested -= 1;
        cases
    }
}

/// `c` with `factor = c * divisor`.
fn whole_factor(factor: &Poly, divisor: &Poly) -> Option<Poly> {
    let lead = divisor.terms().last()?.0.to_vec();
    let (times, rest) = factor.divide(divisor, &lead)?;
    rest.is_empty().then_some(times)
}

/// Whether these are different extents of one array parameter.
fn is_part_of_one_array(program: &Program, monomial: &[Id]) -> bool {
    let mut first = None;
    let same = monomial.iter().all(|&id| match program.node(id) {
        Node::Extent { array, .. } => *first.get_or_insert(*array) == *array,
        _ => false,
    });
    same && monomial.windows(2).all(|pair| pair[0] != pair[1])
}
