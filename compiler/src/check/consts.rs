//! Constants: `const` items and the places that need a constant, evaluated as Rust does.

use super::infer::{POISON, leaf};
use super::literals::mask;
use super::{Checker, Context, Generics, Refusal, expr, wide};
use crate::scalar::{Binary, Leaf, Scalar, Unary};
use crate::syntax::span;
use crate::typed::{Constant, Expr, ExprKind, Home, Struct, Type};
use proc_macro2::Span;

/// What is known of a `const` item.
#[derive(Clone)]
pub(super) enum State {
    /// Not looked at yet: its position in the block.
    Written(usize),
    /// Being evaluated: meeting it again is a circle.
    Open,
    /// Its value, made of constants and tuples; `None` after an error.
    Done(Option<Expr>),
}

impl Context<'_> {
    /// The constants that the host sees, but for those with errors: of a type of the block only if it is seen, too.
    pub(super) fn constants_of_host(&self) -> Vec<Constant> {
        let seen = |visibility: &syn::Visibility| !matches!(visibility, syn::Visibility::Inherited);
        let mut constants = Vec::new();
        let items = self.syntax.constants.iter();
        for item in items.filter(|item| seen(&item.vis)) {
            let known = &item.known;
            let owner = match known.rsplit_once("::") {
                None => None,
                Some((owner, _)) => {
                    let of = |strukt: &Struct| strukt.name == owner && strukt.home == Home::Block;
                    match self.structs.iter().position(of) {
                        Some(id) if seen(self.structs[id].item.visibility()) => Some(id),
                        // Of a function, or of a type that the host may not name.
                        _ => continue,
                    }
                }
            };
            let mut checker = Checker::new(self, Generics::default());
            let value = checker.constant(known, item.ident.span());
            if let Some(value) = &value {
                checker.readable_by_host(&value.ty, item.ident.span());
            }
            constants.extend(value.filter(|_| !checker.failed).map(|value| Constant {
                name: item.ident.clone(),
                owner,
                visibility: item.vis.clone(),
                attributes: item.attrs.clone(),
                value,
            }));
        }
        constants
    }
}

impl Checker<'_> {
    /// The value of the constant `name` of the block, if there is one.
    pub(super) fn constant(&mut self, name: &str, at: Span) -> Option<Expr> {
        let state = self.cx.constants.borrow().get(name).cloned()?;
        match state {
            State::Done(Some(value)) => Some(Expr { span: at, ..value }),
            State::Done(None) => Some(self.poison(at)),
            State::Open => Some(self.reject(
                at,
                format!("the constant `{name}` depends on itself"),
                "write its value",
            )),
            State::Written(position) => {
                let item = &self.cx.syntax.constants[position];
                let mut states = self.cx.constants.borrow_mut();
                states.insert(name.to_string(), State::Open);
                drop(states);
                let mut checker = Checker::new(self.cx, Generics::default());
                checker.items = self.cx.scope_of(name);
                let value = checker.constant_item(item);
                let mut states = self.cx.constants.borrow_mut();
                states.insert(name.to_string(), State::Done(value.clone()));
                drop(states);
                match value {
                    Some(value) => Some(Expr { span: at, ..value }),
                    None => Some(self.poison(at)),
                }
            }
        }
    }

    fn constant_item(&mut self, item: &syn::ItemConst) -> Option<Expr> {
        let ty = self.item_type(&item.ty);
        let mut value = self.check(&item.expr, &ty);
        self.finish_function(&mut value);
        if self.failed {
            return None;
        }
        self.folded(&value)
    }

    /// The value of an expression that must be a constant `usize`.
    pub(super) fn constant_usize(&mut self, syntax: &syn::Expr, what: &str) -> Option<u64> {
        self.constant_scalar(syntax, &Type::Usize, what)
    }

    /// The value of an expression that must be a constant `isize`.
    pub(super) fn constant_isize(&mut self, syntax: &syn::Expr, what: &str) -> Option<i64> {
        let bits = self.constant_scalar(syntax, &Type::Isize, what)?;
        Some(bits as i64)
    }

    fn constant_scalar(&mut self, syntax: &syn::Expr, ty: &Type, what: &str) -> Option<u64> {
        let failed = std::mem::replace(&mut self.failed, false);
        let mut value = self.check(syntax, ty);
        self.finish(&mut value);
        let ok = !self.failed;
        self.failed |= failed;
        if !ok {
            return None;
        }
        match fold(&value) {
            Ok(Expr {
                kind: ExprKind::Constant(scalar),
                ..
            }) => Some(scalar.bits),
            Ok(_) => None,
            Err((at, why)) => {
                let at = if matches!(value.kind, ExprKind::Local(_)) {
                    span(syntax)
                } else {
                    at
                };
                self.error(
                    at,
                    format!("{what} must be a constant: {why}"),
                    "write a number or the name of a `const`",
                );
                None
            }
        }
    }

    fn folded(&mut self, value: &Expr) -> Option<Expr> {
        match fold(value) {
            Ok(value) => Some(value),
            Err((at, why)) => {
                let help = match why.starts_with("it ") {
                    true => "use a wider type",
                    false => {
                        "constants are made of literals, other constants, operators, `as` and `if`"
                    }
                };
                self.error(at, format!("cannot evaluate this constant: {why}"), help);
                None
            }
        }
    }
}

/// Evaluates a finished expression.
fn fold(value: &Expr) -> Result<Expr, Refusal> {
    let span = value.span;
    let constant = |scalar: Scalar| expr(ExprKind::Constant(scalar), value.ty.clone(), span);
    match &value.kind {
        ExprKind::Constant(scalar) => Ok(constant(*scalar)),
        ExprKind::Tuple(fields) => {
            let fields = fields.iter().map(fold).collect::<Result<_, _>>()?;
            Ok(expr(ExprKind::Tuple(fields), value.ty.clone(), span))
        }
        ExprKind::Variant(variant, fields) => {
            let fields = fields.iter().map(fold).collect::<Result<_, _>>()?;
            Ok(expr(
                ExprKind::Variant(*variant, fields),
                value.ty.clone(),
                span,
            ))
        }
        ExprKind::Option(inner) => {
            let inner = inner.as_deref().map(fold).transpose()?.map(Box::new);
            Ok(expr(ExprKind::Option(inner), value.ty.clone(), span))
        }
        ExprKind::Field(base, position) => match fold(base)?.kind {
            ExprKind::Tuple(fields) => fields
                .into_iter()
                .nth(*position)
                .ok_or((span, "there is no such field".to_string())),
            _ => Err((span, "this is not a tuple".to_string())),
        },
        ExprKind::Block(statements, Some(tail)) if statements.is_empty() => fold(tail),
        ExprKind::Unary(op, operand) if operand.ty.is_wide() => {
            wide::fold_unary(*op, &fold(operand)?, &value.ty, span)
        }
        ExprKind::Binary(op, left, right) if left.ty.is_wide() => {
            wide::fold_binary(*op, &fold(left)?, &fold(right)?, &value.ty, span)
        }
        ExprKind::Cast(operand) if operand.ty.is_wide() || value.ty.is_wide() => {
            wide::fold_cast(&fold(operand)?, &value.ty, span)
        }
        ExprKind::Unary(op, operand) => {
            let operand = scalar(operand)?;
            unary(*op, operand, span).map(constant)
        }
        ExprKind::Binary(op, left, right) => {
            binary(*op, scalar(left)?, scalar(right)?, span).map(constant)
        }
        ExprKind::Lazy { and, left, right } => {
            let left = scalar(left)?;
            let short = (left.bits == 0) == *and;
            if short {
                Ok(constant(left))
            } else {
                fold(right)
            }
        }
        ExprKind::If(condition, then, otherwise) => {
            if scalar(condition)?.bits != 0 {
                fold(then)
            } else {
                fold(otherwise)
            }
        }
        ExprKind::Cast(operand) => match leaf(&value.ty) {
            Some(to) => Ok(constant(crate::scalar::cast(to, scalar(operand)?))),
            None => Err((span, "this cast has no scalar type".to_string())),
        },
        ExprKind::Local(_) => Err((span, "this is a variable".to_string())),
        ExprKind::Call(..) | ExprKind::CallClosure(..) => {
            Err((span, "this calls a function".to_string()))
        }
        _ => Err((span, "this is computed when the program runs".to_string())),
    }
}

fn scalar(value: &Expr) -> Result<Scalar, Refusal> {
    match fold(value)?.kind {
        ExprKind::Constant(scalar) => Ok(scalar),
        _ => Err((value.span, "this is not a scalar".to_string())),
    }
}

/// The value of an integer or `bool`.
pub(super) fn integer(scalar: Scalar) -> i128 {
    let bits = scalar.leaf.bits();
    let value = i128::from(scalar.bits);
    if scalar.leaf.is_signed() && value >> (bits - 1) & 1 == 1 {
        value - (1 << bits)
    } else {
        value
    }
}

pub(super) fn from_integer(leaf: Leaf, value: i128) -> Scalar {
    Scalar {
        leaf,
        bits: value as u64 & mask(leaf),
    }
}

fn unary(op: Unary, x: Scalar, at: Span) -> Result<Scalar, Refusal> {
    match op {
        Unary::Neg if x.leaf.is_float() => Ok(Scalar::float(x.leaf, -x.as_f64())),
        Unary::Neg => exact(x.leaf, integer(x).checked_neg(), at),
        Unary::Not if x.leaf == Leaf::Bool => Ok(from_integer(x.leaf, 1 - integer(x))),
        Unary::Not => Ok(from_integer(x.leaf, !integer(x))),
        Unary::Abs if x.leaf.is_float() => Ok(Scalar::float(x.leaf, x.as_f64().abs())),
        _ => Err((at, "this method is not evaluated here".to_string())),
    }
}

fn exact(leaf: Leaf, value: Option<i128>, at: Span) -> Result<Scalar, Refusal> {
    let result = value.map(|value| from_integer(leaf, value));
    match (result, value) {
        (Some(result), Some(value)) if integer(result) == value => Ok(result),
        _ => Err((at, format!("it overflows `{}`", leaf.name()))),
    }
}

fn binary(op: Binary, x: Scalar, y: Scalar, at: Span) -> Result<Scalar, Refusal> {
    let truth = |value: bool| {
        Ok(Scalar {
            leaf: Leaf::Bool,
            bits: u64::from(value),
        })
    };
    let other = || Err((at, "this operation is not evaluated here".to_string()));
    if x.leaf.is_float() {
        // Exact, or rounded as by the type itself: `f64` has twice the digits of an `f32`, and two more.
        let (a, b) = (x.as_f64(), y.as_f64());
        return match op {
            Binary::Add => Ok(Scalar::float(x.leaf, a + b)),
            Binary::Sub => Ok(Scalar::float(x.leaf, a - b)),
            Binary::Mul => Ok(Scalar::float(x.leaf, a * b)),
            Binary::Div => Ok(Scalar::float(x.leaf, a / b)),
            Binary::Rem => Ok(Scalar::float(x.leaf, a % b)),
            Binary::Eq => truth(a == b),
            Binary::Ne => truth(a != b),
            Binary::Lt => truth(a < b),
            Binary::Le => truth(a <= b),
            _ => other(),
        };
    }
    let (a, b) = (integer(x), integer(y));
    let divide = |f: fn(i128, i128) -> i128| {
        if b == 0 {
            Err((at, "it divides by zero".to_string()))
        } else {
            exact(x.leaf, Some(f(a, b)), at)
        }
    };
    let shift = |f: fn(i128, u32) -> i128| {
        if (0..i128::from(x.leaf.bits())).contains(&b) {
            Ok(from_integer(x.leaf, f(a, b as u32)))
        } else {
            Err((at, format!("it shifts a `{}` by {b}", x.leaf.name())))
        }
    };
    match op {
        Binary::Add => exact(x.leaf, a.checked_add(b), at),
        Binary::Sub => exact(x.leaf, a.checked_sub(b), at),
        Binary::Mul => exact(x.leaf, a.checked_mul(b), at),
        Binary::Div => divide(|a, b| a / b),
        Binary::Rem => divide(|a, b| a % b),
        Binary::Min => Ok(from_integer(x.leaf, a.min(b))),
        Binary::Max => Ok(from_integer(x.leaf, a.max(b))),
        Binary::And => Ok(from_integer(x.leaf, a & b)),
        Binary::Or => Ok(from_integer(x.leaf, a | b)),
        Binary::Xor => Ok(from_integer(x.leaf, a ^ b)),
        Binary::Shl => shift(|a, b| a << b),
        Binary::Shr => shift(|a, b| a >> b),
        Binary::Eq => truth(a == b),
        Binary::Ne => truth(a != b),
        Binary::Lt => truth(a < b),
        Binary::Le => truth(a <= b),
        Binary::Copysign | Binary::MulHigh => other(),
    }
}

/// The least and the largest value of an integer type.
pub(super) fn limits(leaf: Leaf) -> (i128, i128) {
    if leaf.is_signed() {
        (-(1 << (leaf.bits() - 1)), (1 << (leaf.bits() - 1)) - 1)
    } else {
        (0, (1 << leaf.bits()) - 1)
    }
}

/// Checks every constant of the block, used or not.
pub(super) fn check_all(checker: &mut Checker) {
    for item in &checker.cx.syntax.constants {
        let value = checker.constant(&item.known, item.ident.span());
        debug_assert!(value.is_none_or(|v| v.ty != POISON || checker.failed));
    }
}
