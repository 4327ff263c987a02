//! `slice`: `s![a..b, i, ..]`, plain ranges, and `xs[a..b]`.

use super::infer::POISON;
use super::operations_table::Operation;
use super::operators::Class;
use super::{Checker, expr};
use crate::scalar::{Binary, Leaf, Scalar};
use crate::syntax::span;
use crate::typed::{ArrayOp, Elementwise, Expr, ExprKind, Type};
use proc_macro2::Span;
use syn::parse::{Parse, ParseStream};

/// One axis of `s![..]`.
pub(super) struct Axis {
    pub(super) range: syn::Expr,
    pub(super) step: Option<syn::Expr>,
}

impl Parse for Axis {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let range = input.parse()?;
        let step = match input.parse::<Option<syn::Token![;]>>()? {
            Some(_) => Some(input.parse()?),
            None => None,
        };
        Ok(Axis { range, step })
    }
}

impl Checker<'_> {
    pub(super) fn slice(&mut self, call: Operation) -> Expr {
        let node = super::paths::strip(call.args[0]);
        let node = match node {
            syn::Expr::Reference(reference) => super::paths::strip(&reference.expr),
            node => node,
        };
        let axes: Vec<syn::Expr> = match node {
            syn::Expr::Macro(mac) if mac.mac.path.is_ident("s") => {
                let Some(axes) = self.slice_macro(&mac.mac) else {
                    return self.poison(call.at);
                };
                let steps: Vec<Option<syn::Expr>> =
                    axes.iter().map(|axis| axis.step.clone()).collect();
                let ranges: Vec<syn::Expr> = axes.into_iter().map(|axis| axis.range).collect();
                let sliced = self.slice_by(call.receiver, &ranges, call.at);
                return self.stepped(sliced, &ranges, &steps, call.at);
            }
            syn::Expr::Tuple(tuple) => tuple.elems.iter().cloned().collect(),
            node => vec![node.clone()],
        };
        self.slice_by(call.receiver, &axes, call.at)
    }

    /// The entries of `s![..]`.
    pub(super) fn slice_macro(&mut self, mac: &syn::Macro) -> Option<Vec<Axis>> {
        let parser = syn::punctuated::Punctuated::<Axis, syn::Token![,]>::parse_terminated;
        match mac.parse_body_with(parser) {
            Ok(axes) => Some(axes.into_iter().collect()),
            Err(error) => {
                self.error(
                    error.span(),
                    format!("in `s!`: {error}"),
                    "write `s![0..n, .., i]`",
                );
                None
            }
        }
    }

    /// Every k-th of the elements that the ranges name; a negative k starts at the end.
    fn stepped(
        &mut self,
        sliced: Expr,
        ranges: &[syn::Expr],
        steps: &[Option<syn::Expr>],
        at: Span,
    ) -> Expr {
        let rank = match self.vars.shallow(&sliced.ty) {
            POISON => return sliced,
            Type::Array(_, rank) => rank,
            _ => 0,
        };
        let kept = ranges
            .iter()
            .zip(steps)
            .filter(|(range, step)| is_range(range) || step.is_some());
        let kept: Vec<Option<&syn::Expr>> = kept.map(|(_, step)| step.as_ref()).collect();
        if kept.iter().all(Option::is_none) {
            return sliced;
        }
        if kept.len() != rank {
            let at = steps.iter().flatten().next().map_or(at, span);
            return self.reject(at, "a step stands after a range", "write `s![a..b;k]`");
        }
        let ty = sliced.ty.clone();
        let mut operands = vec![sliced];
        for step in kept {
            let step = match step {
                None => 1,
                Some(step) => match self.constant_isize(step, "a step") {
                    Some(0) => {
                        let help = "write how many places to go on: `s![a..b;2]`, or leave it out";
                        return self.reject(span(step), "a step cannot be zero", help);
                    }
                    Some(step) => step,
                    None => return self.poison(at),
                },
            };
            operands.push(super::stencils::isize_constant(step, at));
        }
        self.array(ArrayOp::Steps, operands, ty, at)
    }

    /// One entry for each axis: a range keeps it, an index drops it.
    pub(super) fn slice_by(&mut self, array: Expr, axes: &[syn::Expr], at: Span) -> Expr {
        let Type::Array(element, rank) = self.vars.shallow(&array.ty) else {
            return self.poison(at);
        };
        if axes.len() != rank {
            let shown = self.show(&array.ty);
            return self.reject(
                at,
                format!(
                    "a slice of {shown} has {rank} entries, found {}",
                    axes.len()
                ),
                match rank {
                    2 => "write `s![a..b, ..]`: one entry for each axis",
                    _ => "`..` keeps an axis whole",
                },
            );
        }
        // The array is named, since open ends ask for its extents.
        let (statement, array) = self.saved(array);
        let mut operands = vec![array.clone()];
        let mut kept = 0;
        for (axis, node) in axes.iter().enumerate() {
            let extent = extent(&array, axis, rank, at);
            let operand = match super::paths::strip(node) {
                syn::Expr::Range(range) => {
                    kept += 1;
                    self.slice_range(range, extent)
                }
                node => {
                    let value = self.infer(node);
                    match self.vars.shallow(&value.ty) {
                        Type::Range(index) => {
                            kept += 1;
                            self.vars.unify(&index, &Type::Usize);
                            value
                        }
                        _ => self.slice_index(node, value, extent),
                    }
                }
            };
            operands.push(operand);
        }
        let ty = match kept {
            0 => *element,
            kept => Type::Array(element, kept),
        };
        let slice = match kept {
            // Every axis dropped: an element.
            0 => {
                let index = match operands.len() {
                    2 => operands.remove(1),
                    _ => {
                        let indices = operands.split_off(1);
                        let ty = Type::Tuple(vec![Type::Usize; indices.len()]);
                        expr(ExprKind::Tuple(indices), ty, at)
                    }
                };
                let index = ExprKind::Index(Box::new(operands.remove(0)), Box::new(index));
                expr(index, ty.clone(), at)
            }
            _ => self.array(ArrayOp::Slice, operands, ty.clone(), at),
        };
        expr(
            ExprKind::Block(vec![statement], Some(Box::new(slice))),
            ty,
            at,
        )
    }

    fn slice_range(&mut self, range: &syn::ExprRange, extent: Expr) -> Expr {
        let at = span(range);
        let start = match &range.start {
            Some(start) => self.slice_end(start, &extent),
            None => zero(at),
        };
        let end = match (&range.end, &range.limits) {
            (None, _) => extent,
            (Some(end), syn::RangeLimits::HalfOpen(_)) => self.slice_end(end, &extent),
            (Some(end), syn::RangeLimits::Closed(_)) => {
                let end = self.slice_end(end, &extent);
                self.plus_one(end)
            }
        };
        if self.is_poison(&start.ty) || self.is_poison(&end.ty) {
            return expr(ExprKind::Tuple(Vec::new()), POISON, at);
        }
        let ty = Type::Range(Box::new(Type::Usize));
        expr(ExprKind::Range(Box::new(start), Box::new(end)), ty, at)
    }

    /// An end or an index: `-k` counts from the end, as in ndarray's `s!`.
    fn slice_end(&mut self, node: &syn::Expr, extent: &Expr) -> Expr {
        match super::paths::strip(node) {
            syn::Expr::Unary(syn::ExprUnary {
                op: syn::UnOp::Neg(minus),
                expr: count,
                ..
            }) => {
                let count = self.check(count, &Type::Usize);
                let op = Elementwise::Binary {
                    op: Binary::Sub,
                    exchanged: false,
                };
                let kind = ExprKind::Elementwise(op, vec![extent.clone(), count]);
                expr(kind, Type::Usize, minus.span)
            }
            node => self.check(node, &Type::Usize),
        }
    }

    fn slice_index(&mut self, node: &syn::Expr, value: Expr, extent: Expr) -> Expr {
        if let syn::Expr::Unary(syn::ExprUnary {
            op: syn::UnOp::Neg(_),
            ..
        }) = node
        {
            return self.slice_end(node, &extent);
        }
        self.require(&value.ty, Class::Integer, span(node), "an index");
        self.coerce_at(value, &Type::Usize, span(node))
    }
}

fn zero(at: Span) -> Expr {
    usize_constant(0, at)
}

pub(super) fn usize_constant(bits: u64, at: Span) -> Expr {
    let scalar = Scalar {
        leaf: Leaf::U64,
        bits,
    };
    expr(ExprKind::Constant(scalar), Type::Usize, at)
}

fn is_range(node: &syn::Expr) -> bool {
    matches!(super::paths::strip(node), syn::Expr::Range(_))
}

/// The extent of an axis of an array of a rank.
fn extent(array: &Expr, axis: usize, rank: usize, at: Span) -> Expr {
    if rank == 1 {
        return expr(
            ExprKind::Array(ArrayOp::Len, vec![array.clone()]),
            Type::Usize,
            at,
        );
    }
    let shape = expr(
        ExprKind::Array(ArrayOp::Shape, vec![array.clone()]),
        Type::Tuple(vec![Type::Usize; rank]),
        at,
    );
    expr(ExprKind::Field(Box::new(shape), axis), Type::Usize, at)
}
