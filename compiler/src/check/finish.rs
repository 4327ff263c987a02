//! The end of a function: every variable has its type, literals their values, operators their kind.

use super::comparisons::has_fields;
use super::infer::{POISON, bits, leaf};
use super::{Checker, expr, wide};
use crate::scalar::{Binary, Leaf, Unary};
use crate::typed::{Elementwise, Expr, ExprKind, Local, Pattern, Stmt, Type};
use proc_macro2::Span;

impl Checker<'_> {
    /// Finishes a whole body.
    pub(super) fn finish_function(&mut self, body: &mut Expr) {
        self.check_unused_closures();
        self.solve_pending(false);
        self.vars.default_literals();
        self.solve_pending(false);
        self.solve_pending(true);
        self.vars.default_literals();
        self.vars.default_never();
        self.check_bounds_at_end();
        self.finish(body);
        self.finish_calls();
    }

    /// Calls whose type arguments nothing has fixed.
    fn finish_calls(&mut self) {
        for call in self.calls.clone() {
            for ty in call.generics.types.values() {
                let ty = self.vars.resolve(ty);
                self.known(&ty, call.span, "the call");
            }
        }
    }

    /// Reports a type that is still unknown.
    fn known(&mut self, ty: &Type, at: Span, what: &str) {
        if self.has_unknown(ty) && !self.failed {
            self.error(
                at,
                format!("type annotations needed for {what}"),
                "write the type: `let x: f32 = ..`",
            );
        }
    }

    pub(super) fn has_unknown(&self, ty: &Type) -> bool {
        match ty {
            &POISON => false,
            Type::Unknown(_) => true,
            Type::Tuple(types) => types.iter().any(|t| self.has_unknown(t)),
            Type::Option(inner)
            | Type::Range(inner)
            | Type::Array(inner, _)
            | Type::Fixed(inner, _)
            | Type::Segmented(inner)
            | Type::Offsets(inner)
            | Type::Window(inner, _) => self.has_unknown(inner),
            Type::Nested { inner, .. } => self.has_unknown(inner),
            Type::Struct(id) | Type::Bundle(id) => {
                let (_, arguments) = self.cx.made.of(*id).unwrap_or_default();
                arguments.iter().any(|t| self.has_unknown(t))
            }
            Type::Function(arguments, result) => {
                arguments.iter().any(|t| self.has_unknown(t)) || self.has_unknown(result)
            }
            _ => false,
        }
    }

    /// Finishes an expression and everything in it.
    pub(super) fn finish(&mut self, at: &mut Expr) {
        if let ExprKind::Constant(placeholder) = at.kind
            && matches!(at.ty, Type::Unknown(_))
        {
            at.kind = self.literal_kind(placeholder.bits as usize, false, at.span);
        }
        if self.negated_literal(at) {
            at.ty = self.vars.resolve(&at.ty);
            return;
        }
        at.ty = self.vars.resolve(&at.ty);
        self.failed |= self.is_of_errors(&at.ty);
        self.finish_statements(at);
        at.for_each_child(&mut |child| self.finish(child));
        if !matches!(at.kind, ExprKind::Closure(_)) {
            let ty = at.ty.clone();
            self.known(&ty, at.span, "this expression");
        }
        self.finish_kind(at);
        self.refuse_wide(at);
    }

    /// Whether a type has been reported, or one of its fields: no function that has such a value is whole.
    pub(super) fn is_of_errors(&self, ty: &Type) -> bool {
        self.cx.any_part(ty, &|ty| match ty {
            &POISON => true,
            Type::Struct(id) => self.cx.broken.get(*id) == Some(&true),
            _ => false,
        })
    }

    /// `-1`: the minus belongs to the literal, so that `-128i8` is one.
    fn negated_literal(&mut self, at: &mut Expr) -> bool {
        let ExprKind::Elementwise(Elementwise::Unary(Unary::Neg), operands) = &at.kind else {
            return false;
        };
        let [operand] = &operands[..] else {
            return false;
        };
        let (ExprKind::Constant(placeholder), Type::Unknown(_)) = (&operand.kind, &operand.ty)
        else {
            return false;
        };
        at.kind = self.literal_kind(placeholder.bits as usize, true, at.span);
        true
    }

    /// A literal, as an expression.
    fn literal_kind(&mut self, id: usize, negate: bool, at: Span) -> ExprKind {
        match self.wide_literal(id, negate) {
            Some((bits, ty)) => wide::constant(bits, &ty, at).kind,
            None => ExprKind::Constant(self.literal_value(id, negate)),
        }
    }

    /// Patterns, and closures bound by `let`, which are kept apart until now.
    fn finish_statements(&mut self, at: &mut Expr) {
        match &mut at.kind {
            ExprKind::Block(statements, _) => {
                for statement in statements {
                    let Stmt::Let { pattern, value } = statement else {
                        continue;
                    };
                    if let (Pattern::Bind { local, .. }, Some(value)) = (&*pattern, &mut *value) {
                        self.place_closure(*local, value);
                    }
                    self.finish_pattern(pattern);
                }
            }
            ExprKind::Match(_, arms) => {
                for arm in arms {
                    self.finish_pattern(&mut arm.pattern);
                }
            }
            ExprKind::For(it) => self.finish_pattern(&mut it.pattern),
            ExprKind::Closure(closure) => {
                for (pattern, ty) in &mut closure.parameters {
                    *ty = self.vars.resolve(ty);
                    self.finish_pattern(pattern);
                    let ty = ty.clone();
                    self.known(&ty, closure.span, "a parameter of this closure");
                }
            }
            _ => {}
        }
    }

    /// Puts the body of a closure where it was bound.
    fn place_closure(&mut self, local: Local, value: &mut Expr) {
        let definition = self.closures.iter_mut().find(|d| d.local == local);
        if let Some(closure) = definition.and_then(|d| d.typed.take()) {
            value.kind = ExprKind::Closure(Box::new(closure));
        }
    }

    fn finish_pattern(&mut self, pattern: &mut Pattern) {
        match pattern {
            Pattern::Wild | Pattern::Option(None) => {}
            Pattern::Bind {
                ty, inner, local, ..
            } => {
                *ty = self.vars.resolve(ty);
                if self.has_unknown(ty) {
                    let (name, at) = self.locals[local.0 as usize].clone();
                    self.known(&ty.clone(), at, &format!("`{name}`"));
                }
                if let Some(inner) = inner {
                    self.finish_pattern(inner);
                }
            }
            Pattern::Tuple(fields) | Pattern::Or(fields) | Pattern::Variant(_, _, fields) => {
                fields.iter_mut().for_each(|p| self.finish_pattern(p));
            }
            Pattern::Option(Some(inner)) => self.finish_pattern(inner),
            Pattern::Literal(value) => match self.wide_literal(value.bits as usize, false) {
                Some((bits, ty)) => *pattern = wide::literal_pattern(bits, &ty),
                None => *value = self.literal_value(value.bits as usize, false),
            },
            Pattern::Range(low, high) => match self.wide_range(*low, *high) {
                Some(range) => *pattern = range,
                None => self.finish_range(low, high),
            },
        }
    }

    fn finish_kind(&mut self, at: &mut Expr) {
        match std::mem::replace(&mut at.kind, ExprKind::Tuple(Vec::new())) {
            ExprKind::Elementwise(op, args) => {
                let bundle = |arg: &Expr| matches!(arg.ty, Type::Bundle(_));
                let arrays = args.iter().any(|arg| arg.ty.has_array());
                at.kind = if arrays && !args.iter().any(bundle) {
                    let ty = at.ty.clone();
                    if let (Elementwise::Binary { op, .. }, [left, right]) = (op, &args[..])
                        && let Type::Array(element, _) = &left.ty
                    {
                        self.check_literal_operand(op, element, right, at.span);
                    }
                    let own = self.operator_on_arrays(op, &args, &ty, at.span);
                    own.unwrap_or(ExprKind::Elementwise(op, args))
                } else {
                    self.scalar_operator(op, args, at.span)
                };
            }
            ExprKind::Match(scrutinee, arms) => {
                if !self.failed {
                    self.check_arms(&scrutinee, &arms, at.span);
                }
                at.kind = ExprKind::Match(scrutinee, arms);
            }
            ExprKind::Cast(operand)
                if let Some(kind) = self.cast_of_enum(&operand, &at.ty, at.span) =>
            {
                at.kind = kind;
            }
            ExprKind::Cast(operand) => {
                self.check_cast(&operand, &at.ty, at.span);
                at.kind = ExprKind::Cast(operand);
            }
            kind => at.kind = kind,
        }
    }

    pub(super) fn scalar_operator(
        &mut self,
        op: Elementwise,
        mut args: Vec<Expr>,
        at: Span,
    ) -> ExprKind {
        match (op, args.len()) {
            (Elementwise::Unary(op), 1) => {
                let operand = args.remove(0);
                match self.unary_call(op, &operand, at) {
                    Some(call) => call,
                    None => ExprKind::Unary(op, Box::new(operand)),
                }
            }
            (Elementwise::Binary { op, exchanged }, 2) => {
                let mut right = args.remove(1);
                let mut left = args.remove(0);
                if let Some(call) = self.operator_call(op, &left, &right, at) {
                    return call;
                }
                if has_fields(&left.ty) {
                    return self.compare_fields(op, exchanged, left, right, at);
                }
                self.check_literal_operand(op, &left.ty, &right, at);
                if matches!(op, Binary::Shl | Binary::Shr) && right.ty != Type::Leaf(Leaf::U32) {
                    let span = right.span;
                    right = expr(ExprKind::Cast(Box::new(right)), Type::Leaf(Leaf::U32), span);
                }
                if !exchanged {
                    return ExprKind::Binary(op, Box::new(left), Box::new(right));
                }
                if may_exchange(&mut left, &mut right) {
                    return ExprKind::Binary(op, Box::new(right), Box::new(left));
                }
                // Both are computed in the order written, then compared in the other.
                let (first, left) = self.saved(left);
                let (second, right) = self.saved(right);
                let compare = ExprKind::Binary(op, Box::new(right), Box::new(left));
                let tail = expr(compare, Type::Leaf(Leaf::Bool), at);
                ExprKind::Block(vec![first, second], Some(Box::new(tail)))
            }
            (_, _) => ExprKind::Tuple(args),
        }
    }

    /// Binds a value to a new local: the statement, and the local as an expression.
    pub(super) fn saved(&mut self, value: Expr) -> (Stmt, Expr) {
        let (ty, span) = (value.ty.clone(), value.span);
        let local = self.fresh_local("value", span);
        let pattern = Pattern::Bind {
            local,
            name: "value".to_string(),
            ty: ty.clone(),
            inner: None,
        };
        let statement = Stmt::Let {
            pattern,
            value: Some(value),
        };
        (statement, expr(ExprKind::Local(local), ty, span))
    }

    /// What rustc denies: division by a literal zero, and a shift by the width or more.
    fn check_literal_operand(&mut self, op: Binary, left: &Type, right: &Expr, at: Span) {
        let value = match (&right.kind, wide::value(right)) {
            (ExprKind::Constant(value), _) => super::consts::integer(*value),
            (_, Some(bits)) => bits as i128,
            _ => return,
        };
        let Some(leaf) = leaf(left) else {
            return;
        };
        if !leaf.is_integer() {
            return;
        }
        let bits = bits(left).unwrap_or(64);
        match op {
            Binary::Div | Binary::Rem if value == 0 => {
                let what = if op == Binary::Div {
                    "divides"
                } else {
                    "takes the remainder"
                };
                self.error(at, format!("this {what} by zero"), "");
            }
            Binary::Shl | Binary::Shr if !(0..i128::from(bits)).contains(&value) => {
                let shown = self.show(left);
                self.error(
                    at,
                    format!("this shifts {shown} by {value}"),
                    format!("it has {bits} bits: use `wrapping_shl` or a wider type"),
                );
            }
            _ => {}
        }
    }
}

/// Whether two operands may be computed in either order: neither assigns, and at most one can fail.
fn may_exchange(left: &mut Expr, right: &mut Expr) -> bool {
    let (left, right) = (effects(left), effects(right));
    let (assigns, both_fail) = (left.0 || right.0, left.1 && right.1);
    !assigns && !both_fail
}

/// Whether an expression assigns or leaves, and whether it can fail.
fn effects(at: &mut Expr) -> (bool, bool) {
    let mut result = match at.kind {
        ExprKind::Constant(_)
        | ExprKind::Local(_)
        | ExprKind::Tuple(_)
        | ExprKind::Variant(..)
        | ExprKind::Field(..)
        | ExprKind::Option(_)
        | ExprKind::Unary(..)
        | ExprKind::Lazy { .. }
        | ExprKind::Math(..)
        | ExprKind::Cast(_)
        | ExprKind::Bitcast(_)
        | ExprKind::If(..) => (false, false),
        ExprKind::Binary(op, _, _) => (false, matches!(op, Binary::Div | Binary::Rem)),
        ExprKind::Number(..)
        | ExprKind::Range(..)
        | ExprKind::Closure(_)
        | ExprKind::Array(..)
        | ExprKind::Elementwise(..)
        | ExprKind::Index(..)
        | ExprKind::Call(..)
        | ExprKind::CallClosure(..)
        | ExprKind::Match(..)
        | ExprKind::Block(..) => (false, true),
        ExprKind::While { .. }
        | ExprKind::Labelled(..)
        | ExprKind::For(_)
        | ExprKind::Break(_)
        | ExprKind::Continue(_)
        | ExprKind::Return(_)
        | ExprKind::Assign(..)
        | ExprKind::Assert(..) => (true, true),
    };
    at.for_each_child(&mut |child| {
        let (assigns, fails) = effects(child);
        result = (result.0 || assigns, result.1 || fails);
    });
    result
}
