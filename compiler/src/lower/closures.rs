//! Calls: helpers and closures are inlined where they are called.

use super::value::{ClosureValue, Environment, Frame, Key, Value};
use super::{Lower, Lowered};
use crate::diag::Diagnostic;
use crate::ir::QuickMap;
use crate::typed::{Closure, Expr, ExprKind, Foreign, Local, Type};
use proc_macro2::Span;
use std::rc::Rc;

impl<'a> Lower<'a> {
    /// A helper, in an environment that has its parameters only.
    pub(super) fn call(
        &mut self,
        function: usize,
        arguments: &'a [Expr],
        span: Span,
    ) -> Lowered<Value<'a>> {
        let block = self.block;
        let mut given = Vec::new();
        let callee = &block.functions[function];
        let of_arrays = matches!(callee.attributes.foreign, Some(Foreign::Rust(_)));
        if self.frame.calls.contains(&function) {
            let message = format!("`{}` calls itself", callee.name);
            return Err(Box::new(
                Diagnostic::new(span, message).help("write the recursion as a loop"),
            ));
        }
        let mut inside = Environment::new();
        let mut frame = Frame {
            names: QuickMap::default(),
            ..Frame::clone(&self.frame)
        };
        for (argument, parameter) in arguments.iter().zip(&callee.parameters) {
            let value = match &parameter.ty {
                Type::Function(..) => Value::Closure(self.closure(argument)?),
                ty => {
                    let value = self.expr(argument)?;
                    self.evaluated(&value);
                    match of_arrays {
                        true => {
                            let value = self.coerced(value, ty);
                            self.in_memory(value)
                        }
                        false => self.coerced(value, ty),
                    }
                }
            };
            given.extend(value.leaves());
            let key = Key::Local(parameter.local);
            self.name_value(&value, &parameter.name);
            frame.names.insert(key, parameter.name.clone());
            inside.insert(key, value);
        }
        frame.associative |= callee.attributes.associative;
        frame.deterministic |= callee.attributes.deterministic;
        frame.calls.push(function);
        if callee.fails_at_call {
            frame.call.get_or_insert(span);
        }
        let outside = std::mem::replace(&mut self.environment, inside);
        let outer = std::mem::replace(&mut self.frame, Rc::new(frame));
        let value = match &callee.attributes.foreign {
            Some(Foreign::Rust(path)) => self.foreign_arrays((function, path), given, span),
            Some(Foreign::Cuda(file)) => self
                .body(&callee.body)
                .map(|body| Value::Scalar(self.foreign_scalar(callee, file, given, body.scalar()))),
            None => self.body(&callee.body),
        };
        self.frame = outer;
        self.environment = outside;
        Ok(self.coerced(value?, &callee.result))
    }

    /// A closure, with what it sees here.
    pub(super) fn closed(&self, closure: &'a Closure) -> Rc<ClosureValue<'a>> {
        Rc::new(ClosureValue {
            closure,
            environment: self.environment.clone(),
            frame: Rc::clone(&self.frame),
        })
    }

    /// Gives a local a name for messages.
    pub(super) fn name_local(&mut self, key: Key, name: &str) {
        if self.frame.names.get(&key).is_none_or(|known| known != name) {
            Rc::make_mut(&mut self.frame)
                .names
                .insert(key, name.to_owned());
        }
    }

    /// The closure that an argument of an operation is.
    pub(super) fn closure(&mut self, expr: &'a Expr) -> Lowered<Rc<ClosureValue<'a>>> {
        if let ExprKind::Closure(closure) = &expr.kind {
            return Ok(self.closed(closure));
        }
        match self.expr(expr)? {
            Value::Closure(closure) => Ok(closure),
            _ => Err(Box::new(
                Diagnostic::new(expr.span, "expected a closure").help("write `|x| ..`"),
            )),
        }
    }

    /// The closure bound to a variable.
    pub(super) fn call_local(
        &mut self,
        local: Local,
        arguments: &'a [Expr],
        span: Span,
    ) -> Lowered<Value<'a>> {
        let mut values = Vec::new();
        for argument in arguments {
            let value = self.expr(argument)?;
            self.evaluated(&value);
            values.push(value);
        }
        match self.environment.get(&Key::Local(local)) {
            Some(Value::Closure(closure)) => {
                let closure = Rc::clone(closure);
                self.apply(&closure, values)
            }
            _ => Err(Box::new(
                Diagnostic::new(span, "this is not a closure")
                    .help("bind a closure with `let` first"),
            )),
        }
    }

    /// A closure's value for arguments.
    pub(super) fn apply(
        &mut self,
        closure: &ClosureValue<'a>,
        arguments: Vec<Value<'a>>,
    ) -> Lowered<Value<'a>> {
        let mut inside = closure.environment.clone();
        inside.retain(|key, _| matches!(key, Key::Local(_)));
        let outside = std::mem::replace(&mut self.environment, inside);
        let outer = std::mem::replace(&mut self.frame, Rc::clone(&closure.frame));
        for ((pattern, ty), argument) in closure.closure.parameters.iter().zip(arguments) {
            let argument = self.coerced(argument, ty);
            self.bind(pattern, argument);
        }
        let value = self.body(&closure.closure.body);
        self.frame = outer;
        self.environment = outside;
        value
    }
}
