//! Arrays of arrays: `rows`, `columns`, `outer`, `axis`. Never stored; each element is a view.

use crate::lower::value::{Nested, Value};
use crate::lower::{Lower, Lowered};
use crate::typed::{ArrayOp, Expr, ExprKind, Type};
use std::rc::Rc;

impl<'a> Lower<'a> {
    pub(super) fn nested(
        &mut self,
        op: ArrayOp,
        arguments: &'a [Expr],
        ty: &Type,
    ) -> Lowered<Value<'a>> {
        let array = self.array(&arguments[0])?;
        let rank = array.extents.len();
        let outer = match ty {
            Type::Nested { outer, .. } => *outer,
            _ => 1,
        };
        // Which axes are the outer ones.
        let outer: Vec<usize> = match op {
            ArrayOp::Columns => (0..rank).filter(|&axis| axis + 2 != rank).collect(),
            ArrayOp::Axis => vec![constant_axis(&arguments[1])],
            _ => (0..outer).collect(),
        };
        let inner: Vec<usize> = (0..rank).filter(|axis| !outer.contains(axis)).collect();
        let extents = outer.iter().map(|&axis| array.extents[axis]).collect();
        Ok(Value::Nested(Nested {
            extents,
            element: Rc::new(move |lower, at| {
                let inner_extents = inner.iter().map(|&axis| array.extents[axis]).collect();
                Value::Array(lower.reindexed(&array, inner_extents, |_, within| {
                    (0..rank)
                        .map(|axis| match outer.iter().position(|&of| of == axis) {
                            Some(k) => at[k],
                            None => {
                                within[inner.iter().position(|&of| of == axis).expect("an axis")]
                            }
                        })
                        .collect()
                }))
            }),
        }))
    }
}

/// The position of an axis, which `check` has found to be a constant.
pub(super) fn constant_axis(expr: &Expr) -> usize {
    match &expr.kind {
        ExprKind::Constant(scalar) => scalar.bits as usize,
        ExprKind::Cast(inner) => constant_axis(inner),
        _ => 0,
    }
}
