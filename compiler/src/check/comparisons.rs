//! `==`, `<` and their kin of tuples, fixed arrays, structs and options, field by field.

use super::{Checker, expr};
use crate::scalar::{Binary, Leaf, Scalar};
use crate::typed::{Elementwise, Expr, ExprKind, Type};
use proc_macro2::Span;

/// Whether values of a type are compared by their fields.
pub(super) fn has_fields(ty: &Type) -> bool {
    matches!(
        ty,
        Type::Tuple(_) | Type::Fixed(..) | Type::Struct(_) | Type::Option(_)
    )
}

impl Checker<'_> {
    /// A comparison of values with fields; `exchanged`: of the right one with the left one.
    pub(super) fn compare_fields(
        &mut self,
        op: Binary,
        exchanged: bool,
        left: Expr,
        right: Expr,
        at: Span,
    ) -> ExprKind {
        let types = self.field_types(&left.ty);
        let (first, left) = self.saved(left);
        let (second, right) = self.saved(right);
        let (left, right) = match exchanged {
            false => (left, right),
            true => (right, left),
        };
        let mut fields = Vec::new();
        for (position, ty) in types.into_iter().enumerate() {
            let field = |of: &Expr| {
                let kind = ExprKind::Field(Box::new(of.clone()), position);
                expr(kind, ty.clone(), at)
            };
            fields.push((field(&left), field(&right)));
        }
        let tail = match op {
            Binary::Eq | Binary::Ne => self.equal_fields(op, fields, at),
            _ => self.ordered_fields(op, fields, at),
        };
        ExprKind::Block(vec![first, second], Some(Box::new(tail)))
    }

    fn field_types(&self, ty: &Type) -> Vec<Type> {
        match ty {
            Type::Tuple(types) => types.clone(),
            Type::Fixed(element, n) => vec![(**element).clone(); *n],
            Type::Option(inner) => vec![Type::Leaf(Leaf::Bool), (**inner).clone()],
            Type::Struct(id) => {
                let fields = self.cx.fields(*id).into_iter();
                fields.map(|(_, ty)| ty).collect()
            }
            _ => Vec::new(),
        }
    }

    /// All fields are equal, or one is not.
    fn equal_fields(&mut self, op: Binary, fields: Vec<(Expr, Expr)>, at: Span) -> Expr {
        let and = op == Binary::Eq;
        let mut all: Option<Expr> = None;
        for (left, right) in fields {
            let one = self.compared(op, left, right, at);
            all = Some(match all {
                None => one,
                Some(before) => lazy(and, before, one, at),
            });
        }
        all.unwrap_or_else(|| truth(and, at))
    }

    /// The first field that differs decides, and a NaN in it against: `a < b || a == b && ..`.
    fn ordered_fields(&mut self, op: Binary, fields: Vec<(Expr, Expr)>, at: Span) -> Expr {
        let mut rest: Option<Expr> = None;
        for (left, right) in fields.into_iter().rev() {
            rest = Some(match rest {
                None => self.compared(op, left, right, at),
                Some(rest) => {
                    let less = self.compared(Binary::Lt, left.clone(), right.clone(), at);
                    let equal = self.compared(Binary::Eq, left, right, at);
                    lazy(false, less, lazy(true, equal, rest, at), at)
                }
            });
        }
        rest.unwrap_or_else(|| truth(op == Binary::Le, at))
    }

    fn compared(&mut self, op: Binary, left: Expr, right: Expr, at: Span) -> Expr {
        let kind = match has_fields(&left.ty) {
            true => self.compare_fields(op, false, left, right, at),
            false => {
                let exchanged = false;
                let op = Elementwise::Binary { op, exchanged };
                self.scalar_operator(op, vec![left, right], at)
            }
        };
        expr(kind, Type::Leaf(Leaf::Bool), at)
    }
}

fn lazy(and: bool, left: Expr, right: Expr, at: Span) -> Expr {
    let (left, right) = (Box::new(left), Box::new(right));
    expr(
        ExprKind::Lazy { and, left, right },
        Type::Leaf(Leaf::Bool),
        at,
    )
}

fn truth(value: bool, at: Span) -> Expr {
    let value = Scalar {
        leaf: Leaf::Bool,
        bits: u64::from(value),
    };
    expr(ExprKind::Constant(value), Type::Leaf(Leaf::Bool), at)
}
