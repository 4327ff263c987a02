//! Arrays of arrays: `rows()`, `columns()`, `outer()`, `axis(k)`, and what `zip` makes of them.

use super::Checker;
use super::arguments::closure_tail;
use super::infer::{POISON, index_type};
use super::suggest::did_you_mean;
use super::unsupported::later;
use crate::typed::{ArrayOp, Expr, Type};
use proc_macro2::Span;

const OPERATIONS: &[&str] = &[
    "map",
    "map_indexed",
    "map_segments",
    "flat_map",
    "zip",
    "zip_with",
    "len",
    "shape",
];

impl Checker<'_> {
    pub(super) fn nested_method(
        &mut self,
        receiver: Expr,
        outer: usize,
        inner: &Type,
        name: &str,
        args: &[&syn::Expr],
        at: Span,
    ) -> Expr {
        let count = match name {
            "map" | "map_indexed" | "map_segments" | "flat_map" | "zip" => Some(1),
            "len" | "shape" => Some(0),
            _ => None,
        };
        if let Some(count) = count
            && count != args.len()
        {
            return self.wrong_count(name, count, args.len(), at);
        }
        match name {
            "map" | "map_indexed" => {
                let (op, types) = match name {
                    "map" => (ArrayOp::Map, vec![inner.clone()]),
                    _ => (ArrayOp::MapIndexed, vec![index_type(outer), inner.clone()]),
                };
                let (closure, result) = self.closure_argument(args[0], &types, None, name);
                let ty = self.nested_result(&result, outer, args[0], name);
                self.array(op, vec![receiver, closure], ty, at)
            }
            "map_segments" | "flat_map" => match (outer, inner) {
                (1, Type::Array(_, 1)) => self.map_segments(receiver, inner, name, args[0], at),
                _ => {
                    self.argument_for_errors(args[0]);
                    let shown = self.show(&receiver.ty);
                    self.reject(
                        at,
                        format!(
                            "`{name}` takes rows of a matrix, found an {}",
                            shown.trim_matches('`')
                        ),
                        "segments are vectors: use `rows()` of a matrix",
                    )
                }
            },
            "zip" => {
                let other = self.infer(args[0]);
                self.zip(vec![receiver, other], at)
            }
            "zip_with" => self.zip_with(receiver, args, at),
            "len" => self.array(ArrayOp::Len, vec![receiver], Type::Usize, at),
            "shape" => self.array(ArrayOp::Shape, vec![receiver], index_type(outer), at),
            name => {
                for arg in args {
                    self.argument_for_errors(arg);
                }
                if let Some(help) = later(name) {
                    return self.reject(at, format!("`{name}` is not supported yet"), help);
                }
                let shown = self.show(&receiver.ty);
                let help = match (super::operations_table::find(name), inner) {
                    (Some((row, _)), &Type::Array(_, rank))
                        if !(row.ranks.0..=row.ranks.1).contains(&rank) =>
                    {
                        format!("write `m.{name}(..)`: it takes the whole array")
                    }
                    (Some(_), _) => each_or_all(name),
                    (None, _) => did_you_mean(name, OPERATIONS.iter().copied()),
                };
                self.reject(
                    at,
                    format!("no operation `{name}` on an {}", shown.trim_matches('`')),
                    help,
                )
            }
        }
    }

    /// What the results of a closure over inner arrays make: they gain the outer axes.
    pub(super) fn nested_result(
        &mut self,
        result: &Type,
        outer: usize,
        node: &syn::Expr,
        name: &str,
    ) -> Type {
        if let Some(ty) = self.gathered(result, outer) {
            if matches!(self.vars.shallow(result), Type::Tuple(types) if types.is_empty()) {
                return self.element_result(result, outer, node, name);
            }
            return ty;
        }
        let shown = self.show(result);
        self.error(
            closure_tail(node),
            format!("the closure of `{name}` gives {shown}"),
            match self.vars.shallow(result) {
                Type::Bundle(_) => "return its arrays as a tuple",
                _ => "return an array, a scalar, or a tuple of these",
            },
        );
        POISON
    }
}

/// An operation of arrays that arrays of arrays do not have: on each of them, or, where Rust would think of them as
/// the elements, on all.
fn each_or_all(name: &str) -> String {
    let map = match name {
        "filter" | "filter_map" | "partition" | "indices_of" | "unique" | "dedup" => "map_segments",
        _ => "map",
    };
    let parts = parts(name);
    let each = format!("write `{map}(|row| row.{name}(..){parts})` for each of them");
    let all = match name {
        "reverse" => "`m.slice(s![..;-1, ..])` has them in the other order",
        "take" => "`m.slice(s![..n, ..])` has the first of them",
        "skip" => "`m.slice(s![n.., ..])` has all but the first of them",
        "filter" => "of the indices of some, `indices.map(|i| m.row(i))` has these",
        "fold" => "`m.fold_axis(0, init, op)` goes over all of them",
        "sum" => "`m.sum_axis(0)` adds them up",
        _ => return each,
    };
    format!("{each}; {all}")
}

/// What follows an operation that makes parts in a closure, which gives no array of arrays.
pub(super) fn parts(name: &str) -> &'static str {
    match name {
        "windows" | "chunks" | "chunks_exact" | "outer" | "axis" => ".map(|part| ..)",
        _ => "",
    }
}
