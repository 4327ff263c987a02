//! Calls of foreign functions: what computes them on CUDA devices stands beside what their bodies say.

use super::control::Side;
use super::guards::{Effect, Scope};
use super::value::{Array, Value};
use super::{Lower, Lowered, not_yet};
use crate::codegen::names::unraw;
use crate::ir::{Id, Node, Routine, Type};
use crate::scalar;
use crate::typed::{File, Function};
use proc_macro2::Span;
use std::sync::Arc;

impl<'a> Lower<'a> {
    /// A call of a function of CUDA C whose body has this value.
    pub(super) fn foreign_scalar(
        &mut self,
        callee: &Function,
        file: &File,
        arguments: Vec<Id>,
        body: Id,
    ) -> Id {
        let name = callee.name.to_string();
        let types = arguments.iter().map(|&id| self.p.leaf(id)).collect();
        let file = (&*file.file, &*file.text);
        let function = scalar::Foreign::new(unraw(&name), file, types, self.p.leaf(body));
        let operands = arguments.into_iter().chain([body]).collect();
        self.p.add(Node::Foreign(Arc::new(function), operands))
    }

    /// Arrays as they are in memory, where a function of the user's reads them.
    pub(super) fn in_memory(&mut self, value: Value<'a>) -> Value<'a> {
        match value {
            Value::Tuple(parts) => {
                let parts = parts.into_iter().map(|part| self.in_memory(part));
                Value::Tuple(parts.collect())
            }
            Value::Array(array) => {
                let tree = array.tree.map(&mut |leaf| match self.p.node(leaf) {
                    Node::Input { .. } | Node::Variable(_) | Node::Materialize(_) => leaf,
                    _ => self.p.add(Node::Materialize(leaf)),
                });
                Value::Array(Array {
                    extents: array.extents,
                    tree: Box::new(tree),
                })
            }
            other => other,
        }
    }

    /// A call of a Rust function, in an environment that has the parameters of the foreign function. Which of the two gives the
    /// arrays is known when the program runs; what the body requires of shapes and scalars is found out before.
    pub(super) fn foreign_arrays(
        &mut self,
        (function, path): (usize, &syn::Path),
        arguments: Vec<Id>,
        span: Span,
    ) -> Lowered<Value<'a>> {
        let domain = |scope: &Scope| matches!(scope, Scope::Domain { .. });
        if self.scopes.iter().any(domain) || !self.around.is_empty() {
            return Err(not_yet(
                span,
                "a foreign function of arrays for each element or row",
                "write it outside of the closure, over the whole array",
            ));
        }
        let (body, first, effects) = self.foreign_body(function)?;
        let (mut results, mut extents) = (Vec::new(), Vec::new());
        for leaf in body.leaves() {
            let Type::Array(ty, own) = self.p.ty(leaf).clone() else {
                unreachable!("`check` lets arrays only be results of it");
            };
            results.push((ty, own.len()));
            extents.extend(own);
        }
        let names: Vec<String> = (path.segments.iter())
            .map(|segment| segment.ident.to_string())
            .collect();
        let routine = Arc::new(Routine {
            function,
            path: names.join("::"),
            results,
        });
        let call = self.p.add(Node::Routine {
            routine,
            extents,
            arguments,
        });
        let parts = self.p.components(call);
        let called = with_arrays(&body, &mut parts.into_iter());
        let on_cuda = self.p.add(Node::OnCuda);
        let on_cuda = self.under_all(&first, on_cuda);
        let [then, otherwise] =
            [(called, Vec::new()), (body, effects)].map(|(value, effects)| Side {
                value,
                environment: self.environment.clone(),
                effects,
            });
        let around = self.environment.clone();
        self.merge(span, on_cuda, around, then, otherwise)
    }

    /// What the body of a foreign function gives; what shapes and scalars have to be for that; and what else it evaluates.
    fn foreign_body(&mut self, function: usize) -> Lowered<(Value<'a>, Vec<Effect>, Vec<Effect>)> {
        let block = self.block;
        let function = &block.functions[function];
        let around = std::mem::take(&mut self.effects);
        let depth = self.scopes.len();
        let outer = self.of_body.replace((depth, Vec::new()));
        let body = self.body(&function.body);
        let (_, mut first) = std::mem::replace(&mut self.of_body, outer).expect("set above");
        let effects = std::mem::replace(&mut self.effects, around);
        let body = self.coerced(body?, &function.result);
        let (asserted, effects): (Vec<Effect>, Vec<Effect>) =
            effects.into_iter().partition(|effect| match effect {
                Effect::Guard { condition, .. } => {
                    !self.p.reads(*condition) && !self.p.moves(*condition)
                }
                Effect::Demand(_) | Effect::Anticipate(_) => false,
            });
        first.extend(asserted);
        // Of a body that calls it, too.
        if let Some((around, shapes)) = &mut self.of_body
            && *around == depth
        {
            shapes.extend(first.iter().cloned());
        }
        Ok((body, first, effects))
    }
}

/// The same arrays with the leaves given in order.
fn with_arrays<'a>(value: &Value<'a>, leaves: &mut impl Iterator<Item = Id>) -> Value<'a> {
    match value {
        Value::Tuple(parts) => {
            Value::Tuple(parts.iter().map(|part| with_arrays(part, leaves)).collect())
        }
        Value::Array(array) => Value::Array(Array {
            extents: array.extents.clone(),
            tree: Box::new(
                (array.tree).map(&mut |_| leaves.next().expect("as many leaves as before")),
            ),
        }),
        other => other.clone(),
    }
}
