//! `Segmented<T>`: how it is made, and its operations.

use super::arguments::closure_tail;
use super::infer::{POISON, is_integer};
use super::operations_table::{OF_SEGMENTED, find};
use super::suggest::did_you_mean;
use super::{Checker, expr};
use crate::scalar::Binary;
use crate::syntax::span;
use crate::typed::{ArrayOp, Expr, ExprKind, Type};
use proc_macro2::Span;

/// Operations that make more axes of a vector.
const TO_MATRIX: [&str; 7] = [
    "reshape",
    "broadcast_to",
    "expand_axis",
    "replicate",
    "split",
    "slide",
    "outer_product",
];

impl Checker<'_> {
    /// `Segmented::new(values, &lengths)`, `Segmented::new(values, Offsets::new(&offsets))`.
    pub(super) fn new_segmented(&mut self, name: &str, args: &[&syn::Expr], at: Span) -> Expr {
        if name != "new" {
            for arg in args {
                self.argument_for_errors(arg);
            }
            return self.reject(
                at,
                format!("unknown function `Segmented::{name}`"),
                "write `Segmented::new(values, &lengths)`, or with `Offsets::new(&offsets)`",
            );
        }
        let [values, segments] = args else {
            for arg in args {
                self.argument_for_errors(arg);
            }
            return self.wrong_count("Segmented::new", 2, args.len(), at);
        };
        let of = span(*values);
        let values = self.infer(values);
        let values = self.operand(values);
        let segments = self.segments_argument(segments, "Segmented::new");
        match self.vars.shallow(&values.ty) {
            Type::Array(element, 1) => {
                let ty = Type::Segmented(element);
                self.array(ArrayOp::Segmented, vec![values, segments], ty, at)
            }
            ty if self.is_poison(&ty) => self.poison(at),
            ty => {
                let shown = self.show(&ty);
                self.reject(
                    of,
                    format!("`Segmented::new` takes a vector of values, found {shown}"),
                    "the segments are parts of one axis: use `flatten()`",
                )
            }
        }
    }

    /// An operation on segments.
    pub(super) fn segmented_method(
        &mut self,
        receiver: Expr,
        element: &Type,
        name: &str,
        args: &[&syn::Expr],
        at: Span,
    ) -> Expr {
        let count = match name {
            "map_segments" | "flat_map" => Some(1),
            name if OF_SEGMENTED.contains(&name) => Some(0),
            _ => None,
        };
        if count != Some(args.len()) {
            for arg in args {
                self.argument_for_errors(arg);
            }
        }
        if let Some(count) = count
            && count != args.len()
        {
            return self.wrong_count(name, count, args.len(), at);
        }
        let vector = |element: Type| Type::Array(Box::new(element), 1);
        let part = |k: usize, ty: Type, of: Expr| expr(ExprKind::Field(Box::new(of), k), ty, at);
        match name {
            "map_segments" | "flat_map" => {
                self.map_segments(receiver, &vector(element.clone()), name, args[0], at)
            }
            "values" | "flatten" => part(0, vector(element.clone()), receiver),
            "offsets" => part(1, vector(Type::Usize), receiver),
            "lengths" => self.array(ArrayOp::Lengths, vec![receiver], vector(Type::Usize), at),
            "len" | "is_empty" => {
                let offsets = part(1, vector(Type::Usize), receiver);
                let ends = self.array(ArrayOp::Len, vec![offsets], Type::Usize, at);
                let one = super::slices::usize_constant(1, at);
                let kind = ExprKind::Binary(Binary::Sub, Box::new(ends), Box::new(one));
                let len = expr(kind, Type::Usize, at);
                match name {
                    "len" => len,
                    _ => self.equals_zero(len, at),
                }
            }
            name => {
                let help = match find(name) {
                    // A segment becomes a vector only.
                    Some(_) if TO_MATRIX.contains(&name) => format!("write `values().{name}(..)`"),
                    Some((row, _)) if (row.ranks.0..=row.ranks.1).contains(&1) => {
                        let parts = super::nested::parts(name);
                        format!(
                            "write `map_segments(|segment| segment.{name}(..){parts})` for each of them, or `values().{name}(..){parts}`"
                        )
                    }
                    _ => did_you_mean(name, OF_SEGMENTED.iter().copied()),
                };
                let shown = self.show(&receiver.ty);
                self.reject(at, format!("no operation `{name}` on {shown}"), help)
            }
        }
    }

    /// `map_segments`, or `flat_map` for all that it gives: a closure of each segment, of each row of a matrix as a segment,
    /// or of each element of a vector.
    pub(super) fn map_segments(
        &mut self,
        receiver: Expr,
        each: &Type,
        name: &str,
        closure: &syn::Expr,
        at: Span,
    ) -> Expr {
        let types = std::slice::from_ref(each);
        let (lowered, result) = self.closure_argument(closure, types, None, name);
        let ty = match self.over_segments(&result) {
            _ if self.is_poison(&result) => POISON,
            Some(ty @ Type::Segmented(_)) => ty,
            Some(ty) if name == "map_segments" => ty,
            _ => self.no_segment(&result, name, closure),
        };
        let values = match &ty {
            Type::Segmented(element) => Type::Array(element.clone(), 1),
            _ => POISON,
        };
        let segments = self.array(ArrayOp::MapSegments, vec![receiver, lowered], ty, at);
        match name {
            "flat_map" => expr(ExprKind::Field(Box::new(segments), 0), values, at),
            _ => segments,
        }
    }

    /// `repeat_each`.
    pub(super) fn repeat_each(&mut self, call: super::operations_table::Operation) -> Expr {
        let node = call.args[0];
        let counts = self.infer(node);
        let counts = self.operand(counts);
        let ty = self.vars.shallow(&counts.ty);
        match &ty {
            Type::Array(element, 1) if self.is_count(element) => {
                let ty = call.receiver.ty.clone();
                let operands = vec![call.receiver, counts];
                self.array(ArrayOp::RepeatEach, operands, ty, call.at)
            }
            ty if self.is_poison(ty) => self.poison(call.at),
            ty => {
                let shown = self.show(ty);
                let help = match ty {
                    Type::Array(element, 1) if is_integer(&self.vars.shallow(element)) => {
                        "convert them: `counts.map(|n| n as usize)`"
                    }
                    Type::Array(..) => "one count for each element",
                    _ => "as many times each: `replicate(n).transpose().flatten()`",
                };
                self.reject(
                    span(node),
                    format!("`repeat_each` takes a vector of unsigned counts, found {shown}"),
                    help,
                )
            }
        }
    }

    /// What results for each segment make: vectors are segments again, elements those of a vector.
    fn over_segments(&mut self, result: &Type) -> Option<Type> {
        match self.vars.resolve(result) {
            Type::Array(element, 1) => Some(Type::Segmented(element)),
            Type::Array(_, rank) if rank > 1 => None,
            Type::Tuple(types) if types.iter().any(Type::has_array) => {
                let parts: Option<Vec<Type>> =
                    types.iter().map(|ty| self.over_segments(ty)).collect();
                parts.map(Type::Tuple)
            }
            other => self.gathered(&other, 1),
        }
    }

    fn no_segment(&mut self, result: &Type, name: &str, node: &syn::Expr) -> Type {
        let shown = self.show(result);
        self.error(
            closure_tail(node),
            format!("the closure of `{name}` gives {shown}"),
            match self.vars.resolve(result) {
                Type::Option(_) if name == "flat_map" => "write `filter_map`",
                Type::Tuple(types) if types.iter().any(Type::has_array) => {
                    "return one vector, or write `map_segments`"
                }
                ty if name == "flat_map" && !ty.has_array() => {
                    "return a vector, or write `map` for one value each"
                }
                Type::Array(..) => "return a vector: use `flatten()`, or reduce the other axes",
                Type::Segmented(_) => "return a vector: a segment has no segments of its own",
                _ => "return a vector, a scalar, or a tuple of these",
            },
        );
        POISON
    }
}
