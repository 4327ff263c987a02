//! Operators: on scalars of one type, and elementwise on arrays.
//!
//! An operator whose operands are not known yet waits in a list; at the end it is taken to be one on scalars.

use super::infer::{Kind, POISON, bits, is_integer, leaf};
use super::literals::Value;
use super::{Checker, expr};
use crate::scalar::{Binary, Leaf, Unary};
use crate::syntax::span;
use crate::typed::{ArrayOp, Elementwise, Expr, ExprKind, Type};
use proc_macro2::Span;

/// An operator that waits for the types of its operands.
#[derive(Clone)]
pub(super) struct Pending {
    op: Binary,
    symbol: &'static str,
    left: Type,
    right: Type,
    left_text: String,
    right_text: String,
    result: Type,
    span: Span,
}

/// What a type must be in the end.
#[derive(Clone)]
pub(super) struct Bound {
    pub(super) ty: Type,
    pub(super) class: Class,
    pub(super) span: Span,
    /// What asks for it, with backticks.
    pub(super) what: String,
}

/// Sets of scalar types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    Number,
    Signed,
    Integer,
    /// Integers with a sign, and without.
    SignedInteger,
    Unsigned,
    Float,
    /// Floats of 16 bits.
    Half,
    Bool,
    Char,
    /// What holds a letter of ASCII: `u8` and `char`.
    Ascii,
    /// What `!`, `&`, `|` and `^` take.
    Bits,
    /// What can be compared.
    Ordered,
}

impl Class {
    pub(super) fn has(self, leaf: Leaf) -> bool {
        match self {
            Class::Number => leaf != Leaf::Bool,
            Class::Signed => leaf.is_signed() || leaf.is_float(),
            Class::Integer => leaf.is_integer(),
            Class::SignedInteger => leaf.is_signed(),
            Class::Unsigned => leaf.is_integer() && !leaf.is_signed(),
            Class::Ascii => leaf == Leaf::U8,
            // Has no leaf type of its own.
            Class::Char => false,
            Class::Float => leaf.is_float(),
            Class::Half => leaf.is_half(),
            Class::Bool => leaf == Leaf::Bool,
            Class::Bits => !leaf.is_float(),
            Class::Ordered => true,
        }
    }

    pub(super) fn words(self) -> &'static str {
        match self {
            Class::Number => "numbers",
            Class::Signed => "signed numbers",
            Class::Integer => "integers",
            Class::SignedInteger => "signed integers",
            Class::Unsigned => "unsigned integers",
            Class::Char => "`char`",
            Class::Ascii => "`u8` or `char`",
            Class::Float => "floats",
            Class::Half => "`f16` or `bf16`",
            Class::Bool => "`bool`",
            Class::Bits => "integers or `bool`",
            Class::Ordered => "scalars",
        }
    }
}

/// The operation of an operator, whether its operands change places, and its symbol.
fn operation(op: &syn::BinOp) -> Option<(Binary, bool, &'static str, Span)> {
    use syn::BinOp as B;
    Some(match op {
        B::Add(t) => (Binary::Add, false, "+", t.span),
        B::AddAssign(t) => (Binary::Add, false, "+=", span(t)),
        B::Sub(t) => (Binary::Sub, false, "-", t.span),
        B::SubAssign(t) => (Binary::Sub, false, "-=", span(t)),
        B::Mul(t) => (Binary::Mul, false, "*", t.span),
        B::MulAssign(t) => (Binary::Mul, false, "*=", span(t)),
        B::Div(t) => (Binary::Div, false, "/", t.span),
        B::DivAssign(t) => (Binary::Div, false, "/=", span(t)),
        B::Rem(t) => (Binary::Rem, false, "%", t.span),
        B::RemAssign(t) => (Binary::Rem, false, "%=", span(t)),
        B::BitAnd(t) => (Binary::And, false, "&", t.span),
        B::BitAndAssign(t) => (Binary::And, false, "&=", span(t)),
        B::BitOr(t) => (Binary::Or, false, "|", t.span),
        B::BitOrAssign(t) => (Binary::Or, false, "|=", span(t)),
        B::BitXor(t) => (Binary::Xor, false, "^", t.span),
        B::BitXorAssign(t) => (Binary::Xor, false, "^=", span(t)),
        B::Shl(t) => (Binary::Shl, false, "<<", span(t)),
        B::ShlAssign(t) => (Binary::Shl, false, "<<=", span(t)),
        B::Shr(t) => (Binary::Shr, false, ">>", span(t)),
        B::ShrAssign(t) => (Binary::Shr, false, ">>=", span(t)),
        B::Eq(t) => (Binary::Eq, false, "==", span(t)),
        B::Ne(t) => (Binary::Ne, false, "!=", span(t)),
        B::Lt(t) => (Binary::Lt, false, "<", t.span),
        B::Le(t) => (Binary::Le, false, "<=", span(t)),
        B::Gt(t) => (Binary::Lt, true, ">", t.span),
        B::Ge(t) => (Binary::Le, true, ">=", span(t)),
        _ => return None,
    })
}

fn is_comparison(op: Binary) -> bool {
    matches!(op, Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le)
}

/// The operand for the help line, if it is short, else a placeholder.
fn operand_text(operand: &syn::Expr) -> String {
    match operand {
        syn::Expr::Path(_) | syn::Expr::Lit(_) | syn::Expr::MethodCall(_) | syn::Expr::Call(_) => {
            let text = super::spacing::tidy(&quote::quote!(#operand).to_string());
            if text.len() <= 30 {
                text
            } else {
                "(..)".to_string()
            }
        }
        _ => "(..)".to_string(),
    }
}

/// The number after `**`, which Rust reads as a product with what a number refers to.
fn double_star<'e>(op: &syn::BinOp, right: &'e syn::Expr) -> Option<&'e syn::Expr> {
    match (op, right) {
        (
            syn::BinOp::Mul(_),
            syn::Expr::Unary(syn::ExprUnary {
                op: syn::UnOp::Deref(_),
                expr,
                ..
            }),
        ) => matches!(**expr, syn::Expr::Lit(_)).then_some(expr),
        _ => None,
    }
}

/// A power, as it is written.
fn power(base: &str, exponent: &str) -> String {
    let method = match exponent.contains('.') {
        true => "powf",
        false => "powi",
    };
    format!("write `{base}.{method}({exponent})`")
}

impl Checker<'_> {
    pub(super) fn binary(&mut self, node: &syn::ExprBinary) -> Expr {
        match &node.op {
            syn::BinOp::And(token) => self.lazy(true, node, span(token)),
            syn::BinOp::Or(token) => self.lazy(false, node, span(token)),
            op => {
                if let Some(exponent) = double_star(op, &node.right) {
                    let help = power(&operand_text(&node.left), &operand_text(exponent));
                    return self.reject(span(op), "there is no operator `**`", help);
                }
                let left = self.infer(&node.left);
                let right = self.infer(&node.right);
                if operation(op).is_none() {
                    return self.reject(span(op), "unknown operator", "");
                }
                self.operator(op, left, right, &node.left, &node.right)
            }
        }
    }

    fn lazy(&mut self, and: bool, node: &syn::ExprBinary, at: Span) -> Expr {
        let symbol = if and { "&&" } else { "||" };
        let mut side = |operand: &syn::Expr| {
            let value = self.infer(operand);
            if let Type::Array(..) = self.vars.shallow(&value.ty) {
                return self.reject(
                    at,
                    format!("`{symbol}` takes `bool`, not arrays"),
                    format!("write `{}`: it works elementwise", &symbol[1..]),
                );
            }
            self.coerce(value, &Type::Leaf(Leaf::Bool))
        };
        let left = Box::new(side(&node.left));
        let right = Box::new(side(&node.right));
        if left.ty == POISON || right.ty == POISON {
            return self.poison(at);
        }
        expr(
            ExprKind::Lazy { and, left, right },
            Type::Leaf(Leaf::Bool),
            at,
        )
    }

    /// An operator on operands that have been inferred.
    pub(super) fn operator(
        &mut self,
        op: &syn::BinOp,
        left: Expr,
        right: Expr,
        left_syntax: &syn::Expr,
        right_syntax: &syn::Expr,
    ) -> Expr {
        let Some((binary, exchanged, symbol, at)) = operation(op) else {
            return self.poison(span(op));
        };
        let left = self.operand(left);
        let right = self.operand(right);
        let result = self.vars.any();
        let pending = Pending {
            op: binary,
            symbol,
            left: left.ty.clone(),
            right: right.ty.clone(),
            left_text: operand_text(left_syntax),
            right_text: operand_text(right_syntax),
            result: result.clone(),
            span: at,
        };
        if !self.solve(&pending, false) {
            self.pending.push(pending);
        }
        let op = Elementwise::Binary {
            op: binary,
            exchanged,
        };
        expr(ExprKind::Elementwise(op, vec![left, right]), result, at)
    }

    /// Ranges are vectors and scalar arrays are scalars where an operator or a method meets them.
    pub(super) fn operand(&mut self, value: Expr) -> Expr {
        let at = value.span;
        match self.vars.shallow(&value.ty) {
            Type::Range(element) => {
                let ty = Type::Array(element, 1);
                expr(ExprKind::Array(ArrayOp::RangeVector, vec![value]), ty, at)
            }
            Type::Array(element, 0) => {
                expr(ExprKind::Array(ArrayOp::Value, vec![value]), *element, at)
            }
            _ => value,
        }
    }

    /// Tries the operators that wait. `force`: what is still unknown is a scalar.
    pub(super) fn solve_pending(&mut self, force: bool) {
        loop {
            let before = self.pending.len();
            let list = std::mem::take(&mut self.pending);
            for pending in list {
                if !self.solve(&pending, force) {
                    self.pending.push(pending);
                }
            }
            if self.pending.is_empty() || self.pending.len() == before {
                break;
            }
        }
    }

    /// Types an operator; `false` if too little is known.
    fn solve(&mut self, p: &Pending, force: bool) -> bool {
        let (left, right) = (self.vars.shallow(&p.left), self.vars.shallow(&p.right));
        if left == POISON || right == POISON {
            self.vars.unify(&p.result, &POISON);
            self.failed = true;
            return true;
        }
        if left == Type::Never || right == Type::Never {
            let never = self.vars.never();
            self.vars.unify(&p.result, &never);
            return true;
        }
        let unknown = |ty: &Type| self.vars.kind(ty) == Some(Kind::Any);
        if !force && (unknown(&left) || unknown(&right)) {
            return false;
        }
        if let Some(result) = self.own_operator(p.op, &left, &right) {
            self.vars.unify(&p.result, &result);
            return true;
        }
        let (element, other, rank) = match (&left, &right) {
            (Type::Array(a, p_rank), Type::Array(b, q_rank)) => {
                if p_rank != q_rank {
                    let (a, b) = (self.show(&left), self.show(&right));
                    let sides = ((&*p.left_text, *p_rank), (&*p.right_text, *q_rank));
                    self.error(
                        p.span,
                        format!("`{}` takes arrays of one rank, found {a} and {b}", p.symbol),
                        super::habits::broadcast(p.symbol.trim_end_matches('='), sides.0, sides.1),
                    );
                    self.vars.unify(&p.result, &POISON);
                    return true;
                }
                (a.clone(), b.clone(), Some(*p_rank))
            }
            (Type::Array(a, rank), b) => (a.clone(), Box::new(b.clone()), Some(*rank)),
            (a, Type::Array(b, rank)) => (Box::new(a.clone()), b.clone(), Some(*rank)),
            (a, b) => (Box::new(a.clone()), Box::new(b.clone()), None),
        };
        let shift = matches!(p.op, Binary::Shl | Binary::Shr);
        if !shift && !self.vars.unify(&element, &other) {
            self.refuse_operands(p, &left, &right);
            self.vars.unify(&p.result, &POISON);
            return true;
        }
        let class = match p.op {
            Binary::And | Binary::Or | Binary::Xor => Class::Bits,
            Binary::Shl | Binary::Shr => Class::Integer,
            op if is_comparison(op) => Class::Ordered,
            _ => Class::Number,
        };
        let what = format!("`{}`", p.symbol);
        if shift {
            self.require(&other, Class::Integer, p.span, &what);
        }
        if !self.compares_fields(p.op, &element) {
            self.require(&element, class, p.span, &what);
        }
        let result = if is_comparison(p.op) {
            Type::Leaf(Leaf::Bool)
        } else {
            *element
        };
        let result = match rank {
            Some(rank) => Type::Array(Box::new(result), rank),
            None => result,
        };
        self.vars.unify(&p.result, &result);
        true
    }

    /// Whether values of a type are compared field by field: for equality all that have fields, and in order what Rust
    /// does, tuples and arrays.
    fn compares_fields(&self, op: Binary, ty: &Type) -> bool {
        let ty = self.vars.resolve(ty);
        match (op, &ty) {
            (_, ty) if ty.has_array() => false,
            (Binary::Eq | Binary::Ne, ty) => super::comparisons::has_fields(ty),
            (Binary::Lt | Binary::Le, Type::Tuple(_) | Type::Fixed(..) | Type::Option(_)) => {
                self.has_order(&ty)
            }
            _ => false,
        }
    }

    fn refuse_operands(&mut self, p: &Pending, left: &Type, right: &Type) {
        let (l, r) = (self.show(left), self.show(right));
        let message = match p.op {
            Binary::Add => format!("cannot add {r} to {l}"),
            Binary::Sub => format!("cannot subtract {r} from {l}"),
            Binary::Mul => format!("cannot multiply {l} by {r}"),
            Binary::Div => format!("cannot divide {l} by {r}"),
            Binary::Rem => format!("cannot take the remainder of {l} by {r}"),
            op if is_comparison(op) => format!("cannot compare {l} with {r}"),
            _ => format!("no operator `{}` on {l} and {r}", p.symbol),
        };
        let float = |ty: &Type| leaf(ty).is_some_and(Leaf::is_float);
        let help = match (self.vars.kind(left), self.vars.kind(right)) {
            _ if p.symbol == "^" && float(left) => power(&p.left_text, &p.right_text),
            (_, Some(Kind::Integer)) if float(left) => self.with_point(right, &p.right_text),
            (Some(Kind::Integer), _) if float(right) => self.with_point(left, &p.left_text),
            (_, None) if self.is_number(left) && self.is_number(right) => {
                // From integers to floats, else from the narrower to the wider type.
                let convert_left = match (leaf(left), leaf(right)) {
                    (Some(a), Some(b)) if a.is_float() != b.is_float() => b.is_float(),
                    (Some(_), Some(_)) => bits(left) < bits(right),
                    _ => false,
                };
                match convert_left {
                    true => format!("write `{} as {}`", p.left_text, r.trim_matches('`')),
                    false => format!("write `{} as {}`", p.right_text, l.trim_matches('`')),
                }
            }
            _ if matches!(left, Type::Option(_)) || matches!(right, Type::Option(_)) => {
                "use `unwrap_or(..)` or `if let Some(x)`".to_string()
            }
            (None, Some(_)) if self.is_number(left) => {
                format!("write `{} as {}`", p.right_text, l.trim_matches('`'))
            }
            _ => String::new(),
        };
        self.error(p.span, message, help);
    }

    /// What to write where a float is meant: the operand, or the literal that gave it its type, with a point.
    fn with_point(&self, ty: &Type, text: &str) -> String {
        if text.starts_with(|c: char| c.is_ascii_digit()) {
            return format!("write `{text}.0`");
        }
        let ty = self.vars.shallow(ty);
        let mut literals = self.literals.iter();
        let digits = literals.find_map(|literal| match &literal.value {
            Value::Integer { magnitude, .. } if self.vars.shallow(&literal.ty) == ty => {
                Some(magnitude)
            }
            _ => None,
        });
        match digits {
            Some(digits) => format!("write `{digits}.0` for the literal `{digits}`"),
            None => "write the number with a point: `1.0`".to_string(),
        }
    }

    fn is_number(&self, ty: &Type) -> bool {
        self.vars.kind(ty).is_some()
            || *ty != Type::Ordering && leaf(ty).is_some_and(|leaf| leaf != Leaf::Bool)
    }

    /// The type must be of the class: now if it is known, else at the end. `false` if it is known not to be.
    pub(super) fn require(&mut self, ty: &Type, class: Class, at: Span, what: &str) -> bool {
        let bound = Bound {
            ty: ty.clone(),
            class,
            span: at,
            what: what.to_string(),
        };
        let meets = self.meets(&bound);
        if meets.is_none() {
            self.bounds.push(bound);
        }
        meets.unwrap_or(true)
    }

    /// Checks a bound; `None` if the type is not known yet.
    fn meets(&mut self, bound: &Bound) -> Option<bool> {
        let ty = self.vars.shallow(&bound.ty);
        if ty == POISON {
            return Some(true);
        }
        let literal = match self.vars.kind(&ty) {
            Some(Kind::Any) => return None,
            Some(Kind::Integer) => Some(Leaf::I32),
            Some(Kind::Float) => Some(Leaf::F64),
            None => None,
        };
        match literal.or(leaf(&ty)) {
            // A `char` can be compared only.
            Some(leaf)
                if bound.class.has(leaf)
                    && (!matches!(ty, Type::Char | Type::Ordering)
                        || bound.class == Class::Ordered) =>
            {
                Some(true)
            }
            _ => {
                let (shown, words) = (self.show(&ty), bound.class.words());
                let help = self.bound_help(bound, &ty);
                self.error(
                    bound.span,
                    format!("{} takes {words}, found {shown}", bound.what),
                    help,
                );
                Some(false)
            }
        }
    }

    /// What to write where a type is not of a class.
    fn bound_help(&self, bound: &Bound, ty: &Type) -> String {
        let what = bound.what.trim_matches('`');
        match (ty, bound.class) {
            (Type::Array(..), _) => "use `map` to reach the elements".to_string(),
            (Type::Option(_), _) => "use `unwrap_or` or `if let Some(x)`".to_string(),
            (ty, Class::Float) if self.vars.kind(ty) == Some(Kind::Integer) => {
                "write the number with a point: `1.0`".to_string()
            }
            (ty, Class::Float) if is_integer(ty) => "convert with `as f32`".to_string(),
            (ty, Class::Integer) if leaf(ty).is_some_and(Leaf::is_float) => {
                match matches!(what, "histogram" | "reduce_by_index") {
                    true => "make integers of them: `map(|x| x as usize)`".to_string(),
                    false => "convert with `as`: `x as i32`".to_string(),
                }
            }
            (Type::Leaf(Leaf::Bool), Class::Number) => match super::operations_table::find(what) {
                Some(_) => "make numbers of them: `map(|x| x as u32)`".to_string(),
                None => "convert with `as u32`".to_string(),
            },
            (Type::Struct(id), _) => self.struct_help(what, self.cx.name(*id)),
            (Type::Char, _) => "convert with `as u32`".to_string(),
            (Type::Ordering, _) => "ask with `is_lt()`, or write a `match`".to_string(),
            (Type::Tuple(_) | Type::Fixed(..), _) => {
                "write the operation for each field".to_string()
            }
            _ => String::new(),
        }
    }

    /// The same of a struct: operations go by numbers, whatever operators the block gives it.
    fn struct_help(&self, what: &str, name: &str) -> String {
        let fold = match what {
            "<" | "<=" | ">" | ">=" => return "compare a field: `a.x < b.x`".to_string(),
            "sum" => "fold1(|a, b| a + b)",
            "product" => "fold1(|a, b| a * b)",
            "min" => "fold1(|a, b| if a.x < b.x { a } else { b })",
            "max" => "fold1(|a, b| if a.x > b.x { a } else { b })",
            "cumsum" => "scan1(|a, b| a + b)",
            "cumprod" => "scan1(|a, b| a * b)",
            "dot" => "zip(ys).map(|(x, y)| x * y).fold1(|a, b| a + b)",
            "matvec" => "rows().map(|row| row.zip(x).map(|(a, b)| a * b).fold1(|a, b| a + b))",
            "matmul" => {
                return "write it by `rows()`, `columns()` and `zip`, and `fold1(|a, b| a + b)` for the sum"
                    .to_string();
            }
            what if super::operations_table::find(what).is_some() => {
                return "use `map` to reach a field: `map(|p| p.x)`".to_string();
            }
            _ => return format!("write an `impl` of the operator's trait for `{name}`"),
        };
        format!("write `{fold}`")
    }

    /// Checks the bounds that wait.
    pub(super) fn check_bounds_at_end(&mut self) {
        for bound in std::mem::take(&mut self.bounds) {
            self.meets(&bound);
        }
    }

    pub(super) fn unary(&mut self, node: &syn::ExprUnary) -> Expr {
        let (op, class, at, symbol) = match &node.op {
            syn::UnOp::Deref(_) => return self.infer(&node.expr),
            syn::UnOp::Not(token) => (Unary::Not, Class::Bits, token.span, "`!`"),
            syn::UnOp::Neg(token) => (Unary::Neg, Class::Signed, token.span, "`-`"),
            other => return self.reject(span(other), "unknown operator", ""),
        };
        let operand = self.infer(&node.expr);
        let operand = self.operand(operand);
        let ty = operand.ty.clone();
        let element = match self.vars.shallow(&ty) {
            Type::Array(element, _) => *element,
            ty => ty,
        };
        let elementwise = Elementwise::Unary(op);
        if let Some(result) = self.own_unary(op, &element) {
            let result = match self.vars.shallow(&ty) {
                Type::Array(_, rank) => Type::Array(Box::new(result), rank),
                _ => result,
            };
            let kind = ExprKind::Elementwise(elementwise, vec![operand]);
            return expr(kind, result, at);
        }
        self.require(&element, class, at, symbol);
        expr(
            ExprKind::Elementwise(Elementwise::Unary(op), vec![operand]),
            ty,
            at,
        )
    }
}
