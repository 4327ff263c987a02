//! Scatters: their arguments and results.

use super::Checker;
use super::habits::written;
use super::infer::index_type;
use super::operations_table::Operation;
use super::operators::Class;
use crate::scalar::Leaf;
use crate::syntax::span;
use crate::typed::{ArrayOp, Expr, Scatter, Type};

impl Checker<'_> {
    pub(super) fn scatter(&mut self, scatter: Scatter, call: Operation) -> Expr {
        match scatter {
            Scatter::Combine | Scatter::Once | Scatter::Unchecked => self.scatter_to(scatter, call),
            Scatter::Histogram => {
                let (name, at) = (call.name, call.at);
                self.require(&call.element, Class::Integer, at, &format!("`{name}`"));
                let bins = self.check(call.args[0], &Type::Usize);
                let counts = Type::Array(Box::new(Type::Leaf(Leaf::U32)), 1);
                let operands = vec![call.receiver, bins];
                self.array(ArrayOp::Scatter(scatter), operands, counts, at)
            }
            Scatter::ReduceByIndex => self.reduce_by_index(call),
        }
    }

    /// `defaults.scatter(op, src, to)`, or without an operator.
    fn scatter_to(&mut self, scatter: Scatter, call: Operation) -> Expr {
        let (name, at) = (call.name, call.at);
        if scatter == Scatter::Unchecked && !self.in_unsafe {
            self.error(
                at,
                "`scatter_unique_unchecked` is unsafe: nobody checks that each index comes once",
                "write `scatter_unique`, or `unsafe { defaults.scatter_unique_unchecked(..) }`",
            );
        }
        let (operator, source, to) = match *call.args {
            [operator, source, to] => (Some(operator), source, to),
            [source, to] => (None, source, to),
            _ => unreachable!("the arguments have been counted"),
        };
        if let Some(rejected) = self.places_first(name, operator, source, to) {
            return rejected;
        }
        let ty = call.receiver.ty.clone();
        let source_at = span(source);
        let source = self.infer(source);
        let source = self.operand(source);
        let (element, rank) = match self.vars.shallow(&source.ty) {
            Type::Array(element, rank) => (*element, rank),
            element => (element, 0),
        };
        if self.vars.resolve(&call.element).has_array() || self.vars.resolve(&element).has_array() {
            let shown = self.show(&ty);
            return self.reject(
                at,
                format!("`{name}` of arrays of arrays, found {shown}"),
                "",
            );
        }
        let mut operands = vec![call.receiver];
        match operator {
            Some(operator) => {
                let types = [call.element.clone(), element.clone()];
                let (closure, _) =
                    self.closure_argument(operator, &types, Some(&call.element), name);
                operands.push(closure);
            }
            None if !self.vars.unify(&call.element, &element) => {
                let (to, from) = (self.show(&call.element), self.show(&element));
                return self.reject(
                    source_at,
                    format!("`{name}` into elements of type {to}, found elements of type {from}"),
                    "convert them: `src.map(|x| ..)`",
                );
            }
            None => {}
        }
        let target = Type::Option(Box::new(index_type(call.rank)));
        let types = [index_type(rank), element];
        let (closure, _) = self.closure_argument(to, &types, Some(&target), name);
        operands.extend([source, closure]);
        self.array(ArrayOp::Scatter(scatter), operands, ty, at)
    }

    /// `defaults.scatter(places, values, op)`, as other libraries have it: one error, which says how it is written here.
    fn places_first(
        &mut self,
        name: &str,
        operator: Option<&syn::Expr>,
        source: &syn::Expr,
        to: &syn::Expr,
    ) -> Option<Expr> {
        let (places, values, last) = match operator {
            Some(operator) => (operator, source, Some(to)),
            None => (source, to, None),
        };
        let is_closure = |argument: &syn::Expr| matches!(argument, syn::Expr::Closure(_));
        if is_closure(places) || is_closure(values) || !last.is_none_or(is_closure) {
            return None;
        }
        let (at, given) = (span(places), self.infer(places));
        let given = self.operand(given).ty;
        let Type::Array(index, 1) = self.vars.shallow(&given) else {
            return None;
        };
        let index = match self.vars.shallow(&index) {
            Type::Leaf(_) => " as usize",
            _ => "",
        };
        let operator = last.map_or(String::new(), |operator| written(operator) + ", ");
        let from = written(unreferenced(values));
        let element = match unreferenced(places) {
            path @ syn::Expr::Path(_) => written(path),
            _ => "places".to_owned(),
        };
        let shown = self.show(&given);
        let wanted = match last {
            Some(_) => "an operator, values and a closure that says where each goes",
            None => "values and a closure that says where each goes",
        };
        Some(self.reject(
            at,
            format!("`{name}` takes {wanted}, found {shown} first"),
            format!("write `{name}({operator}{from}, |i, _| Some({element}[i]{index}))`"),
        ))
    }

    fn reduce_by_index(&mut self, call: Operation) -> Expr {
        let (name, at) = (call.name, call.at);
        self.require(&call.element, Class::Integer, at, &format!("`{name}`"));
        let values = self.infer(call.args[0]);
        let values = self.operand(values);
        let element = match self.vars.shallow(&values.ty) {
            Type::Array(element, rank) if rank == call.rank => *element,
            ty => {
                let (keys, shown) = (self.show(&call.receiver.ty), self.show(&ty));
                return self.reject(
                    span(call.args[0]),
                    format!("`{name}` takes a value for each key of {keys}, found {shown}"),
                    "give it an array of the same shape",
                );
            }
        };
        let bins = self.check(call.args[1], &Type::Usize);
        let init = self.infer(call.args[2]);
        let init = self.operand(init);
        let ty = init.ty.clone();
        let types = [ty.clone(), element.clone()];
        let (closure, _) = self.closure_argument(call.args[3], &types, Some(&ty), name);
        if self.vars.resolve(&ty).has_array() || self.vars.resolve(&element).has_array() {
            let shown = self.show(&ty);
            return self.reject(at, format!("`{name}` of arrays, found {shown}"), "");
        }
        let operands = vec![call.receiver, values, bins, init, closure];
        let result = Type::Array(Box::new(ty), 1);
        self.array(
            ArrayOp::Scatter(Scatter::ReduceByIndex),
            operands,
            result,
            at,
        )
    }
}

fn unreferenced(argument: &syn::Expr) -> &syn::Expr {
    match argument {
        syn::Expr::Reference(reference) => &reference.expr,
        other => other,
    }
}
