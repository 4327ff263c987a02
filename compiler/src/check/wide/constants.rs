//! The same integers in constants: evaluated as Rust does.

use super::{constant, value};
use crate::check::infer::leaf;
use crate::check::{Refusal, expr};
use crate::scalar::{Binary, Leaf, Scalar, Unary};
use crate::typed::{Expr, ExprKind, Type};
use proc_macro2::Span;

/// An operator on evaluated operands, the left of which is of 128 bits.
pub(in crate::check) fn fold_binary(
    op: Binary,
    left: &Expr,
    right: &Expr,
    ty: &Type,
    at: Span,
) -> Result<Expr, Refusal> {
    let other = || Err((at, "this operation is not evaluated here".to_string()));
    let Some(x) = value(left) else {
        return other();
    };
    let signed = left.ty == Type::I128;
    if matches!(op, Binary::Shl | Binary::Shr) {
        let ExprKind::Constant(by) = right.kind else {
            return other();
        };
        let by = by.bits as u32;
        if by >= 128 {
            let name = if signed { "i128" } else { "u128" };
            return Err((at, format!("it shifts a `{name}` by {by}")));
        }
        let bits = match (op, signed) {
            (Binary::Shl, _) => x << by,
            (_, true) => (x as i128 >> by) as u128,
            (_, false) => x >> by,
        };
        return Ok(constant(bits, ty, at));
    }
    let Some(y) = value(right) else {
        return other();
    };
    let (a, b) = (x as i128, y as i128);
    let truth = |value: bool| {
        let value = Scalar::wrapped(Leaf::Bool, u64::from(value));
        Ok(expr(ExprKind::Constant(value), ty.clone(), at))
    };
    macro_rules! exact {
        ($method:ident) => {
            match signed {
                true => a.$method(b).map(|value| value as u128),
                false => x.$method(y),
            }
        };
    }
    let less = if signed { a < b } else { x < y };
    let bits = match op {
        Binary::Div | Binary::Rem if y == 0 => {
            return Err((at, "it divides by zero".to_string()));
        }
        Binary::Add => exact!(checked_add),
        Binary::Sub => exact!(checked_sub),
        Binary::Mul => exact!(checked_mul),
        Binary::Div => exact!(checked_div),
        Binary::Rem => exact!(checked_rem),
        Binary::And => Some(x & y),
        Binary::Or => Some(x | y),
        Binary::Xor => Some(x ^ y),
        Binary::Min => Some(if less { x } else { y }),
        Binary::Max => Some(if less { y } else { x }),
        Binary::Eq => return truth(x == y),
        Binary::Ne => return truth(x != y),
        Binary::Lt => return truth(less),
        Binary::Le => return truth(less || x == y),
        _ => return other(),
    };
    exact(bits, ty, at)
}

/// The same of one operand.
pub(in crate::check) fn fold_unary(
    op: Unary,
    operand: &Expr,
    ty: &Type,
    at: Span,
) -> Result<Expr, Refusal> {
    let bits = match (op, value(operand)) {
        (Unary::Not, Some(x)) => Some(!x),
        (Unary::Neg, Some(x)) => (x as i128).checked_neg().map(|value| value as u128),
        _ => return Err((at, "this method is not evaluated here".to_string())),
    };
    exact(bits, ty, at)
}

/// `as` from or to such a type.
pub(in crate::check) fn fold_cast(operand: &Expr, ty: &Type, at: Span) -> Result<Expr, Refusal> {
    let scalar = match (&operand.kind, value(operand)) {
        (_, Some(bits)) => {
            if ty.is_wide() {
                return Ok(constant(bits, ty, at));
            }
            let signed = operand.ty == Type::I128;
            let Some(to) = leaf(ty) else {
                return Err((at, "this cast has no scalar type".to_string()));
            };
            let scalar = match (to, signed) {
                (Leaf::F64, true) => Scalar::f64(bits as i128 as f64),
                (Leaf::F64, false) => Scalar::f64(bits as f64),
                (to, signed) if to.is_float() => {
                    let single = if signed {
                        bits as i128 as f32
                    } else {
                        bits as f32
                    };
                    crate::scalar::cast(to, Scalar::f32(single))
                }
                (to, _) => Scalar::wrapped(to, bits as u64),
            };
            return Ok(expr(ExprKind::Constant(scalar), ty.clone(), at));
        }
        (ExprKind::Constant(scalar), None) => *scalar,
        _ => return Err((at, "this is not a scalar".to_string())),
    };
    let bits = match (scalar.leaf.is_float(), ty) {
        (true, Type::I128) => scalar.as_f64() as i128 as u128,
        (true, _) => scalar.as_f64() as u128,
        (false, _) => scalar.as_i128() as u128,
    };
    Ok(constant(bits, ty, at))
}

fn exact(bits: Option<u128>, ty: &Type, at: Span) -> Result<Expr, Refusal> {
    let name = match ty {
        Type::I128 => "i128",
        _ => "u128",
    };
    match bits {
        Some(bits) => Ok(constant(bits, ty, at)),
        None => Err((at, format!("it overflows `{name}`"))),
    }
}
