//! Operations that change the axes of an array: joined, cut into pieces, replicated.

use super::arrays::nested;
use super::infer::{POISON, index_type};
use super::operations_table::{Form, Operation};
use super::paths::strip;
use super::slices::usize_constant;
use super::{Checker, expr};
use crate::syntax::span;
use crate::typed::{ArrayOp, Expr, ExprKind, Type};
use proc_macro2::Span;

impl Checker<'_> {
    /// A call whose number of arguments is right.
    pub(super) fn shape_row(&mut self, form: Form, call: Operation) -> Expr {
        let (at, rank, element) = (call.at, call.rank, call.element.clone());
        let ty = call.receiver.ty.clone();
        let array = |rank| Type::Array(Box::new(element.clone()), rank);
        match form {
            Form::ConcatAxis => {
                let Some(axis) = self.axis_argument(call.args[0], rank) else {
                    return self.poison(at);
                };
                let other = self.check(call.args[1], &ty);
                self.array(
                    ArrayOp::ConcatAxis,
                    vec![call.receiver, axis, other],
                    ty,
                    at,
                )
            }
            Form::Stack => {
                let mut values = vec![call.receiver];
                values.extend(call.args.iter().map(|arg| self.infer(arg)));
                self.stack(values, at)
            }
            Form::Halves(op) => {
                let pair = Type::Tuple(vec![ty.clone(), ty]);
                self.array(op, vec![call.receiver], pair, at)
            }
            Form::Pairs => {
                let pair = Type::Tuple(vec![element.clone(), element]);
                let ty = Type::Array(Box::new(pair), rank);
                self.array(ArrayOp::Pairs, vec![call.receiver], ty, at)
            }
            Form::Replicate => self.replicate(call),
            Form::Cut(op, _) => {
                let counts = self.counts(call.args);
                let mut operands = vec![call.receiver];
                operands.extend(counts);
                self.array(op, operands, array(rank + 1), at)
            }
            Form::Join => self.array(ArrayOp::Join, vec![call.receiver], array(rank - 1), at),
            Form::Pad => {
                let pair = |arg: &&syn::Expr| matches!(strip(arg), syn::Expr::Tuple(_));
                if let Some(pair) = call.args[..2].iter().find(|arg| pair(arg)) {
                    return self.reject(
                        span(*pair),
                        "`pad` takes two numbers, before and after along the first axis, found a tuple".to_owned(),
                        "write `pad(1, 1, Clamp)`; for a frame around a matrix `pad(1, 1, Clamp).transpose().pad(1, 1, Clamp).transpose()`",
                    );
                }
                let mut operands = vec![call.receiver];
                operands.extend(self.counts(&call.args[..2]));
                operands.push(self.boundary(call.args[2], &element, rank));
                self.array(ArrayOp::Pad, operands, ty, at)
            }
            Form::Pieces(op) => {
                let mut operands = vec![call.receiver];
                operands.extend(self.counts(call.args));
                self.array(op, operands, nested(1, array(rank)), at)
            }
            Form::Stencil(_) => self.stencil(call),
            _ => self.poison(at),
        }
    }

    fn counts(&mut self, args: &[&syn::Expr]) -> Vec<Expr> {
        args.iter()
            .map(|arg| self.check(arg, &Type::Usize))
            .collect()
    }

    /// Arrays of one type along a new first axis.
    pub(super) fn stack(&mut self, values: Vec<Expr>, at: Span) -> Expr {
        let mut operands: Vec<Expr> = Vec::new();
        for value in values {
            let value = match self.vars.shallow(&value.ty) {
                Type::Range(_) => self.operand(value),
                _ => value,
            };
            let value = match operands.first().map(|first| first.ty.clone()) {
                Some(first) => self.coerce(value, &first),
                None => value,
            };
            operands.push(value);
        }
        let first = operands.first().map(|first| self.vars.shallow(&first.ty));
        match first {
            Some(Type::Array(element, rank)) => {
                let ty = Type::Array(element, rank + 1);
                self.array(ArrayOp::Stack, operands, ty, at)
            }
            Some(POISON) => self.poison(at),
            Some(ty) => {
                let shown = self.show(&ty);
                self.reject(
                    at,
                    format!("`stack` takes arrays, found {shown}"),
                    "write `stack((xs, ys))`",
                )
            }
            None => self.reject(
                at,
                "`stack` takes at least one array",
                "write `stack((xs, ys))`",
            ),
        }
    }

    /// `replicate(n)`: a new first axis. `replicate(s![n, ..])`: an entry for each axis of the result, an extent for a
    /// new one and `..` for an old one.
    fn replicate(&mut self, call: Operation) -> Expr {
        let (at, rank) = (call.at, call.rank);
        let entries = match super::paths::strip(call.args[0]) {
            syn::Expr::Macro(mac) if mac.mac.path.is_ident("s") => {
                let Some(entries) = self.slice_macro(&mac.mac) else {
                    return self.poison(at);
                };
                entries
            }
            _ => {
                let count = self.check(call.args[0], &Type::Usize);
                let ty = Type::Array(Box::new(call.element), rank + 1);
                let operands = vec![call.receiver, usize_constant(0, at), count];
                return self.array(ArrayOp::Replicate, operands, ty, at);
            }
        };
        let mut operands = vec![call.receiver];
        let mut old = 0;
        for (position, entry) in entries.iter().enumerate() {
            match (super::paths::strip(&entry.range), &entry.step) {
                (syn::Expr::Range(range), None) if range.start.is_none() && range.end.is_none() => {
                    old += 1;
                }
                (syn::Expr::Range(range), _) => {
                    return self.reject(
                        span(range),
                        "an entry of `replicate` is an extent, or `..` for an axis of the array",
                        "take the part with `slice` first",
                    );
                }
                (count, _) => {
                    operands.push(usize_constant(position as u64, at));
                    operands.push(self.check(count, &Type::Usize));
                }
            }
        }
        if old != rank {
            let shown = self.show(&operands[0].ty);
            return self.reject(
                at,
                format!("`replicate` of {shown} keeps {rank} axes, found `..` {old} times"),
                "write `..` for each axis of the array, and an extent for each new one",
            );
        }
        let ty = Type::Array(Box::new(call.element), entries.len());
        self.array(ArrayOp::Replicate, operands, ty, at)
    }

    /// `w[d]`, `w[(dy, dx)]` of a window.
    pub(super) fn neighbour(
        &mut self,
        window: Expr,
        element: &Type,
        rank: usize,
        node: &syn::Expr,
    ) -> Expr {
        let at = span(node);
        let offsets: Vec<&syn::Expr> = match super::paths::strip(node) {
            syn::Expr::Tuple(tuple) => tuple.elems.iter().collect(),
            one => vec![one],
        };
        if offsets.len() != rank {
            let shown = self.show(&window.ty);
            return self.reject(
                at,
                format!(
                    "an offset in a {} has {rank} parts, found {}",
                    shown.trim_matches('`'),
                    offsets.len()
                ),
                match rank {
                    1 => "write `w[-1]`",
                    2 => "write `w[(dy, dx)]`",
                    _ => "write a tuple of constants",
                },
            );
        }
        let mut operands = vec![window];
        for offset in offsets {
            let offset = self.check(offset, &Type::Isize);
            if self.is_poison(&offset.ty) {
                return self.poison(at);
            }
            operands.push(offset);
        }
        expr(
            ExprKind::Array(ArrayOp::Neighbour, operands),
            element.clone(),
            at,
        )
    }

    /// The type of a signed index of a rank.
    pub(super) fn signed_index(rank: usize) -> Type {
        match index_type(rank) {
            Type::Tuple(types) => Type::Tuple(vec![Type::Isize; types.len()]),
            _ => Type::Isize,
        }
    }
}
