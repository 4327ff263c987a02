//! Compactions: their arguments and results.

use super::Checker;
use super::arguments::closure_tail;
use super::infer::POISON;
use super::operations_table::Operation;
use crate::scalar::Leaf;
use crate::typed::{ArrayOp, Compaction, Expr, Type};

impl Checker<'_> {
    /// What is kept of a vector.
    pub(super) fn compact(&mut self, compaction: Compaction, call: Operation) -> Expr {
        let (name, at, element) = (call.name, call.at, call.element);
        let vector = |element: Type| Type::Array(Box::new(element), 1);
        let mut operands = vec![call.receiver];
        let kept = match compaction {
            Compaction::Dedup => element.clone(),
            Compaction::Unique => {
                let element = self.vars.resolve(&element);
                if !self.has_order(&element) {
                    let shown = self.show(&element);
                    return self.reject(
                        at,
                        format!("`{name}` needs elements that have an order, found {shown}"),
                        "an element is a number, `bool`, `char`, or a tuple, array or struct of such",
                    );
                }
                element
            }
            Compaction::FilterMap => {
                let types = [element.clone()];
                let (closure, result) = self.closure_argument(call.args[0], &types, None, name);
                operands.push(closure);
                match self.vars.resolve(&result) {
                    Type::Option(inner) => *inner,
                    Type::Never => element.clone(),
                    POISON => return self.poison(at),
                    other => {
                        let shown = self.show(&other);
                        return self.reject(
                            closure_tail(call.args[0]),
                            format!("the closure of `{name}` must give an `Option`, found {shown}"),
                            "write `Some(..)` or `None`, or use `map`",
                        );
                    }
                }
            }
            Compaction::Filter | Compaction::Partition | Compaction::Indices => {
                let (types, bool) = ([element.clone()], Type::Leaf(Leaf::Bool));
                let (closure, _) = self.closure_argument(call.args[0], &types, Some(&bool), name);
                operands.push(closure);
                element.clone()
            }
        };
        if self.vars.resolve(&kept).has_array() || self.vars.resolve(&element).has_array() {
            let shown = self.show(&vector(kept));
            return self.reject(
                at,
                format!("`{name}` of arrays of arrays, found {shown}"),
                "",
            );
        }
        let ty = match compaction {
            Compaction::Indices => vector(Type::Usize),
            Compaction::Partition => Type::Tuple(vec![vector(kept.clone()), vector(kept)]),
            _ => vector(kept),
        };
        self.array(ArrayOp::Compact(compaction), operands, ty, at)
    }
}
