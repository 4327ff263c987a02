//! `matmul`, `matvec`, `outer_product`, as the nested programs that they abbreviate.

use crate::ir::Id;
use crate::lower::guards::Effect;
use crate::lower::value::Value;
use crate::lower::{Lower, Lowered};
use crate::scalar::Binary;
use crate::typed::{ArrayOp, Expr, Reduction};
use proc_macro2::Span;

impl<'a> Lower<'a> {
    pub(super) fn linear(
        &mut self,
        op: ArrayOp,
        arguments: &'a [Expr],
        span: Span,
    ) -> Lowered<Value<'a>> {
        let a = self.array(&arguments[0])?;
        let b = self.array(&arguments[1])?;
        let leaf = self.p.leaf(a.tree.leaves()[0]);
        match op {
            ArrayOp::Matmul => {
                let shared = a.extents[1];
                let message = "`matmul` of matrices of {0} columns and {1} rows";
                let effect = self.require_equal(shared, b.extents[0], message, span);
                let shared = self.guarded_extent(shared, effect);
                let extents = [a.extents[0], b.extents[1]];
                self.tabulate(&extents, span, |lower, at| {
                    let (i, j) = (at[0], at[1]);
                    let sum = lower.reduced(&[shared], Reduction::Sum, leaf, |lower, k| {
                        let x = lower.element(&a, &[i, k[0]]).scalar();
                        let y = lower.element(&b, &[k[0], j]).scalar();
                        lower.product_term(x, y)
                    });
                    Ok(Value::Scalar(sum))
                })
            }
            ArrayOp::Matvec => {
                let shared = a.extents[1];
                let message = "`matvec` of a matrix of {0} columns and a vector of length {1}";
                let effect = self.require_equal(shared, b.extents[0], message, span);
                let shared = self.guarded_extent(shared, effect);
                self.tabulate(&a.extents[..1], span, |lower, at| {
                    let i = at[0];
                    let sum = lower.reduced(&[shared], Reduction::Sum, leaf, |lower, k| {
                        let x = lower.element(&a, &[i, k[0]]).scalar();
                        let y = lower.element(&b, k).scalar();
                        lower.product_term(x, y)
                    });
                    Ok(Value::Scalar(sum))
                })
            }
            _ => {
                let extents = [a.extents[0], b.extents[0]];
                self.tabulate(&extents, span, |lower, at| {
                    let x = lower.element(&a, &at[..1]).scalar();
                    let y = lower.element(&b, &at[1..]).scalar();
                    Ok(Value::Scalar(lower.p.binary(Binary::Mul, x, y)))
                })
            }
        }
    }

    pub(super) fn guarded_extent(&mut self, extent: Id, effect: Option<Effect>) -> Id {
        match effect {
            Some(effect) => self.under(&effect, extent),
            None => extent,
        }
    }
}
