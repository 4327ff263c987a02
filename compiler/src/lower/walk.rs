//! Questions about typed trees that are asked before they are lowered.

use super::value::Key;
use crate::sorted::SortedMap;
use crate::typed::{Expr, ExprKind, Stmt, Type};

/// What lowering a piece of code may write, closures aside (they write only variables of their own). The type is
/// known where the whole variable is assigned.
pub(super) fn written<'a>(expr: &'a Expr, out: &mut SortedMap<Key, Option<&'a Type>>) {
    match &expr.kind {
        ExprKind::Assign(place, value) => {
            let known = place.fields.is_empty().then_some(&value.ty);
            let entry = out.entry(Key::Local(place.local)).or_insert(known);
            *entry = entry.or(known);
        }
        ExprKind::Break(label) => {
            out.insert(Key::broken(*label), None);
        }
        // Of a loop further out; of its own loop it is no state.
        ExprKind::Continue(label) => {
            out.insert(Key::continued(*label), None);
        }
        ExprKind::Return(value) => {
            out.insert(Key::Returned, None);
            let known = value.as_ref().map(|value| &value.ty);
            let entry = out.entry(Key::Result).or_insert(known);
            *entry = entry.or(known);
        }
        _ => {}
    }
    children(expr, &mut |child| written(child, out));
}

/// Whether an expression does anything besides having a value.
pub(super) fn has_effects(expr: &Expr) -> bool {
    let mut found = matches!(
        expr.kind,
        ExprKind::Assign(..)
            | ExprKind::Break(_)
            | ExprKind::Continue(_)
            | ExprKind::Return(_)
            | ExprKind::Assert(..)
    );
    children(expr, &mut |child| found |= has_effects(child));
    found
}

/// The expressions directly inside one, in order; not the bodies of closures.
pub(super) fn children<'a>(expr: &'a Expr, f: &mut impl FnMut(&'a Expr)) {
    match &expr.kind {
        ExprKind::Constant(_)
        | ExprKind::Local(_)
        | ExprKind::Option(None)
        | ExprKind::Closure(_)
        | ExprKind::Break(_)
        | ExprKind::Continue(_)
        | ExprKind::Return(None) => {}
        ExprKind::Tuple(list)
        | ExprKind::Variant(_, list)
        | ExprKind::Math(_, list)
        | ExprKind::Number(_, list)
        | ExprKind::Call(_, list)
        | ExprKind::CallClosure(_, list)
        | ExprKind::Array(_, list)
        | ExprKind::Elementwise(_, list) => list.iter().for_each(f),
        ExprKind::Field(a, _)
        | ExprKind::Option(Some(a))
        | ExprKind::Unary(_, a)
        | ExprKind::Cast(a)
        | ExprKind::Bitcast(a)
        | ExprKind::Return(Some(a))
        | ExprKind::Labelled(_, a)
        | ExprKind::Assign(_, a)
        | ExprKind::Assert(a, _) => f(a),
        ExprKind::Range(a, b)
        | ExprKind::Binary(_, a, b)
        | ExprKind::Index(a, b)
        | ExprKind::Lazy {
            left: a, right: b, ..
        }
        | ExprKind::While {
            condition: a,
            body: b,
            ..
        } => {
            f(a);
            f(b);
        }
        ExprKind::If(a, b, c) => {
            f(a);
            f(b);
            f(c);
        }
        ExprKind::Block(statements, value) => {
            for statement in statements {
                match statement {
                    Stmt::Let { value, .. } => value.iter().for_each(&mut *f),
                    Stmt::Expr(expr) => f(expr),
                }
            }
            value.iter().for_each(|value| f(value));
        }
        ExprKind::Match(value, arms) => {
            f(value);
            for arm in arms {
                arm.guard.iter().for_each(&mut *f);
                f(&arm.body);
            }
        }
        ExprKind::For(each) => {
            f(&each.range.start);
            f(&each.range.end);
            each.range.steps.iter().for_each(|step| f(&step.by));
            f(&each.body);
        }
    }
}
