//! Patterns: a condition, and bindings.

use super::control::Position;
use super::value::{Key, Value};
use super::{Lower, Lowered};
use crate::ir::Id;
use crate::scalar::{Binary, Leaf};
use crate::typed::{Arm, Pattern, Type};
use proc_macro2::Span;

impl<'a> Lower<'a> {
    /// Binds the names of a pattern that fits.
    pub(super) fn bind(&mut self, pattern: &'a Pattern, value: Value<'a>) {
        match pattern {
            Pattern::Bind {
                local, name, inner, ..
            } => {
                if let Some(inner) = inner {
                    self.bind(inner, value.clone());
                }
                let key = Key::Local(*local);
                if !name.is_empty() {
                    self.name_value(&value, name);
                    self.name_local(key, name);
                }
                self.environment.insert(key, value);
            }
            Pattern::Tuple(patterns) => {
                let Value::Tuple(fields) = value else {
                    // `let (a, b);`, to be assigned later.
                    for pattern in patterns {
                        self.bind(pattern, Value::Unset);
                    }
                    return;
                };
                for (pattern, field) in patterns.iter().zip(fields) {
                    self.bind(pattern, field);
                }
            }
            Pattern::Variant(id, variant, patterns) => {
                for (pattern, field) in patterns.iter().zip(self.payload(*id, *variant, &value)) {
                    self.bind(pattern, field);
                }
            }
            Pattern::Option(Some(pattern)) => {
                if let Value::Option { payload, .. } = value {
                    self.bind(pattern, *payload);
                }
            }
            Pattern::Or(cases) => self.bind_alternatives(cases, &value),
            Pattern::Wild | Pattern::Literal(_) | Pattern::Range(..) | Pattern::Option(None) => {}
        }
    }

    /// Binds the names of the first of some patterns that fits.
    fn bind_alternatives(&mut self, cases: &'a [Pattern], value: &Value<'a>) {
        let Some((case, rest)) = cases.split_first() else {
            return;
        };
        let mut names = Vec::new();
        locals(case, &mut names);
        let fits = self.fits(case, value);
        if rest.is_empty() || names.is_empty() || self.known(fits) == Some(true) {
            return self.bind(case, value.clone());
        }
        self.bind_alternatives(rest, value);
        let others: Vec<Value<'a>> = (names.iter())
            .map(|name| self.environment[name].clone())
            .collect();
        self.bind(case, value.clone());
        for (name, other) in names.into_iter().zip(others) {
            let own = self.environment[&name].clone();
            let chosen = self.chosen_value(fits, &own, &other);
            self.environment.insert(name, chosen);
        }
    }

    /// Whether a pattern fits. Every part may be evaluated: payloads of options always have a value.
    pub(super) fn fits(&mut self, pattern: &'a Pattern, value: &Value<'a>) -> Id {
        match (pattern, value) {
            (
                Pattern::Bind {
                    inner: Some(inner), ..
                },
                value,
            ) => self.fits(inner, value),
            (Pattern::Tuple(patterns), Value::Tuple(fields)) => {
                let on = self.p.bool(true);
                patterns
                    .iter()
                    .zip(fields)
                    .fold(on, |fits, (pattern, field)| {
                        let field = self.fits(pattern, field);
                        self.and(fits, field)
                    })
            }
            (Pattern::Variant(id, variant, patterns), Value::Tuple(slots)) => {
                let mut fits = self.is_variant(&slots[0], *variant);
                let fields = self.payload(*id, *variant, value);
                for (pattern, field) in patterns.iter().zip(fields) {
                    let field = self.fits(pattern, &field);
                    fits = self.and(fits, field);
                }
                fits
            }
            (Pattern::Literal(literal), Value::Scalar(id)) if literal.leaf == Leaf::Bool => {
                if literal.is_true() {
                    *id
                } else {
                    self.not(*id)
                }
            }
            (Pattern::Literal(literal), Value::Scalar(id)) => {
                let literal = self.p.constant(*literal);
                self.binary(Binary::Eq, *id, literal)
            }
            (Pattern::Range(low, high), Value::Scalar(id)) => {
                let mut fits = self.p.bool(true);
                if let Some(low) = low {
                    let low = self.p.constant(*low);
                    let above = self.binary(Binary::Le, low, *id);
                    fits = self.and(fits, above);
                }
                if let Some(high) = high {
                    let high = self.p.constant(*high);
                    let below = self.binary(Binary::Le, *id, high);
                    fits = self.and(fits, below);
                }
                fits
            }
            (Pattern::Option(Some(pattern)), Value::Option { some, payload }) => {
                let inner = self.fits(pattern, payload);
                self.and(*some, inner)
            }
            (Pattern::Option(None), Value::Option { some, .. }) => self.not(*some),
            (Pattern::Or(patterns), value) => {
                let off = self.p.bool(false);
                patterns.iter().fold(off, |fits, pattern| {
                    let one = self.fits(pattern, value);
                    self.or(fits, one)
                })
            }
            _ => self.p.bool(true),
        }
    }

    /// A variant of an enum: its number, then its leaves in their slots.
    pub(super) fn variant(
        &mut self,
        ty: &'a Type,
        variant: usize,
        leaves: &[Id],
        span: Span,
    ) -> Lowered<Value<'a>> {
        let (Type::Struct(id), Value::Tuple(mut slots)) = (ty, self.zero_of(ty, span)?) else {
            return Ok(Value::unit());
        };
        let tag = self.p.leaf(slots[0].scalar());
        slots[0] = Value::Scalar(self.int(tag, variant as i128));
        let block = self.block;
        let places = &block.structs[*id].variants[variant].slots;
        for (&slot, &leaf) in places.iter().zip(leaves) {
            slots[slot] = Value::Scalar(leaf);
        }
        Ok(Value::Tuple(slots))
    }

    fn is_variant(&mut self, tag: &Value<'a>, variant: usize) -> Id {
        let tag = tag.scalar();
        let number = self.int(self.p.leaf(tag), variant as i128);
        self.binary(Binary::Eq, tag, number)
    }

    /// The fields that a value has if it is of a variant.
    fn payload(&mut self, id: usize, variant: usize, value: &Value<'a>) -> Vec<Value<'a>> {
        let Value::Tuple(slots) = value else {
            return Vec::new();
        };
        let block = self.block;
        let variant = &block.structs[id].variants[variant];
        let mut slot = variant.slots.iter();
        let mut next = |_| {
            let slot = slot.next().expect("a slot for each leaf");
            slots[*slot].scalar()
        };
        let fields = variant.fields.iter();
        fields.map(|(_, ty)| self.tree_of(ty, &mut next)).collect()
    }

    /// The first arm that fits; the last one always does.
    pub(super) fn arms(
        &mut self,
        span: Span,
        value: &Value<'a>,
        arms: &'a [Arm],
        position: Position,
    ) -> Lowered<Value<'a>> {
        let Some((arm, rest)) = arms.split_first() else {
            return Ok(Value::Never);
        };
        if rest.is_empty() && arm.guard.is_none() {
            self.bind(&arm.pattern, value.clone());
            return self.at(position, &arm.body);
        }
        let mut fits = self.fits(&arm.pattern, value);
        if let Some(guard) = &arm.guard {
            fits = self.lazy(span, true, fits, |lower| {
                lower.bind(&arm.pattern, value.clone());
                Ok(lower.expr(guard)?.scalar())
            })?;
        }
        self.branch(
            span,
            fits,
            |lower| {
                lower.bind(&arm.pattern, value.clone());
                lower.at(position, &arm.body)
            },
            |lower| lower.arms(span, value, rest, position),
        )
    }
}

/// The variables that a pattern binds.
fn locals(pattern: &Pattern, out: &mut Vec<Key>) {
    match pattern {
        Pattern::Bind { local, inner, .. } => {
            out.push(Key::Local(*local));
            inner.iter().for_each(|inner| locals(inner, out));
        }
        Pattern::Tuple(fields) | Pattern::Variant(_, _, fields) => {
            fields.iter().for_each(|field| locals(field, out));
        }
        Pattern::Option(Some(inner)) => locals(inner, out),
        // Each binds the same.
        Pattern::Or(cases) => cases.iter().take(1).for_each(|case| locals(case, out)),
        Pattern::Wild | Pattern::Option(None) | Pattern::Literal(_) | Pattern::Range(..) => {}
    }
}
