//! Expressions: inference from the inside out, with expected types flowing in where a value ends up.

use super::infer::{Kind, POISON, index_type, leaf};
use super::{Checker, expr, unit};
use crate::scalar::Leaf;
use crate::syntax::span;
use crate::typed::{ArrayOp, Expr, ExprKind, Type};
use proc_macro2::Span;

impl Checker<'_> {
    /// An expression whose value must have a type. Blocks and branches hand the type to their tails.
    pub(super) fn check(&mut self, node: &syn::Expr, want: &Type) -> Expr {
        match node {
            syn::Expr::Paren(node) => self.check(&node.expr, want),
            syn::Expr::Group(node) => self.check(&node.expr, want),
            syn::Expr::Block(node) => match &node.label {
                None => self.block(&node.block, Some(want)),
                Some(label) => self.labelled_block(label, &node.block, Some(want)),
            },
            syn::Expr::Unsafe(node) => self.unsafe_block(&node.block, Some(want)),
            syn::Expr::If(node) => self.if_expr(node, Some(want)),
            syn::Expr::Match(node) => self.match_expr(node, Some(want)),
            syn::Expr::Tuple(node) => match self.vars.shallow(want) {
                Type::Tuple(types) if types.len() == node.elems.len() => {
                    let fields: Vec<Expr> = node
                        .elems
                        .iter()
                        .zip(&types)
                        .map(|(field, ty)| self.check(field, ty))
                        .collect();
                    expr(ExprKind::Tuple(fields), Type::Tuple(types), span(node))
                }
                want => {
                    let value = self.infer(&syn::Expr::Tuple(node.clone()));
                    self.coerce(value, &want)
                }
            },
            syn::Expr::Closure(node) if self.is_poison(want) => self.poison(span(node)),
            node => {
                self.wanted = matches!(node, syn::Expr::Call(_)).then(|| want.clone());
                let value = self.infer(node);
                self.coerce_at(value, want, span(node))
            }
        }
    }

    /// Makes a value have a type, converting where the language does by itself.
    pub(super) fn coerce(&mut self, value: Expr, want: &Type) -> Expr {
        let at = value.span;
        self.coerce_at(value, want, at)
    }

    /// As [`Checker::coerce`]; a mismatch is reported at `at`.
    pub(super) fn coerce_at(&mut self, value: Expr, want: &Type, at: Span) -> Expr {
        let have = self.vars.shallow(&value.ty);
        let target = self.vars.shallow(want);
        match (&have, &target) {
            (Type::Never, _) => return value,
            (Type::Array(element, 0), _)
                if self.is_scalar(&target) && self.vars.unify(element, &target) =>
            {
                return expr(ExprKind::Array(ArrayOp::Value, vec![value]), target, at);
            }
            (_, Type::Array(element, 0))
                if self.is_scalar(&have) && self.vars.unify(&have, element) =>
            {
                let shape = expr(ExprKind::Tuple(Vec::new()), unit(), at);
                let fill = ExprKind::Array(ArrayOp::Fill, vec![shape, value]);
                return expr(fill, target, at);
            }
            (Type::Range(from), Type::Array(element, 1)) if self.vars.unify(from, element) => {
                return expr(
                    ExprKind::Array(ArrayOp::RangeVector, vec![value]),
                    target,
                    at,
                );
            }
            _ => {}
        }
        if self.vars.unify(&have, &target) {
            return value;
        }
        self.mismatch(&have, &target, at);
        self.poison(value.span)
    }

    pub(super) fn is_scalar(&self, ty: &Type) -> bool {
        leaf(ty).is_some()
            || matches!(self.vars.kind(ty), Some(Kind::Integer | Kind::Float))
            || matches!(ty, Type::Tuple(types) if !types.is_empty())
            || matches!(ty, Type::Struct(_) | Type::Fixed(..) | Type::Option(_))
    }

    /// "expected .., found .."
    pub(super) fn mismatch(&mut self, have: &Type, want: &Type, at: Span) {
        let (have, want) = (self.vars.resolve(have), self.vars.resolve(want));
        let (h, w) = (self.show(&have), self.show(&want));
        let mut message = format!("expected {w}, found {h}");
        if let (Type::Array(a, p), Type::Array(b, q)) = (&have, &want)
            && p != q
            && self.vars.unify(a, b)
            && let Some(name) = ["a scalar array", "a vector", "a matrix", "a cube"].get(*q)
        {
            message = format!("expected {name}, found {h}");
        }
        let help = self.conversion(&have, &want);
        self.error(at, message, help);
    }

    /// An expression and its type.
    pub(super) fn infer(&mut self, node: &syn::Expr) -> Expr {
        match node {
            syn::Expr::Lit(node) => self.literal_expr(&node.lit),
            syn::Expr::Paren(node) => self.infer(&node.expr),
            syn::Expr::Group(node) => self.infer(&node.expr),
            syn::Expr::Reference(node) => {
                if let Some(token) = &node.mutability {
                    return self.reject(
                        token.span,
                        "`&mut` is not supported in `accelerate!`",
                        "assign the new value: `x = f(x);`",
                    );
                }
                self.infer(&node.expr)
            }
            syn::Expr::Path(node) => self.path(node),
            syn::Expr::Unary(node) => self.unary(node),
            syn::Expr::Binary(node) => match compound(&node.op) {
                true => self.compound_assign(node),
                false => self.binary(node),
            },
            syn::Expr::Tuple(node) => {
                let fields: Vec<Expr> = node.elems.iter().map(|e| self.infer(e)).collect();
                let ty = Type::Tuple(fields.iter().map(|e| e.ty.clone()).collect());
                expr(ExprKind::Tuple(fields), ty, span(node))
            }
            syn::Expr::Array(node) => self.fixed_literal(node.elems.iter(), span(node)),
            syn::Expr::Repeat(node) => self.fixed_repeat(node),
            syn::Expr::Field(node) => self.field(node),
            syn::Expr::Cast(node) => self.cast(node),
            syn::Expr::Index(node) => self.index(node),
            syn::Expr::Call(node) => self.call(node),
            syn::Expr::MethodCall(node) => self.method_call(node),
            syn::Expr::Struct(node) => self.struct_literal(node),
            syn::Expr::Range(node) => self.range(node),
            syn::Expr::Block(node) => match &node.label {
                None => self.block(&node.block, None),
                Some(label) => self.labelled_block(label, &node.block, None),
            },
            syn::Expr::Unsafe(node) => self.unsafe_block(&node.block, None),
            syn::Expr::If(node) => self.if_expr(node, None),
            syn::Expr::Match(node) => self.match_expr(node, None),
            syn::Expr::While(node) => self.while_loop(node),
            syn::Expr::Loop(node) => self.endless_loop(node),
            syn::Expr::ForLoop(node) => self.for_loop(node),
            syn::Expr::Break(node) => self.break_expr(node),
            syn::Expr::Continue(node) => self.continue_expr(node),
            syn::Expr::Return(node) => self.return_expr(node),
            syn::Expr::Try(node) => self.try_expr(node),
            syn::Expr::Assign(node) => self.assign(node),
            syn::Expr::Macro(node) => self.macro_call(&node.mac),
            syn::Expr::Closure(node) => self.reject(
                node.or1_token.span,
                "a closure cannot stand here",
                "bind it by `let`, or pass it to an operation",
            ),
            syn::Expr::Let(node) => self.reject(
                node.let_token.span,
                "`let` cannot stand here",
                "write it in the condition of an `if` or a `while`, alone or joined by `&&`",
            ),
            other => self.outside_expression(other),
        }
    }

    fn cast(&mut self, node: &syn::ExprCast) -> Expr {
        let operand = self.infer(&node.expr);
        let operand = self.operand(operand);
        let ty = self.written_type(&node.ty);
        // `1 as f32` and `1 as u8`: a literal takes the type itself where it can; a variable has the type of its other uses.
        let integer = self.vars.kind(&operand.ty) == Some(Kind::Integer);
        if integer && super::infer::is_integer(&ty) && is_literal(&node.expr) {
            self.vars.unify(&operand.ty, &ty);
        }
        if self.vars.kind(&operand.ty) == Some(Kind::Float) {
            self.vars.unify(&operand.ty, &ty);
        }
        expr(ExprKind::Cast(Box::new(operand)), ty, node.as_token.span)
    }

    /// Checks a cast whose types are known.
    pub(super) fn check_cast(&mut self, operand: &Expr, ty: &Type, at: Span) {
        if *ty == POISON || operand.ty == POISON {
            return;
        }
        let (from, to) = (leaf(&operand.ty), leaf(ty));
        let (h, w) = (self.show(&operand.ty), self.show(ty));
        match (from, to) {
            _ if *ty == Type::Ordering && operand.ty != Type::Ordering => {
                self.error(
                    at,
                    format!("cannot cast {h} to `Ordering`"),
                    "compare: `x.cmp(&0)`",
                );
            }
            _ if *ty == Type::Char && !matches!(operand.ty, Type::Char | Type::Leaf(Leaf::U8)) => {
                self.error(
                    at,
                    format!("cannot cast {h} to `char`"),
                    "only a `u8` is always a `char`: write `x as u8 as char`",
                );
            }
            (Some(_), Some(to)) if operand.ty == Type::Char && to.is_float() => self.error(
                at,
                format!("cannot cast `char` to {w}"),
                format!("write `as u32 as {}`", to.name()),
            ),
            (Some(Leaf::Bool), Some(to)) if to.is_float() => self.error(
                at,
                format!("cannot cast {h} to {w}"),
                format!("write `as u32 as {}`", to.name()),
            ),
            (Some(from), Some(Leaf::Bool)) if from != Leaf::Bool => self.error(
                at,
                format!("cannot cast {h} to `bool`"),
                "compare with zero: `x != 0`",
            ),
            (Some(_), Some(_)) => {}
            _ => {
                let help = match &operand.ty {
                    Type::Array(..) => "cast the elements: `xs.map(|x| x as f32)`",
                    _ => "`as` converts between numbers",
                };
                self.error(at, format!("cannot cast {h} to {w}"), help);
            }
        }
    }

    fn field(&mut self, node: &syn::ExprField) -> Expr {
        let base = self.infer(&node.base);
        let base = self.operand(base);
        self.solve_pending(false);
        let ty = self.vars.shallow(&base.ty);
        let (name, at) = match &node.member {
            syn::Member::Named(name) => (name.to_string(), name.span()),
            syn::Member::Unnamed(index) => (index.index.to_string(), index.span),
        };
        let found = match &ty {
            &POISON => return self.poison(at),
            Type::Tuple(types) => name
                .parse::<usize>()
                .ok()
                .and_then(|i| Some((i, types.get(i)?.clone()))),
            Type::Struct(id) | Type::Bundle(id) => self.cx.field(*id, &name),
            Type::Unknown(_) => {
                return self.reject(
                    at,
                    "type annotations needed before this field",
                    "write the type: `let p: Point = ..`",
                );
            }
            _ => None,
        };
        if let Some((position, ty)) = found {
            return expr(ExprKind::Field(Box::new(base), position), ty, at);
        }
        let help = match &ty {
            Type::Struct(id) | Type::Bundle(id) => self.cx.suggest_field(*id, &name),
            Type::Tuple(types) if !types.is_empty() => {
                format!("the fields are `0` to `{}`", types.len() - 1)
            }
            Type::Array(element, _) => {
                let element = self.vars.shallow(element);
                match matches!(element, Type::Tuple(_) | Type::Struct(_)) {
                    true => format!("use `map(|x| x.{name})` to reach the elements"),
                    false => String::new(),
                }
            }
            _ => String::new(),
        };
        let shown = self.show(&ty);
        self.reject(at, format!("no field `{name}` on {shown}"), help)
    }

    fn index(&mut self, node: &syn::ExprIndex) -> Expr {
        let base = self.infer(&node.expr);
        self.solve_pending(false);
        let at = span(node);
        let ty = self.vars.shallow(&base.ty);
        match &ty {
            &POISON => {
                self.infer(&node.index);
                self.poison(at)
            }
            Type::Array(_, 1) if matches!(&*node.index, syn::Expr::Range(_)) => {
                self.slice_by(base, std::slice::from_ref(&*node.index), at)
            }
            Type::Array(_, 1) if let Some(back) = from_the_end(&node.index) => {
                let help = match &*node.expr {
                    path @ syn::Expr::Path(_) => {
                        let xs = super::habits::written(path);
                        format!("write `{xs}[{xs}.len() - {back}]`")
                    }
                    _ => format!("give the array a name: `xs[xs.len() - {back}]`"),
                };
                self.reject(
                    span(&node.index),
                    format!("an index counts from the first element, found `-{back}`"),
                    help,
                )
            }
            Type::Array(_, 2..) if has_range(&node.index) => {
                let shown = self.show(&ty);
                self.reject(
                    span(&node.index),
                    format!("an index of {shown} is one element's, found a range"),
                    "write `m.slice(s![a..b, ..])`",
                )
            }
            Type::Array(element, rank) => {
                let index = self.index_value(&node.index, *rank, &ty);
                if index.ty == POISON {
                    return self.poison(at);
                }
                expr(
                    ExprKind::Index(Box::new(base), Box::new(index)),
                    (**element).clone(),
                    at,
                )
            }
            Type::Nested { outer, inner } => {
                let index = self.index_value(&node.index, *outer, &ty);
                let inner = (**inner).clone();
                expr(ExprKind::Index(Box::new(base), Box::new(index)), inner, at)
            }
            Type::Fixed(element, n) => self.fixed_index(base, element, *n, &node.index, at),
            Type::Window(element, rank) => self.neighbour(base, element, *rank, &node.index),
            Type::Unknown(_) => self.reject(
                at,
                "type annotations needed before this index",
                "write the type: `|xs: &Vector<f32>|`",
            ),
            Type::Tuple(_) => self.reject(
                at,
                "a tuple cannot be indexed",
                "write `.0`, or store the values in an array",
            ),
            ty => {
                let shown = self.show(ty);
                self.reject(
                    at,
                    format!("cannot index into {shown}"),
                    "arrays can be indexed",
                )
            }
        }
    }

    /// An index into an array of a rank, or a shape of it.
    pub(super) fn index_value(&mut self, node: &syn::Expr, rank: usize, of: &Type) -> Expr {
        let value = self.infer(node);
        let have = self.vars.resolve(&value.ty);
        let count = match &have {
            Type::Tuple(types) => types.len(),
            _ => 1,
        };
        if count != rank && have != POISON && have != Type::Never {
            let shown = self.show(of);
            let wanted = match rank {
                1 => "a `usize`".to_string(),
                2 => "`(row, column)`".to_string(),
                n => format!("a tuple of {n} `usize`"),
            };
            return self.reject(
                span(node),
                format!(
                    "an index of {shown} is {wanted}, found {}",
                    self.show(&have)
                ),
                match rank {
                    1 => "write `xs[i]`",
                    2 => "write `m[(i, j)]`, or `m.row(i)` for a whole row",
                    _ => "write a number for each axis: `c[(i, j, k)]`",
                },
            );
        }
        self.coerce_at(value, &index_type(rank), span(node))
    }

    fn range(&mut self, node: &syn::ExprRange) -> Expr {
        let at = span(node);
        let (Some(start), Some(end)) = (&node.start, &node.end) else {
            return self.reject(
                at,
                "an open range cannot stand here",
                "write both ends: `0..n`",
            );
        };
        let start = self.infer(start);
        let end = self.check(end, &start.ty.clone());
        let ty = start.ty.clone();
        self.require(&ty, super::operators::Class::Integer, at, "a range");
        let end = match node.limits {
            syn::RangeLimits::HalfOpen(_) => end,
            syn::RangeLimits::Closed(_) => self.plus_one(end),
        };
        let ty = Type::Range(Box::new(ty));
        expr(ExprKind::Range(Box::new(start), Box::new(end)), ty, at)
    }

    /// `value + 1`
    pub(super) fn plus_one(&mut self, value: Expr) -> Expr {
        let at = value.span;
        let one = syn::Lit::Int(syn::LitInt::new("1", at));
        let one = self.literal_expr(&one);
        let ty = value.ty.clone();
        self.vars.unify(&one.ty, &ty);
        let add = crate::typed::Elementwise::Binary {
            op: crate::scalar::Binary::Add,
            exchanged: false,
        };
        expr(ExprKind::Elementwise(add, vec![value, one]), ty, at)
    }
}

/// The value as it is, but no longer a plain variable: passing it on does not move that.
pub(super) fn kept(value: Expr) -> Expr {
    match value.kind {
        ExprKind::Local(_) => {
            let (ty, at) = (value.ty.clone(), value.span);
            expr(ExprKind::Block(Vec::new(), Some(Box::new(value))), ty, at)
        }
        _ => value,
    }
}

/// `1`, `-1`.
fn is_literal(node: &syn::Expr) -> bool {
    match super::paths::strip(node) {
        syn::Expr::Lit(_) => true,
        syn::Expr::Unary(syn::ExprUnary { expr, .. }) => is_literal(expr),
        _ => false,
    }
}

fn compound(op: &syn::BinOp) -> bool {
    use syn::BinOp as B;
    matches!(
        op,
        B::AddAssign(_)
            | B::SubAssign(_)
            | B::MulAssign(_)
            | B::DivAssign(_)
            | B::RemAssign(_)
            | B::BitXorAssign(_)
            | B::BitAndAssign(_)
            | B::BitOrAssign(_)
            | B::ShlAssign(_)
            | B::ShrAssign(_)
    )
}

/// Whether an index is a range, or has one for an axis.
fn has_range(index: &syn::Expr) -> bool {
    match index {
        syn::Expr::Range(_) => true,
        syn::Expr::Tuple(axes) => axes.elems.iter().any(has_range),
        _ => false,
    }
}

/// The number of `-1`.
fn from_the_end(index: &syn::Expr) -> Option<u64> {
    let syn::Expr::Unary(syn::ExprUnary {
        op: syn::UnOp::Neg(_),
        expr,
        ..
    }) = index
    else {
        return None;
    };
    match &**expr {
        syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Int(number),
            ..
        }) => number.base10_parse().ok(),
        _ => None,
    }
}
