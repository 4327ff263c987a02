//! Stencils: boundaries, and the windows that a closure gets.

use super::operations_table::{BOUNDARIES, Operation};
use super::paths::{segments, strip};
use super::{Checker, expr, unit};
use crate::scalar::{Leaf, Scalar};
use crate::syntax::span;
use crate::typed::{ArrayOp, Boundary, Expr, ExprKind, Type};
use proc_macro2::Span;

impl Checker<'_> {
    /// `xs.stencil(boundary, |w| e)`, `xs.stencil2(boundary, &ys, boundary, |w, v| e)`, ..
    pub(super) fn stencil(&mut self, call: Operation) -> Expr {
        let (name, at, rank) = (call.name, call.at, call.rank);
        let Some((closure, args)) = call.args.split_last() else {
            return self.poison(at);
        };
        let mut operands = vec![call.receiver];
        let mut windows = vec![Type::Window(Box::new(call.element.clone()), rank)];
        operands.push(self.boundary(args[0], &call.element, rank));
        for pair in args[1..].chunks_exact(2) {
            let value = self.infer(pair[0]);
            let value = match self.vars.shallow(&value.ty) {
                Type::Range(_) => self.operand(value),
                _ => value,
            };
            let element = match self.vars.shallow(&value.ty) {
                Type::Array(element, own) if own == rank => *element,
                ty => {
                    if !self.is_poison(&ty) {
                        let (a, b) = (self.show(&operands[0].ty), self.show(&ty));
                        self.error(
                            span(pair[0]),
                            format!("`{name}` takes arrays of one rank, found {a} and {b}"),
                            "each array is followed by its boundary",
                        );
                    }
                    return self.poison(at);
                }
            };
            operands.push(value);
            operands.push(self.boundary(pair[1], &element, rank));
            windows.push(Type::Window(Box::new(element), rank));
        }
        let (typed, result) = self.closure_argument(closure, &windows, None, name);
        let ty = self.element_result(&result, rank, closure, name);
        operands.push(typed);
        self.array(ArrayOp::Stencil, operands, ty, at)
    }

    /// `Clamp`, `Boundary::Constant(0.0)`, `Function(|ix| ..)`.
    pub(super) fn boundary(&mut self, node: &syn::Expr, element: &Type, rank: usize) -> Expr {
        let at = span(node);
        let (path, args) = match strip(node) {
            syn::Expr::Path(path) => (Some(path), Vec::new()),
            syn::Expr::Call(call) => match strip(&call.func) {
                syn::Expr::Path(path) => (Some(path), call.args.iter().collect()),
                _ => (None, Vec::new()),
            },
            _ => (None, Vec::new()),
        };
        let names = path.map(|path| segments(&path.path)).unwrap_or_default();
        let name = match &names[..] {
            [name] => name.as_str(),
            [.., owner, name] if owner == "Boundary" => name.as_str(),
            _ => "",
        };
        let Some((_, boundary)) = BOUNDARIES.iter().find(|(known, _)| *known == name) else {
            let names = BOUNDARIES.iter().map(|(name, _)| *name);
            let mut help = super::suggest::did_you_mean(name, names);
            if help.is_empty() {
                help = "write `Clamp`, `Mirror`, `Reflect`, `Wrap`, `Constant(v)` or `Function(|ix| v)`"
                    .to_string();
            }
            return self.reject(at, "expected a boundary", help);
        };
        let count = usize::from(matches!(boundary, Boundary::Constant | Boundary::Function));
        if args.len() != count {
            return self.wrong_count(name, count, args.len(), at);
        }
        let operands = match boundary {
            Boundary::Constant => vec![self.check(args[0], element)],
            Boundary::Function => {
                let index = Self::signed_index(rank);
                let (closure, _) =
                    self.closure_argument(args[0], &[index], Some(element), "Function");
                vec![closure]
            }
            Boundary::Clamp | Boundary::Mirror | Boundary::Reflect | Boundary::Wrap => Vec::new(),
        };
        self.array(ArrayOp::Boundary(*boundary), operands, unit(), at)
    }
}

pub(super) fn isize_constant(value: i64, at: Span) -> Expr {
    let scalar = Scalar {
        leaf: Leaf::I64,
        bits: value as u64,
    };
    expr(ExprKind::Constant(scalar), Type::Isize, at)
}
