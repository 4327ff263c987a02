//! Index arithmetic: what ranges of index variables, extents and conditions say about integer expressions.
//!
//! In goes a program (nodes may be added to it, ids stay valid); out come canonical polynomials ([`Index::polynomial`]),
//! decided comparisons ([`Index::less_equal`]), equal extents ([`Index::same_extent`]) and simpler expressions
//! ([`Index::simplify`]). One generic method serves all (REWRITING.md section 5): sums of products of atoms, signs by
//! elimination (`prove`), division by polynomial division (`divide`).
//!
//! Integers of programs wrap. A polynomial is therefore equal to its expression modulo 2^width; [`Index::exact`] is
//! equal as an integer, because its range is proved, or is the expression itself as an atom.
//!
//! A fact that stems from a variable (`i < n`, so `n >= 1`) is used for expressions in which that variable occurs
//! only, so what is simplified stays right wherever it is moved; facts of [`Index::assume`] hold until
//! [`Index::pop`], and so does what was simplified with them.

mod bits;
mod divide;
mod emit;
mod facts;
mod poly;
mod prove;
#[cfg(test)]
mod tests;

use crate::ir::{Id, Node, Program, QuickMap, QuickSet, Var};
use crate::scalar::{Binary, Leaf, Unary};
use crate::sorted::SortedSet;
pub use poly::Poly;
pub use prove::LARGEST_ARRAY;
use std::rc::Rc;
use std::sync::Arc;

/// What is known; see the module.
pub struct Index {
    frames: Vec<Frame>,
    /// All extents of the domain of an index variable, and its own.
    domains: QuickMap<Var, (Vec<Id>, Id)>,
    /// Lower bounds of the state of loops.
    starts: QuickMap<Var, Vec<Poly>>,
    /// Facts that hold where these atoms are at least one.
    conditional: Vec<(Vec<Id>, Rc<Poly>)>,
    /// Atoms that equal a polynomial of others.
    equal: QuickMap<Id, Poly>,
    /// The other way round: the atom to write for a polynomial.
    aliases: QuickMap<Poly, Id>,
    /// Atoms whose bounds are being found.
    busy: QuickSet<Id>,
    /// How many choices, one in the other, are being told apart.
    nested: u32,
    /// Ranges of atoms in numbers, by how far they were looked into.
    ranges: QuickMap<(Id, u32), (i128, i128)>,
    /// Nodes whose domains are known.
    scanned: usize,
}

/// Frames that are out of sight, with their numbers.
pub struct Hidden(Vec<(usize, Frame)>);

/// What holds, and follows, since a [`Index::push`].
#[derive(Default)]
struct Frame {
    facts: facts::Facts,
    /// Atoms that are at least one.
    positive: SortedSet<Id>,
    /// Monomials that are part of the size of a domain.
    sizes: Vec<Vec<Id>>,
    /// The variables that it is the context of, and those that they depend on.
    entered: Option<Arc<SortedSet<Var>>>,
    /// What follows in the bodies of these variables.
    contexts: QuickMap<Arc<SortedSet<Var>>, Frame>,
    conditions: QuickMap<Id, bool>,
    polynomials: QuickMap<Id, Poly>,
    proved: QuickMap<Poly, bool>,
    bounds: QuickMap<Id, Rc<prove::Bounds>>,
    simplified: QuickMap<Id, Id>,
}

impl Frame {
    /// More is known now than when these were decided.
    fn forget(&mut self) {
        self.contexts.clear();
        self.polynomials.clear();
        self.proved.clear();
        self.bounds.clear();
        self.simplified.clear();
    }
}

impl Default for Index {
    fn default() -> Self {
        Index::new()
    }
}

impl Index {
    /// Knows nothing but the ranges of types.
    pub fn new() -> Self {
        Index {
            frames: vec![Frame::default()],
            domains: QuickMap::default(),
            starts: QuickMap::default(),
            conditional: Vec::new(),
            equal: QuickMap::default(),
            aliases: QuickMap::default(),
            busy: QuickSet::default(),
            nested: 0,
            ranges: QuickMap::default(),
            scanned: 0,
        }
    }

    /// Knows in addition what the checks of a program establish.
    pub fn with_checks(program: &Program) -> Self {
        let mut index = Index::new();
        for check in &program.checks {
            index.assume_check(program, check.condition);
        }
        index
    }

    /// An index variable that no node of the program binds runs over `0..extent`. (Those of `Generate` and `Reduce`
    /// are found by themselves.)
    pub fn domain(&mut self, var: Var, extent: Id) {
        self.bind(var, &[extent], extent);
    }

    fn bind(&mut self, var: Var, extents: &[Id], extent: Id) {
        let known = self.domains.get(&var);
        if known.is_none_or(|(all, own)| all != extents || *own != extent) {
            self.domains.insert(var, (extents.to_vec(), extent));
            self.ranges.clear();
        }
    }

    /// Index variables of one domain, bound by a node that is still being built.
    pub fn domains(&mut self, vars: &[Var], extents: &[Id]) {
        for (&var, &extent) in vars.iter().zip(extents) {
            self.bind(var, extents, extent);
        }
    }

    /// A variable of a loop is never below this value.
    pub fn starts_at(&mut self, program: &Program, var: Var, start: Id) {
        let start = self.exact(program, start);
        self.starts.entry(var).or_default().push(start);
    }

    /// Facts assumed from now on are forgotten by the matching [`Index::pop`].
    pub fn push(&mut self) {
        self.frames.push(Frame::default());
    }

    /// See [`Index::push`].
    pub fn pop(&mut self) {
        self.frames.pop();
        assert!(!self.frames.is_empty(), "a pop without its push");
    }

    /// Forgets what some frames know, by their numbers from the outermost, until [`Index::recall`].
    pub fn hide(&mut self, frames: impl Iterator<Item = usize>) -> Hidden {
        let known = frames.map(|at| (at, std::mem::take(&mut self.frames[at])));
        let known = known.collect();
        self.push();
        Hidden(known)
    }

    /// See [`Index::hide`].
    pub fn recall(&mut self, hidden: Hidden) {
        self.pop();
        for (at, frame) in hidden.0 {
            self.frames[at] = frame;
        }
    }

    /// How many frames there are.
    pub fn depth(&self) -> usize {
        self.frames.len()
    }

    /// The domains of these variables, and those that they depend on, are not empty.
    pub fn enter(&mut self, program: &Program, vars: impl IntoIterator<Item = Var>) {
        self.sync(program);
        let (mut open, mut seen): (Vec<Var>, SortedSet<Var>) =
            (Vec::from_iter(vars), SortedSet::new());
        while let Some(var) = open.pop() {
            if !seen.insert(var) {
                continue;
            }
            let Some((extents, _)) = self.domains.get(&var).cloned() else {
                continue;
            };
            let mut size = Some(Poly::number(1));
            for extent in extents {
                open.extend(program.free(extent));
                // Points are there only where the condition holds: of windows, say, that an array is long enough for.
                if let Node::Select(condition, _, none) = *program.node(extent)
                    && is_zero(program, none)
                {
                    self.assume(program, condition, true);
                }
                let form = self.polynomial(program, extent);
                match form.as_monomial() {
                    Some((monomial, 1..)) if is_unsigned(program, monomial) => {
                        let frame = self.frames.last_mut().expect("a frame");
                        frame.positive.extend(monomial);
                    }
                    _ => {
                        let fact = self.exact(program, extent).plus(-1);
                        self.frames.last_mut().expect("a frame").facts.push(fact);
                    }
                }
                size = size.and_then(|size| size.mul(&form));
            }
            if let Some((monomial, _)) = size.as_ref().and_then(Poly::as_monomial) {
                let frame = self.frames.last_mut().expect("a frame");
                frame.sizes.push(monomial.to_vec());
            }
        }
        self.frames.last_mut().expect("a frame").forget();
    }

    /// Runs `f` with what the variables in these expressions say.
    fn within<T>(
        &mut self,
        program: &mut Program,
        ids: &[Id],
        f: impl FnOnce(&mut Self, &mut Program) -> T,
    ) -> T {
        let entered = self.begin(program, ids);
        let result = f(self, program);
        self.end(entered);
        result
    }

    fn begin(&mut self, program: &Program, ids: &[Id]) -> Option<Arc<SortedSet<Var>>> {
        self.sync(program);
        let vars = program.free_in_any(ids);
        // What these variables say is known where they have been entered already.
        let known = |frame: &Frame| (frame.entered.as_ref()).is_some_and(|all| vars.is_subset(all));
        if !vars.iter().any(|var| self.domains.contains_key(var)) || self.frames.iter().any(known) {
            return None;
        }
        let outer = self.frames.last_mut().expect("a frame");
        match outer.contexts.remove(&vars) {
            Some(frame) => self.frames.push(frame),
            None => {
                self.push();
                self.enter(program, vars.iter().copied());
                self.frames.last_mut().expect("a frame").entered = Some(Arc::clone(&vars));
            }
        }
        Some(vars)
    }

    fn end(&mut self, entered: Option<Arc<SortedSet<Var>>>) {
        if let Some(vars) = entered {
            let frame = self.frames.pop().expect("the frame of `begin`");
            let outer = self.frames.last_mut().expect("a frame");
            outer.contexts.insert(vars, frame);
        }
    }

    fn forget(&mut self) {
        for frame in &mut self.frames {
            frame.forget();
        }
    }

    /// Finds the domains of nodes added since.
    fn sync(&mut self, program: &Program) {
        let count = program.ids().len();
        for k in self.scanned..count {
            if let Node::Generate { extents, vars, .. }
            | Node::Reduce { extents, vars, .. }
            | Node::Scan { extents, vars, .. }
            | Node::Scatter { extents, vars, .. }
            | Node::Compact { extents, vars, .. }
            | Node::Sort { extents, vars, .. } = program.node(Id(k as u32))
            {
                for (&var, &extent) in vars.iter().zip(extents) {
                    self.bind(var, extents, extent);
                }
            }
        }
        self.scanned = count;
    }

    /// The canonical form of an integer expression, equal to it modulo 2^width.
    pub fn polynomial(&mut self, program: &Program, id: Id) -> Poly {
        self.sync(program);
        for (depth, frame) in self.frames.iter().rev().enumerate() {
            if let Some(poly) = frame.polynomials.get(&id)
                && (depth == 0 || is_settled(program, poly))
            {
                return poly.clone();
            }
        }
        let leaf = program.leaf(id);
        // The proofs that simplify a division may ask for the division itself, as the bound of a variable.
        let frame = self.frames.last_mut().expect("a frame");
        frame.polynomials.insert(id, Poly::atom(id));
        let poly = match self.form(program, id) {
            Some(poly) => self.recombined(program, poly).modulo(leaf.bits()),
            None => Poly::atom(id),
        };
        // What did not become simpler here may do so where more is known: kept for this frame only.
        let frame = self.frames.last_mut().expect("a frame");
        frame.polynomials.insert(id, poly.clone());
        poly
    }

    fn form(&mut self, program: &Program, id: Id) -> Option<Poly> {
        if let Some(poly) = self.equal.get(&id) {
            return Some(poly.clone());
        }
        let leaf = program.leaf(id);
        if !leaf.is_integer() {
            return None;
        }
        match *program.node(id) {
            Node::Constant(constant) => Some(Poly::number(constant.as_i128())),
            Node::Unary(Unary::Neg, a) => Some(self.polynomial(program, a).negated()),
            Node::Binary(op, a, b) => match op {
                Binary::Add => self
                    .polynomial(program, a)
                    .add(&self.polynomial(program, b)),
                Binary::Sub => self
                    .polynomial(program, a)
                    .sub(&self.polynomial(program, b)),
                Binary::Mul => self
                    .polynomial(program, a)
                    .mul(&self.polynomial(program, b)),
                Binary::Shl => match self.exact(program, b).as_number() {
                    Some(k) if (0..i128::from(leaf.bits())).contains(&k) => {
                        self.polynomial(program, a).mul(&Poly::number(1 << k))
                    }
                    _ => None,
                },
                Binary::MulHigh => {
                    let product = self.exact(program, a).mul(&self.exact(program, b))?;
                    let (_, high) = range_of(leaf);
                    let small = self.is_natural(program, &product)
                        && self.proves(program, &product.negated().plus(high));
                    small.then(|| Poly::number(0))
                }
                Binary::Div | Binary::Rem => {
                    let division = self.division(program, a, b)?;
                    match (op, division.divisor) {
                        (Binary::Div, None) => Some(division.quotient),
                        (Binary::Rem, None) => Some(division.rest),
                        _ => None,
                    }
                }
                Binary::Min | Binary::Max => {
                    let (x, y) = (self.exact(program, a), self.exact(program, b));
                    let (up, down) = (y.sub(&x)?, x.sub(&y)?);
                    // Numeric ranges first: a proof that fails may need the bounds of this very node.
                    let numbers = |this: &mut Self, poly| this.lowest(program, poly) >= Some(0);
                    let first = if numbers(self, &up) {
                        op == Binary::Min
                    } else if numbers(self, &down) {
                        op == Binary::Max
                    } else if self.proves(program, &up) {
                        op == Binary::Min
                    } else if self.proves(program, &down) {
                        op == Binary::Max
                    } else {
                        return None;
                    };
                    Some(if first { x } else { y })
                }
                _ => None,
            },
            Node::Select(condition, a, b) => {
                let holds = self.decide(program, condition)?;
                Some(self.polynomial(program, if holds { a } else { b }))
            }
            Node::Cast(to, a) if program.leaf(a).is_integer() => {
                if to.bits() <= program.leaf(a).bits() {
                    Some(self.polynomial(program, a))
                } else {
                    Some(self.exact(program, a))
                }
            }
            _ => None,
        }
    }

    /// The canonical form of an integer expression, equal to it as an integer.
    pub fn exact(&mut self, program: &Program, id: Id) -> Poly {
        let (low, high) = range_of(program.leaf(id));
        let poly = self.polynomial(program, id);
        if let Some(number) = poly.as_number() {
            let modulus = high - low + 1;
            return Poly::number((number - low).rem_euclid(modulus) + low);
        }
        if poly.as_atom() == Some(id) {
            return poly;
        }
        if self.proves(program, &poly.plus(-low))
            && self.proves(program, &poly.negated().plus(high))
        {
            poly
        } else {
            Poly::atom(id)
        }
    }

    fn is_natural(&mut self, program: &Program, poly: &Poly) -> bool {
        self.proves(program, poly)
    }

    fn is_positive(&mut self, program: &Program, poly: &Poly) -> bool {
        self.proves(program, &poly.plus(-1))
    }

    /// Whether `a <= b`, for integers of one type.
    pub fn less_equal(&mut self, program: &Program, a: Id, b: Id) -> Option<bool> {
        self.compare(program, a, b, 0)
    }

    /// Whether `a < b`, for integers of one type.
    pub fn less(&mut self, program: &Program, a: Id, b: Id) -> Option<bool> {
        match self.compare(program, a, b, 1) {
            None if program.leaf(a).is_integer() => {
                self.has_fewer_bits(program, a, b).then_some(true)
            }
            known => known,
        }
    }

    fn compare(&mut self, program: &Program, a: Id, b: Id, gap: i128) -> Option<bool> {
        let entered = self.begin(program, &[a, b]);
        let (x, y) = (self.exact(program, a), self.exact(program, b));
        let known = self.order(program, &x, &y, gap);
        self.end(entered);
        known
    }

    /// Whether an index, flat where it stands for several axes, is sure to be within these extents.
    pub fn in_bounds(&mut self, program: &Program, index: Id, extents: &[Id]) -> bool {
        self.sync(program);
        if let (&Node::Variable(var), &[extent]) = (program.node(index), extents)
            && let Some(&(_, own)) = self.domains.get(&var)
            && own == extent
        {
            return true;
        }
        let entered = self.begin(program, &[&[index], extents].concat());
        let index = self.exact(program, index);
        let size = extents.iter().try_fold(Poly::number(1), |size, &extent| {
            size.mul(&self.exact(program, extent))
        });
        let known = size.and_then(|size| self.order(program, &index, &size, 1));
        self.end(entered);
        known == Some(true)
    }

    /// Whether `a + gap <= b`.
    fn order(&mut self, program: &Program, a: &Poly, b: &Poly, gap: i128) -> Option<bool> {
        if self.proves(program, &b.sub(a)?.plus(-gap)) {
            Some(true)
        } else if self.proves(program, &a.sub(b)?.plus(gap - 1)) {
            Some(false)
        } else {
            None
        }
    }

    /// Whether two extents are equal for all arguments that pass the checks.
    pub fn same_extent(&mut self, program: &Program, a: Id, b: Id) -> bool {
        a == b || self.polynomial(program, a) == self.polynomial(program, b)
    }

    /// Whether a condition is known.
    pub fn decide(&mut self, program: &Program, condition: Id) -> Option<bool> {
        self.sync(program);
        for frame in self.frames.iter().rev() {
            if let Some(&holds) = frame.conditions.get(&condition) {
                return Some(holds);
            }
        }
        match *program.node(condition) {
            Node::Constant(constant) => Some(constant.is_true()),
            Node::Unary(Unary::Not, a) => Some(!self.decide(program, a)?),
            Node::Binary(op, a, b) if program.leaf(a).is_integer() => match op {
                Binary::Lt => self.less(program, a, b),
                Binary::Le => self.less_equal(program, a, b),
                Binary::Eq | Binary::Ne => {
                    let (x, y) = (self.polynomial(program, a), self.polynomial(program, b));
                    let equal = if x == y {
                        true
                    } else if self.less(program, a, b) == Some(true)
                        || self.less(program, b, a) == Some(true)
                    {
                        false
                    } else {
                        return None;
                    };
                    Some(equal == (op == Binary::Eq))
                }
                _ => None,
            },
            Node::Binary(op @ (Binary::And | Binary::Or), a, b) => {
                let absorbing = op == Binary::Or;
                let (a, b) = (self.decide(program, a), self.decide(program, b));
                if a == Some(absorbing) || b == Some(absorbing) {
                    Some(absorbing)
                } else {
                    (a.is_some() && b.is_some()).then_some(!absorbing)
                }
            }
            _ => None,
        }
    }
}

/// Whether nothing that is known besides makes a polynomial simpler.
fn is_settled(program: &Program, poly: &Poly) -> bool {
    poly.terms().flat_map(|(atoms, _)| atoms).all(|&atom| {
        matches!(
            program.node(atom),
            Node::Variable(_) | Node::Extent { .. } | Node::Parameter(_) | Node::Index { .. }
        )
    })
}

fn is_unsigned(program: &Program, atoms: &[Id]) -> bool {
    atoms.iter().all(|&atom| !program.leaf(atom).is_signed())
}

/// The values of an integer type.
fn range_of(leaf: Leaf) -> (i128, i128) {
    let bits = leaf.bits();
    if leaf.is_signed() {
        (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    } else {
        (0, (1 << bits) - 1)
    }
}

fn is_zero(program: &Program, id: Id) -> bool {
    matches!(program.node(id), Node::Constant(constant) if constant.bits == 0)
}
