//! Loop unrolling: a `for` of known trip count over fixed arrays is lowered round after round. Its indices are constants then, so
//! an element is a value of its own, and not chosen among all by selects.

use super::Lower;
use super::value::{Key, Value};
use super::walk::{children, written};
use crate::ir::Id;
use crate::scalar::Scalar;
use crate::typed::{Block, Expr, ExprKind, For, Label, Type};
use std::collections::BTreeMap;

/// The largest trip count: a fixed array has no more elements.
const MOST_ROUNDS: i128 = 256;

/// The largest size of an unrolled loop, in expressions.
const MOST_EXPRESSIONS: u64 = 1 << 15;

impl<'a> Lower<'a> {
    /// The values of the induction variable of a `for` that is to be unrolled: few and known, and fixed arrays are indexed.
    pub(super) fn unrolled(
        &self,
        each: &'a For,
        start: Id,
        end: Id,
        steps: &[Id],
    ) -> Option<Vec<Scalar>> {
        let first = self.constant_of(start)?;
        let (from, to) = (first.as_i128(), self.constant_of(end)?.as_i128());
        let mut by = Vec::new();
        for &step in steps {
            let step = usize::try_from(self.constant_of(step)?.as_i128()).ok()?;
            by.push((step > 0).then_some(step)?);
        }
        let first_step = by.first().copied().unwrap_or(1);
        let to = to + i128::from(each.range.inclusive);
        if (to - from) / first_step as i128 >= MOST_ROUNDS {
            return None;
        }
        let mut values: Vec<i128> = match each.range.reversed {
            true => (from..to).rev().step_by(first_step).collect(),
            false => (from..to).step_by(first_step).collect(),
        };
        for (position, step) in each.range.steps.iter().enumerate() {
            if position > 0 {
                values = values.into_iter().step_by(by[position]).collect();
            }
            if step.backwards {
                values.reverse();
            }
        }
        let mut measure = Measure {
            block: self.block,
            calls: self.frame.calls.clone(),
            indexes: false,
        };
        let size = measure.size(&each.body).saturating_mul(values.len() as u64);
        let unrolls = measure.indexes
            && size <= MOST_EXPRESSIONS
            && !leaves(&each.body, each.label)
            && !self.writes_arrays(&each.body);
        let value = |value| Scalar::wrapped(first.leaf, value as u64);
        unrolls.then(|| values.into_iter().map(value).collect())
    }

    fn writes_arrays(&self, body: &'a Expr) -> bool {
        let mut writes: BTreeMap<Key, Option<&Type>> = BTreeMap::new();
        written(body, &mut writes);
        let mut values = writes.keys().filter_map(|key| self.environment.get(key));
        values.any(Value::has_array)
    }
}

/// Whether a round may leave its loop, or what is around it.
fn leaves(expr: &Expr, label: Label) -> bool {
    let mut found = match expr.kind {
        ExprKind::Return(_) => true,
        ExprKind::Break(of) | ExprKind::Continue(of) => of == label,
        _ => false,
    };
    children(expr, &mut |child| found = found || leaves(child, label));
    found
}

/// Looks through an expression and what it calls.
struct Measure<'a> {
    block: &'a Block,
    /// The functions around.
    calls: Vec<usize>,
    /// Whether a fixed array is indexed by what is no constant.
    indexes: bool,
}

impl Measure<'_> {
    /// The size of an expression with functions inlined and loops of known trip count unrolled.
    fn size(&mut self, expr: &Expr) -> u64 {
        let mut size = 1u64;
        children(expr, &mut |child| {
            size = size.saturating_add(self.size(child));
        });
        match &expr.kind {
            ExprKind::Index(array, index) => {
                let fixed = matches!(array.ty, Type::Fixed(..));
                self.indexes |= fixed && !matches!(index.kind, ExprKind::Constant(_));
                size
            }
            ExprKind::Number("with", _) => {
                self.indexes = true;
                size
            }
            &ExprKind::Call(function, _) if !self.calls.contains(&function) => {
                self.calls.push(function);
                let body = self.size(&self.block.functions[function].body);
                self.calls.pop();
                size.saturating_add(body)
            }
            ExprKind::For(each) => {
                let end = |expr: &Expr| match expr.kind {
                    ExprKind::Constant(scalar) => Some(scalar.as_i128()),
                    _ => None,
                };
                let ends = end(&each.range.start).zip(end(&each.range.end));
                let rounds = ends.map_or(1, |(from, to)| (to - from).clamp(1, MOST_ROUNDS));
                size.saturating_mul(rounds as u64)
            }
            _ => size,
        }
    }
}
