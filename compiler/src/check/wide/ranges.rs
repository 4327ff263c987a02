//! `for` over a range of integers of 128 bits: rounds that are counted in a `u64`, and what they are from the start.

use super::constant;
use crate::check::{Checker, expr, unit};
use crate::scalar::{Binary, Leaf, Scalar};
use crate::typed::{Elementwise, Expr, ExprKind, For, LoopRange, Pattern, Stmt, Type};
use proc_macro2::Span;

const COUNT: Type = Type::Leaf(Leaf::U64);

impl Checker<'_> {
    /// The loop of a range of such integers. One of more than 2^64 rounds ends no earlier than any other.
    pub(super) fn wide_for(&mut self, it: For, at: Span) -> ExprKind {
        let ty = it.range.start.ty.clone();
        let (first, start) = self.saved(it.range.start);
        let (second, end) = self.saved(it.range.end);
        let compare = match it.range.inclusive {
            true => Binary::Le,
            false => Binary::Lt,
        };
        let some = self.wide_operation(
            compare,
            start.clone(),
            end.clone(),
            Type::Leaf(Leaf::Bool),
            at,
        );
        let distance = self.wide_operation(Binary::Sub, end.clone(), start.clone(), ty.clone(), at);
        let distance = cast(distance, Type::U128);
        let number = |value| {
            let kind = ExprKind::Constant(Scalar::wrapped(Leaf::U64, value));
            expr(kind, COUNT, at)
        };
        let most = u128::from(u64::MAX) - u128::from(it.range.inclusive);
        let most = constant(most, &Type::U128, at);
        let count = self.wide_operation(Binary::Min, distance, most, Type::U128, at);
        let mut count = cast(count, COUNT);
        if it.range.inclusive {
            count = self.wide_operation(Binary::Add, count, number(1), COUNT, at);
        }
        let count = ExprKind::If(Box::new(some), Box::new(count), Box::new(number(0)));
        let local = self.fresh_local("round", at);
        let round = cast(expr(ExprKind::Local(local), COUNT, at), ty.clone());
        let value = match (it.range.reversed, it.range.inclusive) {
            (false, _) => self.wide_operation(Binary::Add, start, round, ty.clone(), at),
            (true, true) => self.wide_operation(Binary::Sub, end, round, ty.clone(), at),
            (true, false) => {
                let one = constant(1, &ty, at);
                let last = self.wide_operation(Binary::Sub, end, one, ty.clone(), at);
                self.wide_operation(Binary::Sub, last, round, ty.clone(), at)
            }
        };
        let bound = Stmt::Let {
            pattern: it.pattern,
            value: Some(value),
        };
        let body = ExprKind::Block(vec![bound, Stmt::Expr(it.body)], None);
        let rounds = For {
            label: it.label,
            pattern: Pattern::Bind {
                local,
                name: "round".to_string(),
                ty: COUNT,
                inner: None,
            },
            range: LoopRange {
                start: number(0),
                end: expr(count, COUNT, at),
                inclusive: false,
                reversed: false,
                steps: it.range.steps,
            },
            body: expr(body, unit(), at),
        };
        let rounds = expr(ExprKind::For(Box::new(rounds)), unit(), at);
        ExprKind::Block(vec![first, second, Stmt::Expr(rounds)], None)
    }

    fn wide_operation(&mut self, op: Binary, left: Expr, right: Expr, ty: Type, at: Span) -> Expr {
        let exchanged = false;
        let kind =
            self.scalar_operator(Elementwise::Binary { op, exchanged }, vec![left, right], at);
        expr(kind, ty, at)
    }
}

fn cast(value: Expr, ty: Type) -> Expr {
    let span = value.span;
    expr(ExprKind::Cast(Box::new(value)), ty, span)
}
