//! Methods and functions that are operations: on arrays, on numbers, on options.

use super::habits::constructor;
use super::infer::{Kind, POISON};
use super::operations_table::{OF_NUMBERS, OF_SEGMENTED, OPERATIONS, Operation, SOURCES, find};
use super::paths::strip;
use super::suggest::{did_you_mean, nearest};
use super::unsupported::{instead, later, other_name, wrapper};
use super::{Checker, expr};
use crate::syntax::span;
use crate::typed::{Expr, ExprKind, Type};
use proc_macro2::Span;

impl Checker<'_> {
    pub(super) fn method_call(&mut self, node: &syn::ExprMethodCall) -> Expr {
        if let Some(value) = self.iterator_habit(node) {
            return value;
        }
        if let Some(within) = contains(node) {
            return self.infer(&within);
        }
        let name = node.method.to_string();
        let at = node.method.span();
        let args: Vec<&syn::Expr> = node.args.iter().collect();
        let receiver = self.infer(&node.receiver);
        self.method(receiver, &name, &args, at)
    }

    pub(super) fn method(
        &mut self,
        receiver: Expr,
        name: &str,
        args: &[&syn::Expr],
        at: Span,
    ) -> Expr {
        if self.vars.kind(&receiver.ty) == Some(Kind::Any) {
            self.solve_pending(false);
        }
        let ty = self.vars.shallow(&receiver.ty);
        if args.is_empty() && matches!(name, "clone" | "copied" | "cloned" | "to_owned" | "view") {
            return super::expressions::kept(receiver);
        }
        if let Some(compared) = self.comparison(&receiver, name, args, at) {
            return compared;
        }
        match &ty {
            &POISON => {
                for arg in args {
                    self.argument_for_errors(arg);
                }
                self.poison(at)
            }
            // The call is never reached.
            Type::Never => {
                for arg in args {
                    self.argument_for_errors(arg);
                }
                receiver
            }
            // What works on every rank does so on rank 0; all else is meant for the value.
            Type::Array(_, 0) if find(name).is_none_or(|(row, _)| row.ranks.0 > 0) => {
                let is_array = find(name).is_some();
                let value = self.operand(receiver);
                let ty = self.vars.shallow(&value.ty);
                if is_array && super::infer::leaf(&ty).is_none() {
                    let shown = self.show(&ty);
                    return self.reject(at, format!("no operation `{name}` on {shown}"), "");
                }
                self.method(value, name, args, at)
            }
            Type::Array(element, rank) => {
                let (element, rank) = ((**element).clone(), *rank);
                self.array_method(receiver, element, rank, name, args, at)
            }
            Type::Range(_) => {
                if matches!(name, "rev" | "step_by" | "contains") {
                    let (message, help) = match name {
                        "rev" => ("is for loops only", "write `reverse()`"),
                        "step_by" => ("is for loops only", "write `slice(s![..;2])`"),
                        _ => (
                            "takes the range where it is written",
                            "write its ends: `(a..b).contains(&x)`",
                        ),
                    };
                    return self.reject(at, format!("`{name}` of a range {message}"), help);
                }
                let vector = self.operand(receiver);
                self.method(vector, name, args, at)
            }
            Type::Nested { outer, inner } => {
                let (outer, inner) = (*outer, (**inner).clone());
                self.nested_method(receiver, outer, &inner, name, args, at)
            }
            Type::Segmented(element) => {
                let element = (**element).clone();
                self.segmented_method(receiver, &element, name, args, at)
            }
            Type::Option(inner) => {
                let inner = (**inner).clone();
                self.option_method(receiver, &inner, name, args, at)
            }
            Type::Unknown(_) if self.vars.kind(&ty) == Some(Kind::Any) => {
                for arg in args {
                    self.argument_for_errors(arg);
                }
                self.reject(
                    at,
                    format!("type annotations needed before `{name}`"),
                    "write the type of the value, e.g. `|x: f32|` or `let x: f32 = ..`",
                )
            }
            Type::Leaf(_)
            | Type::Usize
            | Type::Isize
            | Type::I128
            | Type::U128
            | Type::Char
            | Type::Unknown(_) => self.number_method(receiver, name, args, at),
            Type::Ordering => self.ordering_method(receiver, name, args, at),
            Type::Struct(id) | Type::Bundle(id) => self.own_method(receiver, *id, name, args, at),
            Type::Fixed(_, n) if name == "len" && args.is_empty() => {
                super::slices::usize_constant(*n as u64, at)
            }
            Type::Tuple(_)
            | Type::Fixed(..)
            | Type::Closure
            | Type::Function(..)
            | Type::Offsets(_)
            | Type::Window(..) => {
                for arg in args {
                    self.argument_for_errors(arg);
                }
                let shown = self.show(&ty);
                let help = match &ty {
                    Type::Tuple(types) if name == "zip" && !types.is_empty() => {
                        "write `zip((xs, ys))`".to_string()
                    }
                    Type::Tuple(_) => "methods work on its fields: `x.0`".to_string(),
                    Type::Fixed(..) => {
                        "read its elements: `a[i]`, or `let [x, y] = a;`".to_string()
                    }
                    Type::Offsets(_) => {
                        "hand it to an operation on segments: `xs.sum_segmented(&offsets)`"
                            .to_string()
                    }
                    Type::Window(..) => "a window is read at constant offsets: `w[-1]`".to_string(),
                    _ => String::new(),
                };
                self.reject(at, format!("no method `{name}` on {shown}"), help)
            }
        }
    }

    fn array_method(
        &mut self,
        receiver: Expr,
        element: Type,
        rank: usize,
        name: &str,
        args: &[&syn::Expr],
        at: Span,
    ) -> Expr {
        let ty = receiver.ty.clone();
        if let ("map_segments" | "flat_map", 1) = (name, rank) {
            return match args {
                [closure] => self.map_segments(receiver, &element, name, closure, at),
                _ => {
                    for arg in args {
                        self.argument_for_errors(arg);
                    }
                    self.wrong_count(name, 1, args.len(), at)
                }
            };
        }
        let Some((row, axes)) = find(name) else {
            return self.unknown_operation(&ty, &element, name, args, at);
        };
        let needs = row.ranks.0;
        if rank < needs || rank > row.ranks.1 {
            for arg in args {
                self.argument_for_errors(arg);
            }
            let shown = self.show(&ty);
            let (wanted, help) = match row.ranks {
                _ if name == "matmul" && rank == 1 => (
                    "a matrix",
                    "write `m.transpose().matvec(&x)` of a vector and a matrix, `x.dot(&y)` of vectors",
                ),
                (1, 1) => ("a vector", "use `flatten()`, or `rows().map(|row| ..)`"),
                (2, 2) => ("a matrix", "use `reshape((rows, columns))`"),
                (2, _) => ("a matrix", "use `reshape((rows, columns))`"),
                _ => ("at least one axis", "use `expand_axis(0)`"),
            };
            return self.reject(at, format!("`{name}` takes {wanted}, found {shown}"), help);
        }
        let operation = Operation {
            name,
            at,
            receiver,
            element,
            rank,
            args,
        };
        self.apply_row(row, axes, operation)
    }

    fn unknown_operation(
        &mut self,
        ty: &Type,
        element: &Type,
        name: &str,
        args: &[&syn::Expr],
        at: Span,
    ) -> Expr {
        for arg in args {
            self.argument_for_errors(arg);
        }
        if let Some(help) = later(name) {
            return self.reject(at, format!("`{name}` is not supported yet"), help);
        }
        if matches!(
            name,
            "push"
                | "pop"
                | "insert"
                | "remove"
                | "clear"
                | "extend"
                | "truncate"
                | "resize"
                | "swap"
        ) {
            return self.reject(
                at,
                format!("`{name}` would change the array, and arrays do not change"),
                "build a new one: `concat`, `take`, `generate(n, |i| ..)`",
            );
        }
        let shown = self.show(ty);
        let element = self.vars.shallow(element);
        let own = super::infer::leaf(&element);
        let number = super::numbers_table::METHODS
            .iter()
            .any(|row| row.name == name && own.is_some_and(|leaf| row.class.has(leaf)));
        let help = if matches!(name, "map_segments" | "flat_map") {
            format!("write `rows().{name}(|row| ..)`, or `flatten()` before it")
        } else if let Some(other) = other_name(name) {
            format!("did you mean `{other}`?")
        } else if let Some(help) = instead(name) {
            help.to_string()
        } else if number {
            let dots = if args.is_empty() { "" } else { ".." };
            format!("write `map(|x| x.{name}({dots}))`")
        } else {
            did_you_mean(name, OPERATIONS.iter().map(|row| row.name))
        };
        self.reject(at, format!("no operation `{name}` on {shown}"), help)
    }

    /// `generate(..)`, and every operation with its array first.
    pub(super) fn operation_function(&mut self, name: &str, args: &[&syn::Expr], at: Span) -> Expr {
        if SOURCES.contains(&name) {
            return self.source(name, args, at);
        }
        if let ("zip" | "stack", [one]) = (name, args)
            && let syn::Expr::Tuple(tuple) = strip(one)
        {
            let values: Vec<Expr> = tuple.elems.iter().map(|e| self.infer(e)).collect();
            return match name {
                "zip" => self.zip(values, at),
                _ => self.stack(values, at),
            };
        }
        if let ("zip_with", [several, closure]) = (name, args)
            && let syn::Expr::Tuple(tuple) = strip(several)
        {
            let values = tuple.elems.iter().map(|e| self.infer(e)).collect();
            return self.zipped_with(values, closure, at);
        }
        if let (true, [receiver, rest @ ..]) = (OF_NUMBERS.contains(&name), args) {
            let value = self.infer(receiver);
            return self.method(value, name, rest, at);
        }
        if find(name).is_some() || OF_SEGMENTED.contains(&name) {
            return self.with_array_first(name, args, at);
        }
        self.unknown_function(name, args, at)
    }

    /// An operation written as a function: the array stands first.
    fn with_array_first(&mut self, name: &str, args: &[&syn::Expr], at: Span) -> Expr {
        let [receiver, rest @ ..] = args else {
            return self.reject(
                at,
                format!("`{name}` takes an array"),
                format!("write `xs.{name}(..)`"),
            );
        };
        let value = self.infer(receiver);
        let ty = self.vars.shallow(&value.ty);
        match &ty {
            Type::Array(..)
            | Type::Range(_)
            | Type::Nested { .. }
            | Type::Segmented(_)
            | &POISON => self.method(value, name, rest, at),
            // `max(a, b)` of scalars.
            ty if matches!(name, "min" | "max") && super::infer::leaf(ty).is_some() => {
                self.number_method(value, name, rest, at)
            }
            ty => {
                for arg in rest {
                    self.argument_for_errors(arg);
                }
                let shown = self.show(ty);
                let help = match (name, ty) {
                    ("replicate" | "broadcast_to", _) => {
                        "write `fill(shape, value)` to repeat one value"
                    }
                    ("concat" | "interleave", Type::Tuple(_)) => {
                        "two arrays are joined, and the result with a third: `xs.concat(ys).concat(zs)`"
                    }
                    (_, Type::Tuple(types)) if types.iter().any(Type::has_array) => {
                        "take one of the arrays: `.0`, or pair them up: `zip((xs, ys))`"
                    }
                    _ => "a scalar can be used as it is, without an operation on arrays",
                };
                self.reject(
                    span(*receiver),
                    format!("`{name}` takes an array, found {shown}"),
                    help,
                )
            }
        }
    }

    fn unknown_function(&mut self, name: &str, args: &[&syn::Expr], at: Span) -> Expr {
        for arg in args {
            self.argument_for_errors(arg);
        }
        if let Some(help) = later(name) {
            return self.reject(at, format!("`{name}` is not supported yet"), help);
        }
        if let Some(help) = wrapper(name).or(instead(name)) {
            return self.reject(at, format!("unknown function `{name}`"), help);
        }
        if let Some(help) = constructor(None, name, args) {
            return self.reject(at, format!("unknown function `{name}`"), help);
        }
        let own: Vec<String> = self.cx.functions.keys().cloned().collect();
        let scope: Vec<String> = self.scope.iter().map(|b| b.name.clone()).collect();
        let names = own
            .iter()
            .chain(&scope)
            .map(String::as_str)
            .chain(SOURCES.iter().copied())
            .chain(OPERATIONS.iter().map(|row| row.name));
        let mut methods = super::numbers_table::METHODS.iter();
        let help = match nearest(name, names) {
            _ if methods.any(|row| row.name == name) => {
                let dots = if args.len() > 1 { ".." } else { "" };
                format!("it is a method: `x.{name}({dots})`")
            }
            Some(name) => format!("did you mean `{name}`?"),
            None => "a block calls its own functions and operations only".to_string(),
        };
        self.unknown(name, at, format!("unknown function `{name}`"), help)
    }

    /// An operation with its arguments, as an expression.
    pub(super) fn array(
        &self,
        op: crate::typed::ArrayOp,
        args: Vec<Expr>,
        ty: Type,
        at: Span,
    ) -> Expr {
        expr(ExprKind::Array(op, args), ty, at)
    }
}

/// `(a..b).contains(&x)` as comparisons with the ends that there are.
fn contains(node: &syn::ExprMethodCall) -> Option<syn::Expr> {
    let syn::Expr::Range(range) = strip(&node.receiver) else {
        return None;
    };
    let (true, 1) = (node.method == "contains", node.args.len()) else {
        return None;
    };
    let value = match strip(&node.args[0]) {
        syn::Expr::Reference(reference) => &*reference.expr,
        value => value,
    };
    let at = node.method.span();
    let [low, high, x] = ["low", "high", "x"].map(|name| syn::Ident::new(name, at));
    // The error of a bound that cannot be compared is reported at the bound.
    let lower = (range.start.iter()).map(|end| quote::quote_spanned!(span(end)=> #low <= #x));
    let closed = matches!(range.limits, syn::RangeLimits::Closed(_));
    let upper = (range.end.iter()).map(|end| match closed {
        true => quote::quote_spanned!(span(end)=> #x <= #high),
        false => quote::quote_spanned!(span(end)=> #x < #high),
    });
    let tests: Vec<_> = lower.chain(upper).collect();
    let inside = match &tests[..] {
        [] => quote::quote_spanned!(at=> true),
        tests => quote::quote_spanned!(at=> #(#tests)&&*),
    };
    // All at once: in the user's expressions these names mean something else.
    let first = (range.start.iter()).map(|end| (&low, end));
    let last = (range.end.iter()).map(|end| (&high, end));
    let (names, ends): (Vec<_>, Vec<_>) = first.chain(last).unzip();
    let block = quote::quote_spanned! {at=> {
        let (#(#names,)* #x,) = (#(#ends,)* #value,);
        #inside
    }};
    syn::parse2(block).ok()
}
