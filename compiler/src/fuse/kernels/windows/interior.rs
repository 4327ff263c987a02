//! The body of a kernel as it is far from the edges of its domain.
//!
//! In: statements, and how far each coordinate keeps from its ends. Out: statements that give the same, in which what
//! coordinates decide is decided: tests of boundaries are gone, and loops whose rounds are known are written out.
//! Equal values are one value, and an index is known as a polynomial of coordinates and scalars.

use super::Inside;
use super::edges::{Axis, compare, le};
use crate::fuse::body::values::Values;
use crate::ir::QuickMap;
use crate::plan::affine::Polynomial;
use crate::plan::body::Join;
use crate::plan::{Op, Statement, Value};
use crate::scalar::{self, Binary, Leaf, Scalar};
use crate::sorted::{SortedMap, SortedSet};

/// Statements under construction.
pub(super) struct Interior<'a> {
    pub(super) values: &'a mut Values,
    pub(super) axes: &'a [Axis],
    /// Of indices, coordinates and scalars.
    pub(super) polynomials: SortedMap<Value, Polynomial>,
    /// Tests of coordinates that are left.
    pub(super) undecided: u32,
    pub(super) constants: QuickMap<Value, Scalar>,
    /// By the body's values.
    pub(super) renamed: Renamed,
    scopes: Vec<Scope>,
    pub(super) written: usize,
    scalars: SortedSet<Value>,
    given: Vec<Value>,
}

/// What is known before the body.
#[derive(Clone)]
pub(super) struct Known {
    /// Of coordinates and scalars.
    pub(super) polynomials: SortedMap<Value, Polynomial>,
    /// Of scalars.
    pub(super) truths: SortedMap<Value, bool>,
    /// What the host passes.
    pub(super) scalars: SortedSet<Value>,
}

/// What values have become, by their numbers.
#[derive(Default)]
pub(super) struct Renamed(Vec<Option<Value>>);

impl Renamed {
    pub(super) fn insert(&mut self, value: Value, to: Value) {
        let at = value.0 as usize;
        if at >= self.0.len() {
            self.0.resize(at + 1, None);
        }
        self.0[at] = Some(to);
    }

    fn of(&self, value: Value) -> Value {
        self.0
            .get(value.0 as usize)
            .copied()
            .flatten()
            .unwrap_or(value)
    }
}

/// A list, and which values it has.
#[derive(Clone, Default)]
struct Scope {
    statements: Vec<Statement>,
    operations: QuickMap<Op, Value>,
    indices: SortedMap<Polynomial, Value>,
    loads: QuickMap<(usize, Value), Value>,
}

/// The backward slice of values through operations, last to first; what it starts from.
pub(super) fn backward_slice<'s>(
    statements: &'s [Statement],
    values: &[Value],
    mut each: impl FnMut(Value, &'s Op),
) -> SortedSet<Value> {
    let mut needed: SortedSet<Value> = values.iter().copied().collect();
    for statement in statements.iter().rev() {
        if let Statement::Let { value, op } = statement
            && needed.remove(value)
        {
            each(*value, op);
            needed.extend(op.operands());
        }
    }
    needed
}

impl<'a> Interior<'a> {
    /// Nothing written.
    pub(super) fn new(values: &'a mut Values, axes: &'a [Axis], known: Known) -> Interior<'a> {
        let Known {
            polynomials,
            truths,
            scalars,
        } = known;
        let constants = truths
            .into_iter()
            .map(|(value, truth)| (value, Scalar::bool(truth)));
        let known = Scope {
            indices: polynomials
                .iter()
                .map(|(&value, p)| (p.clone(), value))
                .collect(),
            ..Scope::default()
        };
        Interior {
            values,
            axes,
            polynomials,
            undecided: 0,
            constants: constants.collect(),
            renamed: Renamed::default(),
            scopes: vec![known],
            written: 0,
            scalars,
            given: Vec::new(),
        }
    }

    /// All that was written.
    pub(super) fn finish(mut self) -> Inside {
        Inside {
            statements: self.scopes.remove(0).statements,
            polynomials: self.polynomials,
            undecided: self.undecided,
            given: self.given,
        }
    }

    fn fresh(&mut self, like: Value) -> Value {
        self.values.fresh_like(like)
    }

    pub(super) fn push(&mut self, statement: Statement) {
        self.written += 1;
        let scope = self.scopes.last_mut().expect("an open scope");
        scope.statements.push(statement);
    }

    /// What a value of the body has become.
    pub(super) fn of(&self, value: Value) -> Value {
        self.renamed.of(value)
    }

    pub(super) fn all(&self, values: &[Value]) -> Vec<Value> {
        values.iter().map(|&value| self.of(value)).collect()
    }

    /// A fresh name for something that is not looked into.
    pub(super) fn opaque(&mut self, value: Value) -> Value {
        let fresh = self.fresh(value);
        self.renamed.insert(value, fresh);
        fresh
    }

    pub(super) fn truth(&self, value: Value) -> Option<bool> {
        self.constants
            .get(&value)
            .map(|constant| constant.is_true())
    }

    fn polynomial(&self, value: Value) -> Polynomial {
        let known = self.polynomials.get(&value).cloned();
        known.unwrap_or_else(|| Polynomial::atom(value))
    }

    /// A list of its own.
    pub(super) fn nested(&mut self, statements: &[Statement]) -> Vec<Statement> {
        self.scopes.push(Scope::default());
        self.list(statements);
        self.scopes.pop().expect("just opened").statements
    }

    /// Statements in order.
    pub(super) fn list(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Let { value, op } => {
                let op = op.map(|value| self.of(value));
                let done = self.operation(op, *value);
                self.renamed.insert(*value, done);
            }
            Statement::Load {
                value,
                buffer,
                index,
                guard,
            } => self.load(*value, *buffer, *index, *guard),
            Statement::Store {
                buffer,
                index,
                value,
            } => self.push(Statement::Store {
                buffer: *buffer,
                index: self.of(*index),
                value: self.of(*value),
            }),
            Statement::Check {
                condition,
                site,
                values,
            } => {
                let condition = self.of(*condition);
                match self.truth(condition) {
                    Some(true) => {}
                    // Where it fails there are no tiles.
                    None if self.is_of_scalars(condition) => {
                        self.constants.insert(condition, Scalar::bool(true));
                        self.given.push(condition);
                    }
                    None | Some(false) => {
                        let values = self.all(values);
                        self.push(Statement::Check {
                            condition,
                            site: *site,
                            values,
                        });
                    }
                }
            }
            Statement::If {
                condition,
                then,
                otherwise,
                results,
            } => self.branch(*condition, then, otherwise, results),
            Statement::Loop {
                state,
                test,
                condition,
                body,
            } => {
                let before = (self.scopes.clone(), self.undecided, self.written);
                if !self.rounds(state, test, *condition, body) {
                    (self.scopes, self.undecided, self.written) = before;
                    self.repeat(state, test, *condition, body);
                }
            }
            Statement::Fold {
                extents,
                vars,
                body,
                folds,
            } => {
                let before = (self.scopes.clone(), self.undecided, self.written);
                if !self.unrolled(extents, vars, body, folds) {
                    (self.scopes, self.undecided, self.written) = before;
                    self.fold(extents, vars, body, folds);
                }
            }
        }
    }

    /// Whether every point gets here, and operations on scalars give this value.
    fn is_of_scalars(&self, value: Value) -> bool {
        let [scope] = &self.scopes[..] else {
            return false;
        };
        let operands = backward_slice(&scope.statements, &[value], |_, _| ());
        operands
            .iter()
            .all(|operand| self.scalars.contains(operand))
    }

    /// An operation on values of here: something known, or a new value like `like`.
    pub(super) fn operation(&mut self, op: Op, like: Value) -> Value {
        if let Some(known) = self.known(&op) {
            return known;
        }
        let op = match self.folded(&op) {
            Some(constant) => Op::Constant(constant),
            None => op,
        };
        let index = match self.values.leaf(like) {
            Leaf::U64 => self.index(&op),
            _ => None,
        };
        let same = self.scopes.iter().rev().find_map(|scope| {
            let by_index = index.as_ref().and_then(|index| scope.indices.get(index));
            by_index.or_else(|| scope.operations.get(&op)).copied()
        });
        if let Some(same) = same {
            return same;
        }
        let value = self.fresh(like);
        let scope = self.scopes.last_mut().expect("an open scope");
        scope.operations.insert(op.clone(), value);
        if let Some(index) = index {
            scope.indices.insert(index.clone(), value);
            self.polynomials.insert(value, index);
        }
        if let Op::Constant(constant) = op {
            self.constants.insert(value, constant);
        }
        self.push(Statement::Let { value, op });
        value
    }

    /// The operand that an operation gives.
    fn known(&mut self, op: &Op) -> Option<Value> {
        match *op {
            Op::Binary(op @ (Binary::Min | Binary::Max), a, b)
                if self.values.leaf(a) == Leaf::U64 =>
            {
                let [first, second] = [a, b].map(|value| self.polynomial(value));
                let [least, most] = if op == Binary::Min { [a, b] } else { [b, a] };
                if le(self.axes, &first, &second) == Some(true) {
                    return Some(least);
                }
                if le(self.axes, &second, &first) == Some(true) {
                    return Some(most);
                }
                self.count_undecided(&[first, second]);
                None
            }
            Op::Binary(op @ (Binary::And | Binary::Or), a, b)
                if self.values.leaf(a) == Leaf::Bool =>
            {
                let neutral = Some(op == Binary::And);
                match (self.truth(a), self.truth(b)) {
                    (Some(known), _) => Some(if Some(known) == neutral { b } else { a }),
                    (_, Some(known)) => Some(if Some(known) == neutral { a } else { b }),
                    (None, None) => None,
                }
            }
            Op::Binary(Binary::Rem, a, b) if self.values.leaf(a) == Leaf::U64 => {
                let [index, period] = [a, b].map(|value| self.polynomial(value));
                match compare(self.axes, Binary::Lt, &index, &period) {
                    Some(true) => Some(a),
                    _ => {
                        self.count_undecided(&[index, period]);
                        None
                    }
                }
            }
            Op::Select(condition, a, b) => match self.truth(condition) {
                Some(true) => Some(a),
                Some(false) => Some(b),
                None => (a == b).then_some(a),
            },
            _ => None,
        }
    }

    fn count_undecided(&mut self, sides: &[Polynomial]) {
        let coordinate = |value: Value| self.axes.iter().any(|axis| axis.var == value);
        let depends = sides.iter().any(|side| side.values().any(coordinate));
        self.undecided += u32::from(depends);
    }

    /// What an operation gives, if that is known.
    fn folded(&mut self, op: &Op) -> Option<Scalar> {
        let constant = |value: Value| self.constants.get(&value).copied();
        match *op {
            Op::Unary(op, a) => constant(a).map(|a| scalar::unary(op, a)),
            Op::Cast(to, a) => constant(a).map(|a| scalar::cast(to, a)),
            Op::Bitcast(to, a) => constant(a).map(|a| scalar::bitcast(to, a)),
            Op::Binary(op, a, b) => {
                if let (Some(a), Some(b)) = (constant(a), constant(b)) {
                    return Some(scalar::binary(op, a, b));
                }
                let test = matches!(op, Binary::Lt | Binary::Le | Binary::Eq | Binary::Ne);
                if !test || self.values.leaf(a) != Leaf::U64 {
                    return None;
                }
                let [a, b] = [a, b].map(|value| self.polynomial(value));
                let decided = compare(self.axes, op, &a, &b);
                if decided.is_none() {
                    self.count_undecided(&[a, b]);
                }
                decided.map(Scalar::bool)
            }
            Op::Constant(_) | Op::Select(..) | Op::Math(..) | Op::Foreign(..) => None,
        }
    }

    /// An operation on indices as a polynomial.
    fn index(&self, op: &Op) -> Option<Polynomial> {
        let of = |value: &Value| self.polynomial(*value);
        match op {
            Op::Constant(constant) => Some(Polynomial::constant(constant.bits)),
            Op::Binary(Binary::Add, a, b) => Some(of(a).plus(&of(b), 1)),
            Op::Binary(Binary::Sub, a, b) => Some(of(a).minus(&of(b))),
            Op::Binary(Binary::Mul, a, b) => Some(of(a).times(&of(b))),
            _ => None,
        }
    }

    fn load(&mut self, value: Value, buffer: usize, index: Value, guard: Option<Value>) {
        let guard = guard.map(|guard| self.of(guard));
        let index = self.of(index);
        let guard = match guard.map(|guard| (guard, self.truth(guard))) {
            None | Some((_, Some(true))) => None,
            Some((guard, _)) => Some(guard),
        };
        if guard.is_none() {
            let mut scopes = self.scopes.iter().rev();
            if let Some(&same) = scopes.find_map(|scope| scope.loads.get(&(buffer, index))) {
                self.renamed.insert(value, same);
                return;
            }
        }
        let loaded = self.opaque(value);
        if guard.is_none() {
            let scope = self.scopes.last_mut().expect("an open scope");
            scope.loads.insert((buffer, index), loaded);
        }
        self.push(Statement::Load {
            value: loaded,
            buffer,
            index,
            guard,
        });
    }

    fn branch(
        &mut self,
        condition: Value,
        then: &[Statement],
        otherwise: &[Statement],
        results: &[Join],
    ) {
        let condition = self.of(condition);
        if let Some(holds) = self.truth(condition) {
            self.list(if holds { then } else { otherwise });
            for join in results {
                let taken = self.of(if holds { join.then } else { join.otherwise });
                self.renamed.insert(join.result, taken);
            }
            return;
        }
        let then = self.nested(then);
        let otherwise = self.nested(otherwise);
        let results = results.iter().map(|join| Join {
            then: self.of(join.then),
            otherwise: self.of(join.otherwise),
            result: self.opaque(join.result),
        });
        let results = results.collect();
        self.push(Statement::If {
            condition,
            then,
            otherwise,
            results,
        });
    }
}
