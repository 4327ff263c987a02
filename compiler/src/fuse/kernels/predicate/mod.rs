//! Loop predication: bounds checks of a counted loop are hoisted before it.
//!
//! In: the statements of a point. Out: the same, in which a loop of a constant trip count has no check, if each of its checks
//! compares an affine function of the counter with a scalar of the launch, or is invariant. A rising index fails from some
//! round on, a falling one in the first round or never: the least of these rounds, or the last round, decides for all. The
//! hoisted checks are those of that round, with its report. No thread enters a scalar loop after a failure, so the
//! conditions hold in the body; loads are predicated by their conjunction, since unrolled rounds are not a loop any more
//! (Kolte and Wolfe, Elimination of redundant array subscript range checks, PLDI 1995).

mod affine;
mod assume;

use crate::fuse::body::values::Values;
use crate::ir::{QuickMap, QuickSet, Site};
use crate::plan::body::Carry;
use crate::plan::uses;
use crate::plan::{Op, Statement, Value};
use crate::scalar::{Binary, Leaf, Scalar, Unary};
use affine::{MOST, is_wide};
use assume::{Assumed, sweep};

/// See the module. `scalars` are what the launch passes.
pub(super) fn run(
    values: &mut Values,
    scalars: impl Iterator<Item = Value>,
    statements: &mut Vec<Statement>,
) {
    if !(uses::checks(statements) && uses::loops(statements)) {
        return;
    }
    let mut predication = Predication {
        values,
        uniform: scalars.collect(),
        operations: QuickMap::default(),
        moved: false,
    };
    predication.list(statements);
    if predication.moved {
        sweep(statements);
    }
}

struct Predication<'v> {
    values: &'v mut Values,
    /// Values of launch scalars and counters alone: the same for all points.
    uniform: QuickSet<Value>,
    operations: QuickMap<Value, Op>,
    moved: bool,
}

/// A loop whose counter goes from zero to `last` by one.
struct Counted<'a> {
    counter: Value,
    last: u64,
    /// Values that the body defines outside of branches.
    own: QuickSet<Value>,
    /// Conditions of its checks.
    checked: QuickSet<Value>,
    /// The hoisted statements.
    before: &'a mut Vec<Statement>,
    /// Own values in the deciding round.
    in_round: QuickMap<Value, Value>,
    /// Whether own values change with the counter.
    varies: QuickMap<Value, bool>,
}

impl Predication<'_> {
    fn list(&mut self, statements: &mut Vec<Statement>) {
        for mut statement in std::mem::take(statements) {
            match &mut statement {
                Statement::Let { value, op } => self.learn(*value, op),
                Statement::Load { .. } | Statement::Store { .. } | Statement::Check { .. } => {}
                Statement::If {
                    then, otherwise, ..
                } => {
                    self.list(then);
                    self.list(otherwise);
                }
                Statement::Fold { body, .. } => self.list(body),
                Statement::Loop {
                    state,
                    test,
                    condition,
                    body,
                } => {
                    self.list(test);
                    match self.counted(state, *condition, body) {
                        Some(counted) => {
                            self.uniform.insert(counted.0);
                            self.list(body);
                            self.predicate(counted, test, body, statements);
                            self.uniform.remove(&counted.0);
                        }
                        None => self.list(body),
                    }
                }
            }
            statements.push(statement);
        }
    }

    fn learn(&mut self, value: Value, op: &Op) {
        let same = |operand: &Value| self.uniform.contains(operand);
        if op.operands().iter().all(same) {
            self.uniform.insert(value);
        }
        self.operations.insert(value, op.clone());
    }

    fn constant(&self, value: Value) -> Option<Scalar> {
        match self.operations.get(&value) {
            Some(Op::Constant(constant)) => Some(*constant),
            _ => None,
        }
    }

    /// The counter of a loop that ends by its count alone, and the counter's last value.
    fn counted(
        &self,
        state: &[Carry],
        condition: Value,
        body: &[Statement],
    ) -> Option<(Value, u64)> {
        let Some(&Op::Binary(Binary::Lt, counter, end)) = self.operations.get(&condition) else {
            return None;
        };
        let end = self.constant(end)?.bits;
        let carry = state.iter().find(|carry| carry.state == counter)?;
        let own = |value: Value| {
            body.iter().find_map(|statement| match statement {
                Statement::Let { value: own, op } if *own == value => Some(op),
                _ => None,
            })
        };
        let leaf = self.values.leaf(counter);
        let is_one = |value: Value| {
            let op = own(value).or_else(|| self.operations.get(&value));
            op == Some(&Op::Constant(Scalar::one(leaf)))
        };
        let steps = match own(carry.next)? {
            Op::Binary(Binary::Add, a, b) => {
                *a == counter && is_one(*b) || *b == counter && is_one(*a)
            }
            _ => false,
        };
        let begins = self.constant(carry.initial) == Some(Scalar::zero(leaf));
        (steps && begins && is_wide(leaf) && (1..=MOST as u64).contains(&end))
            .then(|| (counter, end - 1))
    }

    /// Makes the checks of a loop before it, if all of them can be.
    fn predicate(
        &mut self,
        (counter, last): (Value, u64),
        test: &[Statement],
        body: &mut Vec<Statement>,
        before: &mut Vec<Statement>,
    ) {
        let (mut checks, mut others) = (Vec::new(), Vec::new());
        for statement in &*body {
            match statement {
                Statement::Check {
                    condition,
                    site,
                    values,
                } => checks.push((*condition, *site, values.clone())),
                other => others.push(other.clone()),
            }
        }
        let is_uniform = |(condition, _, values): &(Value, Site, Vec<Value>)| {
            let mut operands = values.iter().chain([condition]);
            operands.all(|value| self.uniform.contains(value))
        };
        let is_hoistable = !checks.is_empty() && checks.iter().all(is_uniform);
        if !is_hoistable || uses::checks(&others) || uses::checks(test) {
            return;
        }
        let mut code = Vec::new();
        let mut counted = Counted {
            counter,
            last,
            own: uses::defined(body).into_iter().chain([counter]).collect(),
            checked: checks.iter().map(|(condition, ..)| *condition).collect(),
            before: &mut code,
            in_round: QuickMap::default(),
            varies: QuickMap::default(),
        };
        let mut rounds = Vec::new();
        for &(condition, ..) in &checks {
            let Some(round) = self.first_failure(condition, &mut counted) else {
                return;
            };
            rounds.push((condition, round));
        }
        let mut holds = None;
        for (condition, site, values) in &checks {
            // The first failure ends the loop. An invariant check that excludes this one does not make it fail earlier.
            let mut round = self.number(last, &mut counted);
            for &(other, first) in &rounds {
                if self.varies(other, &mut counted) || !self.excludes(*condition, other) {
                    round = self.emit(Op::Binary(Binary::Min, round, first), round, &mut counted);
                }
            }
            let varies = |value: &Value| counted.varies.get(value) != Some(&false);
            counted.in_round.retain(|value, _| !varies(value));
            let round = match self.values.leaf(counter) {
                Leaf::U64 => round,
                leaf => self.emit(Op::Cast(leaf, round), counter, &mut counted),
            };
            counted.in_round.insert(counter, round);
            let condition = self.in_round(*condition, &mut counted);
            let values = values
                .iter()
                .map(|&value| self.in_round(value, &mut counted));
            let check = Statement::Check {
                condition,
                site: *site,
                values: values.collect(),
            };
            counted.before.push(check);
            holds = Some(match holds {
                Some(holds) => self.emit(
                    Op::Binary(Binary::And, holds, condition),
                    condition,
                    &mut counted,
                ),
                None => condition,
            });
        }
        let Some(holds) = holds else {
            return;
        };
        let truths = checks.iter().map(|(condition, ..)| (*condition, true));
        let mut assumed = Assumed::new(truths.collect(), holds);
        before.append(&mut code);
        *body = others;
        self.follow(&mut assumed);
        assumed.list(body);
        self.moved = true;
    }

    /// The first round in which a condition is false; one after the last round, if there is none.
    fn first_failure(&mut self, condition: Value, counted: &mut Counted<'_>) -> Option<Value> {
        if !self.varies(condition, counted) {
            let holds = self.in_round(condition, counted);
            return Some(self.at_once(holds, counted));
        }
        match self.operations[&condition] {
            Op::Binary(Binary::Or, a, b) => {
                // Excluded by another check: where that one fails, this one holds.
                let is_other = |value: Value| {
                    let of = self.opposite(value);
                    of.is_some_and(|of| counted.checked.contains(&of))
                };
                match (is_other(a), is_other(b)) {
                    (true, _) => self.first_failure(b, counted),
                    (_, true) => self.first_failure(a, counted),
                    _ => None,
                }
            }
            Op::Binary(Binary::Lt, index, end) if self.values.leaf(index) == Leaf::U64 => {
                if self.varies(end, counted) {
                    return None;
                }
                let end = self.in_round(end, counted);
                let affine = self.affine(index, counted)?;
                let first = self.number(affine.base.try_into().ok()?, counted);
                if affine.slope < 0 {
                    let holds = self.emit(Op::Binary(Binary::Lt, first, end), condition, counted);
                    return Some(self.at_once(holds, counted));
                }
                // The least `round` of those with `end <= base + slope * round`.
                let mut of = |op, a, b| self.emit(Op::Binary(op, a, b), a, counted);
                let mut round = end;
                if affine.base > 0 {
                    let greatest = of(Binary::Max, end, first);
                    round = of(Binary::Sub, greatest, first);
                }
                if affine.slope > 1 {
                    let slope = affine.slope.unsigned_abs();
                    let (up, slope) =
                        (self.number(slope - 1, counted), self.number(slope, counted));
                    let above = self.emit(Op::Binary(Binary::Add, round, up), round, counted);
                    round = self.emit(Op::Binary(Binary::Div, above, slope), round, counted);
                }
                Some(round)
            }
            _ => None,
        }
    }

    /// The first round, unless a condition holds.
    fn at_once(&mut self, holds: Value, counted: &mut Counted<'_>) -> Value {
        let (never, at_once) = (
            self.number(counted.last + 1, counted),
            self.number(0, counted),
        );
        self.emit(Op::Select(holds, never, at_once), never, counted)
    }

    fn opposite(&self, value: Value) -> Option<Value> {
        match self.operations.get(&value) {
            Some(Op::Unary(Unary::Not, of)) => Some(*of),
            _ => None,
        }
    }

    /// Whether a check cannot fail where another one does.
    fn excludes(&self, condition: Value, other: Value) -> bool {
        match self.operations.get(&condition) {
            Some(&Op::Binary(Binary::Or, a, b)) => [a, b].into_iter().any(|operand| {
                self.opposite(operand) == Some(other) || self.excludes(operand, other)
            }),
            _ => false,
        }
    }

    fn varies(&self, value: Value, counted: &mut Counted<'_>) -> bool {
        if !counted.own.contains(&value) {
            return false;
        }
        if value == counted.counter {
            return true;
        }
        if let Some(&known) = counted.varies.get(&value) {
            return known;
        }
        let operands = self
            .operations
            .get(&value)
            .map_or_else(Vec::new, Op::operands);
        let varies = operands
            .into_iter()
            .any(|operand| self.varies(operand, counted));
        counted.varies.insert(value, varies);
        varies
    }

    /// A value in the deciding round.
    fn in_round(&mut self, value: Value, counted: &mut Counted<'_>) -> Value {
        if !counted.own.contains(&value) {
            return value;
        }
        if let Some(&known) = counted.in_round.get(&value) {
            return known;
        }
        let op = self.operations[&value].clone();
        let op = op.map(|operand| self.in_round(operand, counted));
        let copy = self.emit(op, value, counted);
        counted.in_round.insert(value, copy);
        copy
    }

    fn number(&mut self, number: u64, counted: &mut Counted<'_>) -> Value {
        let value = self.values.fresh(Leaf::U64);
        let op = Op::Constant(Scalar::wrapped(Leaf::U64, number));
        self.learn(value, &op);
        counted.before.push(Statement::Let { value, op });
        value
    }

    /// An operation before the loop, of the type of a value.
    fn emit(&mut self, op: Op, like: Value, counted: &mut Counted<'_>) -> Value {
        let value = self.values.fresh(self.values.leaf(like));
        self.learn(value, &op);
        counted.before.push(Statement::Let { value, op });
        value
    }
}
