//! Loop predication: what the rounds of a counted loop check alike is checked once, before the loop.
//!
//! In: the statements of a point. Out: the same, in which a loop of constant bounds has no check, if each of its checks compares
//! its counter with a number that is known at the launch, or none that changes. Such a check holds until some round and never
//! again: the least of these rounds, or the last one, tells for all. There the checks are made, as that round makes them, and so
//! is the report; the loop, which no thread enters after a failure, takes them as true. Its reads are predicated by all of them
//! together, since its rounds may be written out (Kolte and Wolfe, Elimination of redundant array subscript range checks,
//! PLDI 1995).

mod assume;
mod line;

use crate::fuse::body::values::Values;
use crate::ir::{QuickMap, QuickSet};
use crate::plan::body::Carry;
use crate::plan::uses;
use crate::plan::{Op, Statement, Value};
use crate::scalar::{Binary, Leaf, Scalar, Unary};
use assume::{Assumed, sweep};
use line::{MOST, is_wide};

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
    /// What is computed of scalars of the launch and of counters alone: the same for all points that come there.
    uniform: QuickSet<Value>,
    operations: QuickMap<Value, Op>,
    moved: bool,
}

/// A loop whose counter goes from zero to `last` by one.
struct Counted<'a> {
    counter: Value,
    last: u64,
    /// What it defines, in no branch of it.
    own: QuickSet<Value>,
    /// Conditions of its checks.
    checked: QuickSet<Value>,
    /// What comes before it.
    before: &'a mut Vec<Statement>,
    /// Own values in the round that decides.
    there: QuickMap<Value, Value>,
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
        let is_check = |statement: &Statement| matches!(statement, Statement::Check { .. });
        let (checks, others): (Vec<Statement>, Vec<Statement>) =
            body.iter().cloned().partition(is_check);
        let mut checked = QuickSet::default();
        for check in &checks {
            let Statement::Check {
                condition, values, ..
            } = check
            else {
                unreachable!("only checks are here");
            };
            if !values
                .iter()
                .chain([condition])
                .all(|value| self.uniform.contains(value))
            {
                return;
            }
            checked.insert(*condition);
        }
        if checks.is_empty() || uses::checks(&others) || uses::checks(test) {
            return;
        }
        let mut code = Vec::new();
        let mut counted = Counted {
            counter,
            last,
            own: uses::defined(body).into_iter().chain([counter]).collect(),
            checked,
            before: &mut code,
            there: QuickMap::default(),
            varies: QuickMap::default(),
        };
        let conditions: Vec<Value> = checks.iter().filter_map(condition).collect();
        let mut rounds = Vec::new();
        for &condition in &conditions {
            let Some(fails) = self.fails(condition, &mut counted) else {
                return;
            };
            rounds.push((condition, fails));
        }
        let mut holds = None;
        for check in &checks {
            let Statement::Check {
                condition,
                site,
                values,
            } = check
            else {
                unreachable!("only checks are here");
            };
            // Whatever fails first ends the loop. This check holds throughout beside one that fails and does not change.
            let mut round = self.number(last, &mut counted);
            for &(other, fails) in &rounds {
                if self.varies(other, &mut counted) || !self.is_beside(*condition, other) {
                    round = self.emit(Op::Binary(Binary::Min, round, fails), round, &mut counted);
                }
            }
            let varies = |value: &Value| counted.varies.get(value) != Some(&false);
            counted.there.retain(|value, _| !varies(value));
            let round = match self.values.leaf(counter) {
                Leaf::U64 => round,
                leaf => self.emit(Op::Cast(leaf, round), counter, &mut counted),
            };
            counted.there.insert(counter, round);
            let condition = self.there(*condition, &mut counted);
            let values = values.iter().map(|&value| self.there(value, &mut counted));
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
        let truths = conditions.into_iter().map(|condition| (condition, true));
        let mut assumed = Assumed::new(truths.collect(), holds);
        before.append(&mut code);
        *body = others;
        self.follow(&mut assumed);
        assumed.list(body);
        self.moved = true;
    }

    /// The first round in which a condition is false, if it stays so or is at once; any later one than the last, if it never is.
    fn fails(&mut self, condition: Value, counted: &mut Counted<'_>) -> Option<Value> {
        if !self.varies(condition, counted) {
            let holds = self.there(condition, counted);
            return Some(self.at_once(holds, counted));
        }
        match self.operations[&condition] {
            Op::Binary(Binary::Or, a, b) => {
                // Beside the opposite of another check: where that fails, this one holds.
                let is_other = |value: Value| {
                    let of = self.opposite(value);
                    of.is_some_and(|of| counted.checked.contains(&of))
                };
                match (is_other(a), is_other(b)) {
                    (true, _) => self.fails(b, counted),
                    (_, true) => self.fails(a, counted),
                    _ => None,
                }
            }
            Op::Binary(Binary::Lt, index, end) if self.values.leaf(index) == Leaf::U64 => {
                if self.varies(end, counted) {
                    return None;
                }
                let end = self.there(end, counted);
                let line = self.line(index, counted)?;
                let first = self.number(line.base.try_into().ok()?, counted);
                if line.slope < 0 {
                    let holds = self.emit(Op::Binary(Binary::Lt, first, end), condition, counted);
                    return Some(self.at_once(holds, counted));
                }
                // The least `round` of those with `end <= base + slope * round`.
                let mut of = |op, a, b| self.emit(Op::Binary(op, a, b), a, counted);
                let mut round = end;
                if line.base > 0 {
                    let greatest = of(Binary::Max, end, first);
                    round = of(Binary::Sub, greatest, first);
                }
                if line.slope > 1 {
                    let slope = line.slope.unsigned_abs();
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

    /// Whether a condition holds wherever another one does not.
    fn is_beside(&self, condition: Value, other: Value) -> bool {
        match self.operations.get(&condition) {
            Some(&Op::Binary(Binary::Or, a, b)) => [a, b].into_iter().any(|operand| {
                self.opposite(operand) == Some(other) || self.is_beside(operand, other)
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

    /// A value in the round that decides.
    fn there(&mut self, value: Value, counted: &mut Counted<'_>) -> Value {
        if !counted.own.contains(&value) {
            return value;
        }
        if let Some(&there) = counted.there.get(&value) {
            return there;
        }
        let op = self.operations[&value].clone();
        let op = op.map(|operand| self.there(operand, counted));
        let there = self.emit(op, value, counted);
        counted.there.insert(value, there);
        there
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

fn condition(check: &Statement) -> Option<Value> {
    match check {
        Statement::Check { condition, .. } => Some(*condition),
        _ => None,
    }
}
