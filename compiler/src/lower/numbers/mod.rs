//! Methods of numbers that are made of simpler operations.

mod bytes;
mod floats;
mod integers;
mod options;
mod orderings;
mod overflow;

use super::value::Value;
use super::{Lower, Lowered, not_yet};
use crate::ir::Id;
use crate::scalar::Math;
use crate::typed;
use options::Choice;
pub(super) use orderings::Pairs;
use proc_macro2::Span;

impl<'a> Lower<'a> {
    /// `receiver.name(arguments..)`; `ty` is the result's type.
    pub(super) fn number_method(
        &mut self,
        name: &str,
        values: &[Value<'a>],
        ty: &'a typed::Type,
        span: Span,
    ) -> Lowered<Value<'a>> {
        if let ("with", [Value::Tuple(fields), index, value]) = (name, values) {
            let index = index.scalar();
            return Ok(self.with_one(fields, index, value, span));
        }
        let compares = matches!(name, "cmp" | "total_cmp" | "partial_cmp");
        if let (Some(Value::Option { some, payload }), false) = (values.first(), compares) {
            let receiver = Choice {
                some: *some,
                payload: (**payload).clone(),
            };
            return self.option_method(name, receiver, &values[1..], ty, span);
        }
        if values.iter().any(|value| matches!(value, Value::Never)) {
            return Ok(Value::Never);
        }
        if let ("divisor" | "divisor of a remainder", [y]) = (name, values) {
            return Ok(self.wide_divisor(y, name != "divisor", span));
        }
        if let Some(value) = self.option_of_bool(name, values, ty, span) {
            return value;
        }
        if let Some(value) = self.ordering_method(name, values, span) {
            return value;
        }
        if let Some(value) = self.bytes_method(name, values, ty) {
            return Ok(value);
        }
        let ids: Vec<Id> = values.iter().map(Value::scalar).collect();
        let x = ids[0];
        let leaf = self.p.leaf(x);
        if let Some(value) = self.overflow_method(name, &ids, span) {
            return Ok(value);
        }
        let id = if leaf.is_float() {
            self.float_method(name, &ids, span)
        } else {
            self.integer_method(name, &ids, span)
        };
        match (id, name) {
            (Some(id), _) => {
                let wanted = self.leaf_of(ty).unwrap_or(leaf);
                Ok(Value::Scalar(if self.p.leaf(id) == wanted {
                    id
                } else {
                    self.cast(wanted, id)
                }))
            }
            (None, "sin_cos") => {
                let sin = self.p.math(Math::Sin, vec![x]);
                let cos = self.p.math(Math::Cos, vec![x]);
                Ok(Value::Tuple(vec![Value::Scalar(sin), Value::Scalar(cos)]))
            }
            (None, _) => Err(not_yet(
                span,
                &format!("`{name}` of `{}`", leaf.name()),
                "write it with the operators",
            )),
        }
    }

    fn math(&mut self, function: Math, arguments: &[Id]) -> Id {
        self.p.math(function, arguments.to_vec())
    }

    fn guarded_extent_or(&mut self, value: Id, effect: Option<super::guards::Effect>) -> Id {
        match effect {
            Some(effect) => self.under(&effect, value),
            None => value,
        }
    }
}
