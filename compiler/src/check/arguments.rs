//! Arguments of operations: shapes, axes, closures over elements, several arrays.

use super::Checker;
use super::infer::{POISON, index_type};
use super::operations_table::Operation;
use super::operators::Class;
use crate::syntax::span;
use crate::typed::{ArrayOp, Expr, ExprKind, Type};
use proc_macro2::Span;

impl Checker<'_> {
    /// A shape and its rank.
    pub(super) fn shape_argument(&mut self, node: &syn::Expr) -> (Expr, usize) {
        let value = self.infer(node);
        let rank = match self.vars.shallow(&value.ty) {
            Type::Tuple(types) => types.len(),
            _ => 1,
        };
        let value = self.coerce_at(value, &index_type(rank), span(node));
        (value, rank)
    }

    /// A constant axis of an array of a rank.
    pub(super) fn axis_number(&mut self, node: &syn::Expr, rank: usize) -> Option<usize> {
        let axis = self.constant_usize(node, "an axis")?;
        if axis >= rank as u64 {
            let shown = match rank {
                1 => "the only axis is 0".to_string(),
                rank => format!("the axes are 0 to {}", rank - 1),
            };
            self.error(span(node), format!("there is no axis {axis} here"), shown);
            return None;
        }
        Some(axis as usize)
    }

    /// A constant axis as an argument.
    pub(super) fn axis_argument(&mut self, node: &syn::Expr, rank: usize) -> Option<Expr> {
        let axis = self.axis_number(node, rank)?;
        Some(axis_constant(axis, span(node)))
    }

    pub(super) fn permute(&mut self, call: Operation) -> Expr {
        let axes: Vec<&syn::Expr> = match call.args {
            [one] => match super::paths::strip(one) {
                syn::Expr::Tuple(tuple) => tuple.elems.iter().collect(),
                one => vec![one],
            },
            several => several.to_vec(),
        };
        if axes.len() != call.rank {
            let shown = self.show(&call.receiver.ty);
            return self.reject(
                call.at,
                format!(
                    "`permute_axes` of {shown} takes {} axes, found {}",
                    call.rank,
                    axes.len()
                ),
                "name each axis once: `permute_axes((1, 0))`",
            );
        }
        let mut operands = vec![call.receiver];
        let mut seen = vec![false; call.rank];
        for node in axes {
            let Some(axis) = self.axis_number(node, call.rank) else {
                return self.poison(call.at);
            };
            if std::mem::replace(&mut seen[axis], true) {
                return self.reject(
                    span(node),
                    format!("axis {axis} is named twice"),
                    "name each axis once: `permute_axes((1, 0))`",
                );
            }
            operands.push(axis_constant(axis, span(node)));
        }
        let ty = operands[0].ty.clone();
        self.array(ArrayOp::PermuteAxes, operands, ty, call.at)
    }

    /// `map` and `map_indexed`, of arrays.
    #[expect(clippy::too_many_arguments, reason = "the parts of one call")]
    pub(super) fn map(
        &mut self,
        op: ArrayOp,
        mut operands: Vec<Expr>,
        args: &[Type],
        rank: usize,
        node: &syn::Expr,
        name: &str,
        at: Span,
    ) -> Expr {
        let (closure, result) = self.closure_argument(node, args, None, name);
        operands.push(closure);
        let ty = self.element_result(&result, rank, node, name);
        self.array(op, operands, ty, at)
    }

    /// The array of a closure's results: elements, or arrays of one shape, whose axes come behind.
    pub(super) fn element_result(
        &mut self,
        result: &Type,
        rank: usize,
        node: &syn::Expr,
        name: &str,
    ) -> Type {
        let result = self.vars.resolve(result);
        let at = closure_tail(node);
        match &result {
            ty if ty.has_array() => return self.nested_result(ty, rank, node, name),
            Type::Range(_)
            | Type::Closure
            | Type::Function(..)
            | Type::Offsets(_)
            | Type::Window(..) => {
                let shown = self.show(&result);
                self.error(
                    at,
                    format!("the closure of `{name}` gives {shown}, which cannot be an element"),
                    "return a scalar, a tuple or a struct",
                );
                return POISON;
            }
            Type::Tuple(types) if types.is_empty() => {
                self.error(
                    at,
                    format!("the closure of `{name}` gives no value"),
                    "remove the semicolon after its last expression",
                );
                return POISON;
            }
            _ => {}
        }
        Type::Array(Box::new(result), rank)
    }

    /// `generate`, `fill`, `iota`, `linspace`.
    pub(super) fn source(&mut self, name: &str, args: &[&syn::Expr], at: Span) -> Expr {
        let count = match name {
            "iota" => 1,
            "linspace" => 3,
            _ => 2,
        };
        if args.len() != count {
            for arg in args {
                self.argument_for_errors(arg);
            }
            return self.wrong_count(name, count, args.len(), at);
        }
        match name {
            "generate" => {
                let (shape, rank) = self.shape_argument(args[0]);
                let (closure, result) =
                    self.closure_argument(args[1], &[index_type(rank)], None, name);
                let ty = self.element_result(&result, rank, args[1], name);
                self.array(ArrayOp::Generate, vec![shape, closure], ty, at)
            }
            "fill" => {
                let (shape, rank) = self.shape_argument(args[0]);
                let value = self.infer(args[1]);
                let value = self.operand(value);
                let element = self.vars.resolve(&value.ty);
                if element.has_array() {
                    let shown = self.show(&element);
                    return self.reject(
                        span(args[1]),
                        format!("`fill` takes one element, found {shown}"),
                        "use `broadcast_to(shape)` to repeat an array",
                    );
                }
                let ty = Type::Array(Box::new(value.ty.clone()), rank);
                self.array(ArrayOp::Fill, vec![shape, value], ty, at)
            }
            "iota" => {
                let n = self.check(args[0], &Type::Usize);
                let ty = Type::Array(Box::new(Type::Usize), 1);
                self.array(ArrayOp::Iota, vec![n], ty, at)
            }
            _ => {
                let from = self.infer(args[0]);
                let from = self.operand(from);
                let ty = from.ty.clone();
                if !self.require(&ty, Class::Float, at, "`linspace`") {
                    return self.poison(at);
                }
                let to = self.check(args[1], &ty);
                let n = self.check(args[2], &Type::Usize);
                let result = Type::Array(Box::new(ty), 1);
                self.array(ArrayOp::Linspace, vec![from, to, n], result, at)
            }
        }
    }

    /// Arrays of one rank: what each gives per element, the rank, and whether one is an array of arrays. None, with an
    /// error told, if no value is given or one of them is no array of that rank.
    pub(super) fn together(
        &mut self,
        values: Vec<Expr>,
        name: &str,
        at: Span,
    ) -> Option<(Vec<Expr>, Vec<Type>, usize, bool)> {
        if values.is_empty() {
            let help = match name {
                "zip_with" => "write `zip_with((xs, ys), |x, y| ..)`",
                _ => "write `zip((xs, ys))`",
            };
            self.error(at, format!("`{name}` takes at least one array"), help);
            return None;
        }
        let mut result = Vec::new();
        let mut elements = Vec::new();
        let mut rank: Option<usize> = None;
        let mut is_nested = false;
        for value in values {
            let value = match self.vars.shallow(&value.ty) {
                Type::Range(_) => self.operand(value),
                _ => value,
            };
            let ty = self.vars.shallow(&value.ty);
            let (element, own) = match &ty {
                Type::Array(element, rank) => ((**element).clone(), *rank),
                Type::Nested { outer, inner } => {
                    is_nested = true;
                    ((**inner).clone(), *outer)
                }
                &POISON => return None,
                ty => {
                    let shown = self.show(ty);
                    self.error(
                        value.span,
                        format!("`{name}` takes arrays, found {shown}"),
                        match ty {
                            Type::Tuple(_) => "write `zip((xs, ys, zs))` for several",
                            _ => "a scalar can be used in the closure as it is",
                        },
                    );
                    return None;
                }
            };
            if rank.is_some_and(|rank| rank != own) {
                let first: &Expr = &result[0];
                let (a, b) = (self.show(&first.ty), self.show(&ty));
                self.error(
                    at,
                    format!("`{name}` takes arrays of one rank, found {a} and {b}"),
                    "use `rows()` or `outer()` to take the larger apart",
                );
                return None;
            }
            rank = Some(own);
            elements.push(element);
            result.push(value);
        }
        Some((result, elements, rank?, is_nested))
    }

    pub(super) fn zip(&mut self, values: Vec<Expr>, at: Span) -> Expr {
        let Some((values, elements, rank, is_nested)) = self.together(values, "zip", at) else {
            return self.poison(at);
        };
        let element = Box::new(Type::Tuple(elements));
        let ty = match is_nested {
            true => Type::Nested {
                outer: rank,
                inner: element,
            },
            false => Type::Array(element, rank),
        };
        self.array(ArrayOp::Zip, values, ty, at)
    }

    pub(super) fn zip_with(&mut self, receiver: Expr, args: &[&syn::Expr], at: Span) -> Expr {
        let Some((closure, others)) = args.split_last().filter(|(_, others)| !others.is_empty())
        else {
            return self.wrong_count("zip_with", 2, args.len(), at);
        };
        let mut values = vec![receiver];
        values.extend(others.iter().map(|arg| self.infer(arg)));
        self.zipped_with(values, closure, at)
    }

    pub(super) fn zipped_with(&mut self, values: Vec<Expr>, closure: &syn::Expr, at: Span) -> Expr {
        let Some((mut values, elements, rank, is_nested)) = self.together(values, "zip_with", at)
        else {
            return self.poison(at);
        };
        let (typed, result) = self.closure_argument(closure, &elements, None, "zip_with");
        let ty = match is_nested {
            true => self.nested_result(&result, rank, closure, "zip_with"),
            false => self.element_result(&result, rank, closure, "zip_with"),
        };
        values.push(typed);
        self.array(ArrayOp::ZipWith, values, ty, at)
    }
}

fn axis_constant(axis: usize, at: Span) -> Expr {
    let scalar = crate::scalar::Scalar {
        leaf: crate::scalar::Leaf::U64,
        bits: axis as u64,
    };
    super::expr(ExprKind::Constant(scalar), Type::Usize, at)
}

/// The expression whose value a closure gives.
pub(super) fn closure_tail(node: &syn::Expr) -> Span {
    match super::paths::strip(node) {
        syn::Expr::Closure(closure) => closure_tail(&closure.body),
        syn::Expr::Block(block) => match block.block.stmts.last() {
            Some(syn::Stmt::Expr(tail, None)) => closure_tail(tail),
            Some(last) => span(last),
            None => span(node),
        },
        syn::Expr::MethodCall(call) => call.method.span(),
        node => span(node),
    }
}
