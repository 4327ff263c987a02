//! Which values of a body are one function of the place, evaluated at different distances.
//!
//! Every value that is made of loads, coordinates and arithmetic has a *kind*, the function, and an *anchor*, the
//! distance at which it is evaluated: `xs[i + 1] * 2` is of the kind of `xs[i] * 2`, one further. An operation on values
//! is anchored where its first operand is that has an anchor; the distances of the others to it belong to the kind.

use crate::ir::QuickMap;
use crate::plan::affine::Polynomial;
use crate::plan::{Op, Statement, Value};
use crate::scalar::Binary;
use crate::sorted::{SortedMap, SortedSet};

/// Numbers kinds, operands before users.
pub(super) type Kind = usize;
/// A distance along each axis.
pub(super) type Anchor = Vec<i64>;

/// What is known of a value: its kind, and where it is anchored; nothing if it is the same everywhere.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Shift {
    pub(super) kind: Kind,
    pub(super) anchor: Option<Anchor>,
}

/// The kinds of a body.
pub(super) struct Shifts<'a> {
    vars: &'a [Value],
    /// What a polynomial may be made of, besides coordinates.
    scalars: &'a [Value],
    polynomials: &'a SortedMap<Value, Polynomial>,
    pub(super) of: SortedMap<Value, Shift>,
    /// Values that are polynomials of coordinates and scalars.
    pub(super) indices: SortedSet<Value>,
    kinds: QuickMap<Key, Kind>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Key {
    /// The same everywhere.
    Constant(Value),
    Index(Polynomial),
    Load(usize, Kind),
    /// An operation without its operands, and these with their distances from the first anchor.
    Op(Op, Vec<Shift>),
}

impl<'a> Shifts<'a> {
    /// Of statements over a domain's coordinates.
    pub(super) fn of(
        statements: &[Statement],
        vars: &'a [Value],
        scalars: &'a [Value],
        polynomials: &'a SortedMap<Value, Polynomial>,
    ) -> Shifts<'a> {
        let mut shifts = Shifts {
            vars,
            scalars,
            polynomials,
            of: SortedMap::new(),
            indices: SortedSet::new(),
            kinds: QuickMap::default(),
        };
        for &value in scalars.iter().chain(vars) {
            shifts.index(value);
        }
        shifts.list(statements);
        shifts
    }

    fn list(&mut self, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::Let { value, op } => {
                    if !self.index(*value) {
                        self.operation(*value, op);
                    }
                }
                Statement::Load {
                    value,
                    buffer,
                    index,
                    guard: None,
                } => {
                    if let Some(Shift { kind, anchor }) = self.of.get(index).cloned() {
                        let kind = self.kind(Key::Load(*buffer, kind));
                        self.of.insert(*value, Shift { kind, anchor });
                    }
                }
                Statement::If {
                    then, otherwise, ..
                } => {
                    self.list(then);
                    self.list(otherwise);
                }
                Statement::Load { .. }
                | Statement::Store { .. }
                | Statement::Check { .. }
                | Statement::Loop { .. }
                | Statement::Fold { .. } => {}
            }
        }
    }

    fn kind(&mut self, key: Key) -> Kind {
        let next = self.kinds.len();
        *self.kinds.entry(key).or_insert(next)
    }

    /// An index: whether it is one whose kind is found.
    fn index(&mut self, value: Value) -> bool {
        let own = Polynomial::atom(value);
        let polynomial = match self.polynomials.get(&value) {
            Some(polynomial) => polynomial,
            None if self.vars.contains(&value) => &own,
            None if self.scalars.contains(&value) => {
                let kind = self.kind(Key::Constant(value));
                self.of.insert(value, Shift { kind, anchor: None });
                return true;
            }
            None => return false,
        };
        let Some((base, anchor)) = self.anchored(polynomial) else {
            return false;
        };
        let kind = self.kind(Key::Index(base));
        self.of.insert(value, Shift { kind, anchor });
        self.indices.insert(value);
        true
    }

    /// The same polynomial nearer to the place, and how far it was.
    fn anchored(&self, polynomial: &Polynomial) -> Option<(Polynomial, Option<Anchor>)> {
        let known = |value: &Value| self.vars.contains(value) || self.scalars.contains(value);
        if !polynomial.values().all(|value| known(&value)) {
            return None;
        }
        // What one more of each coordinate adds.
        let mut strides = vec![Polynomial::default(); self.vars.len()];
        for (product, factor) in polynomial.terms() {
            let axis = |value: &Value| self.vars.iter().position(|var| var == value);
            let mut axes = product.iter().filter_map(axis);
            let Some(axis) = axes.next() else {
                continue;
            };
            if axes.next().is_some() {
                return None;
            }
            let rest = product.iter().filter(|value| **value != self.vars[axis]);
            strides[axis].add_term(rest.copied().collect(), factor);
        }
        // By its leading term, the largest stride first.
        let leading = |stride: &Polynomial| {
            let terms = stride
                .terms()
                .map(|(product, factor)| (product.to_vec(), factor as i64));
            terms.max_by_key(|(product, factor)| (product.len(), factor.unsigned_abs()))
        };
        let found = strides.iter().enumerate();
        let mut found: Vec<(usize, Vec<Value>, i64)> = found
            .filter_map(|(axis, stride)| {
                leading(stride).map(|(product, factor)| (axis, product, factor))
            })
            .collect();
        if found.is_empty() {
            return Some((polynomial.clone(), None));
        }
        found.sort_by_key(|(axis, product, factor)| {
            (
                std::cmp::Reverse((product.len(), factor.unsigned_abs())),
                *axis,
            )
        });
        let mut anchor = vec![0; self.vars.len()];
        let mut base = polynomial.clone();
        for (axis, product, factor) in found {
            let number = base.terms().find(|(other, _)| *other == product);
            let distance = number.map_or(0, |(_, number)| nearest(number as i64, factor));
            anchor[axis] = distance;
            base = base.plus(&strides[axis], distance.wrapping_neg() as u64);
        }
        Some((base, Some(anchor)))
    }

    fn operation(&mut self, value: Value, op: &Op) {
        let operands = op.operands();
        let shifts = operands.iter().map(|operand| self.of.get(operand).cloned());
        let Some(mut shifts) = shifts.collect::<Option<Vec<Shift>>>() else {
            return;
        };
        if let Op::Binary(Binary::Add | Binary::Mul, ..) = op {
            shifts.sort();
        }
        let anchor = shifts.iter().find_map(|shift| shift.anchor.clone());
        if let Some(anchor) = &anchor {
            for own in shifts.iter_mut().filter_map(|shift| shift.anchor.as_mut()) {
                for (own, first) in own.iter_mut().zip(anchor) {
                    *own -= first;
                }
            }
        }
        let kind = self.kind(Key::Op(op.map(|_| Value(0)), shifts));
        self.of.insert(value, Shift { kind, anchor });
    }

    /// Kinds of which there are several: with all their anchors.
    pub(super) fn repeated(&self) -> SortedMap<Kind, SortedSet<Anchor>> {
        let mut found: SortedMap<Kind, SortedSet<Anchor>> = SortedMap::new();
        for shift in self.of.values() {
            if let Some(anchor) = &shift.anchor {
                found.entry(shift.kind).or_default().insert(anchor.clone());
            }
        }
        found.retain(|_, anchors| anchors.len() > 1);
        found
    }
}

/// How many strides are nearest to a number.
fn nearest(number: i64, stride: i64) -> i64 {
    let half = stride.unsigned_abs() / 2;
    let Some(shifted) = number.checked_add_unsigned(half) else {
        return 0;
    };
    let steps = shifted
        .checked_div_euclid(stride.wrapping_abs().max(1))
        .unwrap_or(0);
    if stride < 0 { -steps } else { steps }
}
