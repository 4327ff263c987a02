//! Expressions: one arm per kind, in evaluation order.

use super::control::Position;
use super::guards::Requirement;
use super::value::{Key, Value};
use super::{Lower, Lowered, not_yet};
use crate::ir::{Failure, Id, Node};
use crate::scalar::{Binary, Leaf};
use crate::typed::{Expr, ExprKind, Place, Type};

impl<'a> Lower<'a> {
    /// The value of an expression; its assignments and failures go to the environment and the effects.
    pub(super) fn expr(&mut self, expr: &'a Expr) -> Lowered<Value<'a>> {
        let before = self.p.ids().len() as u32;
        let value = self.value_of(expr)?;
        match &expr.kind {
            ExprKind::Array(..) | ExprKind::Elementwise(..) => {
                for leaf in value.leaves() {
                    self.place_node(leaf, expr.span);
                }
            }
            ExprKind::While {
                condition: head, ..
            } => self.place_loops(before, head.span),
            ExprKind::For(each) => self.place_loops(before, each.range.start.span),
            _ => {}
        }
        Ok(value)
    }

    /// A node comes from here, if nothing is known yet of where it comes from.
    pub(super) fn locate(&mut self, id: Id, span: proc_macro2::Span) {
        let span = self.spans.add(self.frame.call.unwrap_or(span));
        self.p.place(id, span);
    }

    /// What an operation on arrays has made comes from here, as far as it is new: an array, or a reduction with the
    /// scalars around it.
    fn place_node(&mut self, id: Id, span: proc_macro2::Span) {
        let node = self.p.node(id).clone();
        if matches!(node, Node::Constant(_)) || self.p.spans.contains_key(&id) {
            return;
        }
        self.locate(id, span);
        let scalar = matches!(self.p.ty(id), crate::ir::Type::Scalar(_));
        match node {
            Node::Project(bundle, _) => self.locate(bundle, span),
            Node::Unary(..) | Node::Binary(..) | Node::Cast(..) | Node::Guard { .. } if scalar => {
                node.operands(|operand| self.place_node(operand, span));
            }
            _ => {}
        }
    }

    /// The value of a statement or of a closure: the scalars that it has made come from here.
    pub(super) fn located(&mut self, expr: &'a Expr) -> Lowered<Value<'a>> {
        let value = self.expr(expr)?;
        self.locate_value(&value, expr.span);
        Ok(value)
    }

    pub(super) fn locate_value(&mut self, value: &Value<'a>, span: proc_macro2::Span) {
        for id in value.leaves() {
            let made = !matches!(self.p.node(id), Node::Constant(_) | Node::Variable(_));
            let is_scalar = matches!(self.p.ty(id), crate::ir::Type::Scalar(_));
            if made && is_scalar && !self.p.spans.contains_key(&id) {
                self.locate(id, span);
            }
        }
    }

    /// The loops that are new since there were this many nodes.
    fn place_loops(&mut self, before: u32, span: proc_macro2::Span) {
        for id in self.p.ids_from(before as usize) {
            if matches!(self.p.node(id), Node::Loop { .. }) {
                self.locate(id, span);
            }
        }
    }

    fn value_of(&mut self, expr: &'a Expr) -> Lowered<Value<'a>> {
        let span = expr.span;
        Ok(match &expr.kind {
            ExprKind::Constant(scalar) => Value::Scalar(self.p.constant(*scalar)),
            ExprKind::Local(local) => self
                .environment
                .get(&Key::Local(*local))
                .cloned()
                .unwrap_or(Value::Unset),
            ExprKind::Tuple(fields) => {
                let mut values = Vec::new();
                for field in fields {
                    values.push(self.expr(field)?);
                }
                Value::Tuple(values)
            }
            ExprKind::Field(base, k) => {
                let base = match self.expr(base)? {
                    Value::Array(array) if array.extents.is_empty() => self.element(&array, &[]),
                    value => value,
                };
                match base {
                    Value::Tuple(mut fields) => fields.swap_remove(*k),
                    Value::Range(start, end) => Value::Scalar(if *k == 0 { start } else { end }),
                    // Of a comparison.
                    Value::Option { some, .. } if *k == 0 => Value::Scalar(some),
                    // `partial_cmp` gives the only one that may hold something where there is nothing: it is never stored.
                    Value::Option { some, payload } if expr.ty == Type::Ordering => {
                        let none = self.int(Leaf::I8, 0);
                        let order = payload.scalar();
                        Value::Scalar(self.select(some, order, none))
                    }
                    Value::Option { payload, .. } => *payload,
                    other => other,
                }
            }
            ExprKind::Option(Some(payload)) => Value::Option {
                payload: Box::new(self.expr(payload)?),
                some: self.p.bool(true),
            },
            ExprKind::Option(None) => self.zero_of(&expr.ty, span)?,
            ExprKind::Variant(variant, fields) => {
                let mut leaves = Vec::new();
                for field in fields {
                    leaves.extend(self.expr(field)?.leaves());
                }
                self.variant(&expr.ty, *variant, &leaves, span)?
            }
            ExprKind::Range(start, end) => {
                let start = self.scalar(start)?;
                Value::Range(start, self.scalar(end)?)
            }
            ExprKind::Unary(op, a) if a.ty.is_wide() => self.wide_unary(*op, a)?,
            ExprKind::Binary(op, a, b) if a.ty.is_wide() => self.wide_binary(*op, a, b)?,
            ExprKind::Cast(a) if a.ty.is_wide() || expr.ty.is_wide() => {
                self.wide_cast(a, &expr.ty)?
            }
            ExprKind::Bitcast(a) if a.ty.is_wide() => self.expr(a)?,
            ExprKind::Unary(op, a) => {
                let a = self.scalar(a)?;
                Value::Scalar(match op {
                    crate::scalar::Unary::Not if self.p.leaf(a) == crate::scalar::Leaf::Bool => {
                        self.not(a)
                    }
                    _ => self.p.unary(*op, a),
                })
            }
            ExprKind::Binary(op, a, b) => {
                let a = self.scalar(a)?;
                let b = self.scalar(b)?;
                Value::Scalar(self.arithmetic(*op, a, b, span))
            }
            ExprKind::Lazy { and, left, right } => {
                let left = self.scalar(left)?;
                Value::Scalar(self.lazy(span, *and, left, |lower| lower.scalar(right))?)
            }
            ExprKind::Math(function, arguments) => {
                let arguments = self.scalars(arguments)?;
                Value::Scalar(self.p.math(*function, arguments))
            }
            ExprKind::Number(name, arguments) => {
                let mut values = Vec::new();
                for argument in arguments {
                    let value = self.expr(argument)?;
                    self.evaluated(&value);
                    values.push(value);
                }
                self.number_method(name, &values, &expr.ty, span)?
            }
            ExprKind::Cast(a) => {
                let value = self.scalar(a)?;
                match self.leaf_of(&expr.ty) {
                    Some(leaf) => Value::Scalar(self.cast(leaf, value)),
                    None => Value::Scalar(value),
                }
            }
            ExprKind::Bitcast(a) => {
                let value = self.scalar(a)?;
                match self.leaf_of(&expr.ty) {
                    Some(leaf) if leaf != self.p.leaf(value) => {
                        Value::Scalar(self.p.add(Node::Bitcast(leaf, value)))
                    }
                    _ => Value::Scalar(value),
                }
            }
            ExprKind::Call(function, arguments) => self.call(*function, arguments, span)?,
            ExprKind::Closure(closure) => Value::Closure(self.closed(closure)),
            ExprKind::CallClosure(local, arguments) => self.call_local(*local, arguments, span)?,
            ExprKind::Array(op, arguments) => self.array_operation(*op, arguments, expr)?,
            ExprKind::Elementwise(op, arguments) => self.elementwise(*op, arguments, span)?,
            ExprKind::Index(array, index) => self.read(array, index, span)?,
            ExprKind::Block(statements, value) => {
                self.block(statements, value.as_deref(), Position::Inside)?
            }
            ExprKind::If(condition, then, otherwise) => {
                let condition = self.scalar(condition)?;
                self.branch(
                    span,
                    condition,
                    |lower| lower.expr(then),
                    |lower| lower.expr(otherwise),
                )?
            }
            ExprKind::Match(value, arms) => {
                let value = self.expr(value)?;
                self.arms(span, &value, arms, Position::Inside)?
            }
            ExprKind::While {
                label,
                condition,
                body,
            } => {
                self.while_loop(*label, condition, body)?;
                match expr.ty {
                    // It is only left with what is around it.
                    crate::typed::Type::Never => Value::Never,
                    _ => Value::unit(),
                }
            }
            ExprKind::For(each) => {
                self.for_loop(each)?;
                Value::unit()
            }
            ExprKind::Labelled(label, body) => {
                self.set_flag(Key::broken(*label), false);
                let value = self.expr(body)?;
                self.environment.remove(&Key::broken(*label));
                match expr.ty {
                    Type::Never => value,
                    _ => Value::unit(),
                }
            }
            ExprKind::Break(label) => {
                self.set_flag(Key::broken(*label), true);
                Value::Never
            }
            ExprKind::Continue(label) => {
                self.set_flag(Key::continued(*label), true);
                Value::Never
            }
            ExprKind::Return(value) => {
                let value = match value {
                    Some(value) => self.expr(value)?,
                    None => Value::unit(),
                };
                self.environment.insert(Key::Result, value);
                self.set_flag(Key::Returned, true);
                Value::Never
            }
            ExprKind::Assign(place, value) => {
                let value = self.located(value)?;
                self.assign(place, value);
                Value::unit()
            }
            ExprKind::Assert(condition, message) => {
                let condition = self.scalar(condition)?;
                self.assert(condition, message, span);
                match expr.ty {
                    crate::typed::Type::Never => Value::Never,
                    _ => Value::unit(),
                }
            }
        })
    }

    /// The one leaf of a scalar expression.
    pub(super) fn scalar(&mut self, expr: &'a Expr) -> Lowered<Id> {
        match self.expr(expr)? {
            Value::Array(array) if array.extents.is_empty() => {
                Ok(self.element(&array, &[]).scalar())
            }
            // A side that never gets here: any value of the type does.
            Value::Never => {
                let ty = match &expr.ty {
                    crate::typed::Type::Never => {
                        &crate::typed::Type::Leaf(crate::scalar::Leaf::Bool)
                    }
                    ty => ty,
                };
                Ok(self.zero_of(ty, expr.span)?.scalar())
            }
            Value::Scalar(id) => Ok(id),
            _ => Err(not_yet(
                expr.span,
                "this expression as a scalar",
                "bind its parts with `let` first",
            )),
        }
    }

    /// The leaves of scalar expressions.
    pub(super) fn scalars(&mut self, exprs: &'a [Expr]) -> Lowered<Vec<Id>> {
        exprs.iter().map(|expr| self.scalar(expr)).collect()
    }

    /// An operator on scalars; a divisor is checked.
    pub(super) fn arithmetic(&mut self, op: Binary, a: Id, b: Id, span: proc_macro2::Span) -> Id {
        let divides = matches!(op, Binary::Div | Binary::Rem) && self.p.leaf(a).is_integer();
        let effect = if divides {
            self.require_divisor(b, op == Binary::Rem, span)
        } else {
            None
        };
        let value = self.binary(op, a, b);
        match effect {
            Some(effect) => self.under(&effect, value),
            None => value,
        }
    }

    fn assign(&mut self, place: &Place, value: Value<'a>) {
        let key = Key::Local(place.local);
        if let Some(name) = self.frame.names.get(&key).cloned() {
            self.name_value(&value, &name);
        }
        if place.fields.is_empty() {
            self.environment.insert(key, value);
            return;
        }
        let mut target = self.environment.get_mut(&key);
        for &field in &place.fields {
            target = match target {
                Some(Value::Tuple(fields)) => fields.get_mut(field),
                _ => None,
            };
        }
        if let Some(target) = target {
            *target = value;
        }
    }

    /// `xs[i]`, `m[(i, j)]`.
    fn read(
        &mut self,
        array: &'a Expr,
        index: &'a Expr,
        span: proc_macro2::Span,
    ) -> Lowered<Value<'a>> {
        let text = self.text_of(array, index);
        let value = self.expr(array)?;
        let indices = self.expr(index)?.leaves();
        if let Value::Tuple(fields) = value {
            return Ok(self.one_of(&fields, indices[0], &text, span));
        }
        Ok(self.checked_read(&value, &indices, &text, span))
    }

    /// The element of a fixed array at an index.
    fn one_of(
        &mut self,
        fields: &[Value<'a>],
        index: Id,
        text: &str,
        span: proc_macro2::Span,
    ) -> Value<'a> {
        let n = self.p.usize(fields.len() as u64);
        let effects: Vec<_> = self
            .require_index(index, n, text, span)
            .into_iter()
            .collect();
        let mut found = fields[0].clone();
        for (k, field) in fields.iter().enumerate().skip(1) {
            let number = self.p.usize(k as u64);
            let here = self.binary(Binary::Eq, index, number);
            found = self.chosen_value(here, field, &found);
        }
        self.guarded(&effects, found)
    }

    /// A fixed array with another element at an index.
    pub(super) fn with_one(
        &mut self,
        fields: &[Value<'a>],
        index: Id,
        value: &Value<'a>,
        span: proc_macro2::Span,
    ) -> Value<'a> {
        let n = self.p.usize(fields.len() as u64);
        let effects: Vec<_> = self.require_index(index, n, "", span).into_iter().collect();
        let mut all = Vec::new();
        for (k, field) in fields.iter().enumerate() {
            let number = self.p.usize(k as u64);
            let here = self.binary(Binary::Eq, index, number);
            all.push(self.chosen_value(here, value, field));
        }
        self.guarded(&effects, Value::Tuple(all))
    }

    /// One of two elements that have both been evaluated.
    pub(super) fn chosen_value(
        &mut self,
        condition: Id,
        then: &Value<'a>,
        otherwise: &Value<'a>,
    ) -> Value<'a> {
        let leaves: Vec<Id> = then
            .leaves()
            .into_iter()
            .zip(otherwise.leaves())
            .map(|(a, b)| self.select(condition, a, b))
            .collect();
        then.with_leaves(&leaves)
    }

    /// `xs[i]` in words, as far as names go.
    fn text_of(&self, array: &Expr, index: &Expr) -> String {
        let name = |expr: &Expr| match &expr.kind {
            ExprKind::Local(local) => self.frame.names.get(&Key::Local(*local)).cloned(),
            ExprKind::Constant(scalar) => Some(scalar.bits.to_string()),
            _ => None,
        };
        let Some(array) = name(array) else {
            return String::new();
        };
        let index = match &index.kind {
            ExprKind::Tuple(parts) => {
                let parts: Vec<String> = parts
                    .iter()
                    .map(|part| name(part).unwrap_or_else(|| "..".to_owned()))
                    .collect();
                format!("({})", parts.join(", "))
            }
            _ => name(index).unwrap_or_else(|| "..".to_owned()),
        };
        format!("{array}[{index}]")
    }

    /// A read of an array or an array of arrays that fails out of bounds, with one site per axis.
    pub(super) fn checked_read(
        &mut self,
        value: &Value<'a>,
        indices: &[Id],
        text: &str,
        span: proc_macro2::Span,
    ) -> Value<'a> {
        let extents = self.extents_of(value);
        let mut effects = Vec::new();
        for (&index, &extent) in indices.iter().zip(&extents) {
            let requirement = self.within(index, extent, text, span);
            effects.extend(match value {
                Value::Nested(_) => self.require_shape(requirement),
                _ => self.require_value(requirement),
            });
        }
        let element = self.element_of(value, indices);
        self.guarded(&effects, element)
    }

    /// A requirement that is a failed assertion, on one value.
    pub(super) fn require_assertion(
        &mut self,
        condition: Id,
        message: &str,
        span: proc_macro2::Span,
        value: Id,
    ) -> Id {
        let effect = self.require_value(Requirement {
            condition,
            kind: Failure::AssertionFailed,
            message: message.to_owned(),
            values: vec![],
            span,
        });
        match effect {
            Some(effect) => self.under(&effect, value),
            None => value,
        }
    }
}
