//! Methods of `Option`. A closure is evaluated only where it is called.

use crate::ir::Id;
use crate::lower::value::Value;
use crate::lower::{Lower, Lowered, not_yet};
use crate::typed::Type;
use proc_macro2::Span;

/// An option taken apart: the payload is zero where there is none.
pub(super) struct Choice<'a> {
    pub(super) some: Id,
    pub(super) payload: Value<'a>,
}

impl<'a> Choice<'a> {
    fn whole(self) -> Value<'a> {
        Value::Option {
            some: self.some,
            payload: Box::new(self.payload),
        }
    }
}

impl<'a> Lower<'a> {
    /// `then` and `then_some` of `bool`; `None` if it is another method.
    pub(super) fn option_of_bool(
        &mut self,
        name: &str,
        values: &[Value<'a>],
        ty: &'a Type,
        span: Span,
    ) -> Option<Lowered<Value<'a>>> {
        let Type::Option(inside) = ty else {
            return None;
        };
        let (condition, payload) = match (name, values) {
            ("then_some", [condition, value]) => (condition.scalar(), Ok(value)),
            ("then", [condition, Value::Closure(f)]) => (condition.scalar(), Err(f)),
            _ => return None,
        };
        let payload = self.branch(
            span,
            condition,
            |lower| match payload {
                Ok(value) => Ok(value.clone()),
                Err(f) => lower.apply(f, vec![]),
            },
            |lower| lower.zero_of(inside, span),
        );
        Some(payload.map(|payload| {
            Choice {
                some: condition,
                payload,
            }
            .whole()
        }))
    }

    pub(super) fn option_method(
        &mut self,
        name: &str,
        receiver: Choice<'a>,
        arguments: &[Value<'a>],
        ty: &'a Type,
        span: Span,
    ) -> Lowered<Value<'a>> {
        let some = receiver.some;
        let payload = receiver.payload.clone();
        match (name, arguments) {
            ("is_some", []) => Ok(Value::Scalar(some)),
            ("is_none", []) => Ok(Value::Scalar(self.not(some))),
            ("unwrap_or_default" | "flatten", []) => Ok(payload),
            ("unwrap" | "expect", _) => Ok(payload.map(&mut |leaf| {
                self.require_assertion(some, &format!("`{name}` of `None`"), span, leaf)
            })),
            ("unwrap_or", [default]) => {
                let default = default.clone();
                self.branch(span, some, |_| Ok(payload), |_| Ok(default))
            }
            ("unwrap_or_else", [Value::Closure(default)]) => self.branch(
                span,
                some,
                |_| Ok(payload),
                |lower| lower.apply(default, vec![]),
            ),
            ("map", [Value::Closure(f)]) => {
                let Type::Option(inside) = ty else {
                    return Ok(receiver.whole());
                };
                let payload = self.branch(
                    span,
                    some,
                    |lower| lower.apply(f, vec![payload]),
                    |lower| lower.zero_of(inside, span),
                )?;
                Ok(Choice { some, payload }.whole())
            }
            ("and_then", [Value::Closure(f)]) => self.branch(
                span,
                some,
                |lower| lower.apply(f, vec![payload]),
                |lower| lower.zero_of(ty, span),
            ),
            ("is_some_and", [Value::Closure(f)]) => {
                let holds = self.lazy(span, true, some, |lower| {
                    Ok(lower.apply(f, vec![payload])?.scalar())
                })?;
                Ok(Value::Scalar(holds))
            }
            ("is_none_or", [Value::Closure(f)]) => {
                let none = self.not(some);
                let holds = self.lazy(span, false, none, |lower| {
                    Ok(lower.apply(f, vec![payload])?.scalar())
                })?;
                Ok(Value::Scalar(holds))
            }
            ("filter", [Value::Closure(f)]) => {
                let kept = payload.clone();
                let some = self.lazy(span, true, some, |lower| {
                    Ok(lower.apply(f, vec![payload])?.scalar())
                })?;
                let whole = Choice {
                    some,
                    payload: kept,
                }
                .whole();
                self.branch(span, some, |_| Ok(whole), |lower| lower.zero_of(ty, span))
            }
            ("map_or", [default, Value::Closure(f)]) => {
                let default = default.clone();
                self.branch(
                    span,
                    some,
                    |lower| lower.apply(f, vec![payload]),
                    |_| Ok(default),
                )
            }
            ("map_or_else", [Value::Closure(default), Value::Closure(f)]) => self.branch(
                span,
                some,
                |lower| lower.apply(f, vec![payload]),
                |lower| lower.apply(default, vec![]),
            ),
            ("or", [other]) => {
                let other = other.clone();
                self.branch(span, some, |_| Ok(receiver.whole()), |_| Ok(other))
            }
            ("or_else", [Value::Closure(other)]) => self.branch(
                span,
                some,
                |_| Ok(receiver.whole()),
                |lower| lower.apply(other, vec![]),
            ),
            ("and", [other]) => {
                let other = other.clone();
                self.branch(span, some, |_| Ok(other), |lower| lower.zero_of(ty, span))
            }
            ("xor", [Value::Option { some: second, .. }]) => {
                let (second, other) = (*second, arguments[0].clone());
                self.branch(
                    span,
                    some,
                    |lower| {
                        lower.branch(
                            span,
                            second,
                            |lower| lower.zero_of(ty, span),
                            |_| Ok(receiver.whole()),
                        )
                    },
                    |_| Ok(other),
                )
            }
            (
                "zip",
                [
                    Value::Option {
                        some: second,
                        payload: other,
                    },
                ],
            ) => {
                let both = self.and(some, *second);
                let payload = Value::Tuple(vec![payload, (**other).clone()]);
                let whole = Choice {
                    some: both,
                    payload,
                }
                .whole();
                self.branch(span, both, |_| Ok(whole), |lower| lower.zero_of(ty, span))
            }
            _ => Err(not_yet(
                span,
                &format!("`{name}` of an `Option`"),
                "use `match`",
            )),
        }
    }
}
