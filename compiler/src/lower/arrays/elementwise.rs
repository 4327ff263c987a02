//! Elementwise operations over arrays of one shape, and over arrays of arrays: `map`, `map_indexed`, `zip`,
//! `zip_with`, `unzip`, operators.

use super::sources::index_value;
use crate::ir::Id;
use crate::lower::guards::Effect;
use crate::lower::value::{Array, Nested, Value};
use crate::lower::{Lower, Lowered};
use crate::scalar::{Binary, Leaf};
use crate::typed::{ArrayOp, Elementwise, Expr};
use proc_macro2::Span;
use std::rc::Rc;

impl<'a> Lower<'a> {
    pub(super) fn elements(
        &mut self,
        op: ArrayOp,
        arguments: &'a [Expr],
        span: Span,
    ) -> Lowered<Value<'a>> {
        match op {
            ArrayOp::Map | ArrayOp::MapIndexed => {
                let value = self.sequence(&arguments[0])?;
                let closure = self.closure(&arguments[1])?;
                let extents = self.extents_of(&value);
                self.tabulate(&extents, closure.closure.span, |lower, indices| {
                    let element = lower.element_of(&value, indices);
                    lower.mark_safe(&element);
                    let arguments = match op {
                        ArrayOp::Map => vec![element],
                        _ => vec![index_value(indices), element],
                    };
                    lower.apply(&closure, arguments)
                })
            }
            ArrayOp::Zip => {
                let values = self.values(arguments)?;
                let (extents, effects) = self.one_shape(&values, "zip", span);
                let zipped = self.zipped(&values, extents);
                Ok(self.guarded(&effects, zipped))
            }
            ArrayOp::ZipWith => {
                let (closure, arrays) = arguments.split_last().expect("a closure");
                let values = self.values(arrays)?;
                let closure = self.closure(closure)?;
                let (extents, effects) = self.one_shape(&values, "zip_with", span);
                let extents = self.extents_under(&effects, extents);
                self.tabulate(&extents, closure.closure.span, |lower, indices| {
                    let elements = values
                        .iter()
                        .map(|value| {
                            let element = lower.element_of(value, indices);
                            lower.mark_safe(&element);
                            element
                        })
                        .collect();
                    lower.apply(&closure, elements)
                })
            }
            _ => {
                let array = self.array(&arguments[0])?;
                let Value::Tuple(fields) = *array.tree else {
                    return Ok(Value::Array(array));
                };
                let part = |tree: Value<'a>| {
                    Value::Array(Array {
                        extents: array.extents.clone(),
                        tree: Box::new(tree),
                    })
                };
                Ok(Value::Tuple(fields.into_iter().map(part).collect()))
            }
        }
    }

    fn values(&mut self, exprs: &'a [Expr]) -> Lowered<Vec<Value<'a>>> {
        exprs.iter().map(|expr| self.sequence(expr)).collect()
    }

    pub(super) fn extents_under(&mut self, effects: &[Effect], extents: Vec<Id>) -> Vec<Id> {
        extents
            .into_iter()
            .map(|extent| self.under_all(effects, extent))
            .collect()
    }

    /// The common extents of several arrays: those of the first, with a check per other array and axis.
    pub(super) fn one_shape(
        &mut self,
        values: &[Value<'a>],
        what: &str,
        span: Span,
    ) -> (Vec<Id>, Vec<Effect>) {
        let extents = self.extents_of(&values[0]);
        let mut effects = Vec::new();
        for value in &values[1..] {
            let others = self.extents_of(value);
            for (axis, (&a, &b)) in extents.iter().zip(&others).enumerate() {
                let message = if extents.len() == 1 {
                    format!("`{what}` of arrays of lengths {{0}} and {{1}}")
                } else {
                    format!("`{what}` of arrays of extents {{0}} and {{1}} along axis {axis}")
                };
                effects.extend(self.require_equal(a, b, &message, span));
            }
        }
        (extents, effects)
    }

    /// The element of a zip is the tuple of the elements; with an array of arrays among them so is the result.
    fn zipped(&mut self, values: &[Value<'a>], extents: Vec<Id>) -> Value<'a> {
        if values.iter().all(|value| matches!(value, Value::Array(_))) {
            let trees = values
                .iter()
                .filter_map(|value| match value {
                    Value::Array(array) => Some((*array.tree).clone()),
                    _ => None,
                })
                .collect();
            return Value::Array(Array {
                extents,
                tree: Box::new(Value::Tuple(trees)),
            });
        }
        let values = values.to_vec();
        Value::Nested(Nested {
            extents,
            element: Rc::new(move |lower, indices| {
                Value::Tuple(
                    values
                        .iter()
                        .map(|value| lower.element_of(value, indices))
                        .collect(),
                )
            }),
        })
    }

    /// An operator on arrays of one shape, or on an array and a scalar.
    pub(in crate::lower) fn elementwise(
        &mut self,
        op: Elementwise,
        arguments: &'a [Expr],
        span: Span,
    ) -> Lowered<Value<'a>> {
        let mut values = self.values(arguments)?;
        let is_array =
            |value: &Value<'a>| matches!(value, Value::Array(array) if !array.extents.is_empty());
        let arrays: Vec<Value<'a>> = values
            .iter()
            .filter(|value| is_array(value))
            .cloned()
            .collect();
        if arrays.is_empty() {
            // `Scalar<T>` operands.
            let leaves = self.scalar_operands(&values);
            return Ok(Value::Scalar(self.apply_operator(op, &leaves, span)));
        }
        for value in &mut values {
            if let Value::Array(array) = value
                && array.extents.is_empty()
            {
                *value = self.element(array, &[]);
            }
        }
        let (extents, effects) = self.one_shape(&arrays, operator_name(op), span);
        let extents = self.extents_under(&effects, extents);
        self.tabulate(&extents, span, |lower, indices| {
            let leaves: Vec<Id> = values
                .iter()
                .map(|value| lower.element_of(value, indices).scalar())
                .collect();
            Ok(Value::Scalar(lower.apply_operator(op, &leaves, span)))
        })
    }

    fn scalar_operands(&mut self, values: &[Value<'a>]) -> Vec<Id> {
        values
            .iter()
            .map(|value| self.element_of(value, &[]).scalar())
            .collect()
    }

    fn apply_operator(&mut self, op: Elementwise, leaves: &[Id], span: Span) -> Id {
        match op {
            Elementwise::Unary(op) => self.p.unary(op, leaves[0]),
            // By how much may have any type.
            Elementwise::Binary {
                op: op @ (Binary::Shl | Binary::Shr),
                ..
            } => {
                let by = self.cast(Leaf::U32, leaves[1]);
                self.arithmetic(op, leaves[0], by, span)
            }
            Elementwise::Binary {
                op,
                exchanged: false,
            } => self.arithmetic(op, leaves[0], leaves[1], span),
            Elementwise::Binary {
                op,
                exchanged: true,
            } => self.arithmetic(op, leaves[1], leaves[0], span),
        }
    }
}

fn operator_name(op: Elementwise) -> &'static str {
    use crate::scalar::Binary as B;
    let Elementwise::Binary { op, exchanged } = op else {
        return "operator";
    };
    match op {
        B::Add => "+",
        B::Sub => "-",
        B::Mul => "*",
        B::Div => "/",
        B::Rem => "%",
        B::And => "&",
        B::Or => "|",
        B::Xor => "^",
        B::Shl => "<<",
        B::Shr => ">>",
        B::Eq => "==",
        B::Ne => "!=",
        B::Lt if exchanged => ">",
        B::Lt => "<",
        B::Le if exchanged => ">=",
        B::Le => "<=",
        B::Min => "min",
        B::Max => "max",
        B::Copysign => "copysign",
        B::MulHigh => "*",
    }
}
