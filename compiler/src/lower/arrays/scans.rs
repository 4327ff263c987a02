//! Scans of the last axis. Everything is an inclusive scan without an initial value: `init` is an element before the
//! others, or combined with the first one; from the right, the axis is read backwards and so is the result.

use crate::ir::{Id, Node, Var};
use crate::lower::operators::Operator;
use crate::lower::value::{Array, Value};
use crate::lower::{Lower, Lowered};
use crate::scalar::Binary;
use crate::typed::{Expr, Scan};
use proc_macro2::Span;
use std::collections::HashMap;

impl<'a> Lower<'a> {
    pub(super) fn scan(
        &mut self,
        scan: Scan,
        reversed: bool,
        arguments: &'a [Expr],
        span: Span,
    ) -> Lowered<Value<'a>> {
        let array = self.array(&arguments[0])?;
        let init = match scan {
            Scan::Whole | Scan::Exclusive => Some(match self.expr(&arguments[1])? {
                Value::Array(init) if init.extents.is_empty() => self.element(&init, &[]),
                init => init,
            }),
            _ => None,
        };
        let (vars, at) = self.indices(array.extents.len());
        // With an initial value in front, the element at `i` is the one before.
        let whole = scan == Scan::Whole;
        let (mut from, mut extents) = (at.clone(), array.extents.clone());
        let axis = extents.len() - 1;
        let (i, n) = (at[axis], extents[axis]);
        let one = self.p.usize(1);
        if whole {
            extents[axis] = self.binary(Binary::Add, n, one);
            from[axis] = self.binary(Binary::Sub, i, one);
        }
        if reversed {
            // `n - 1 - k`
            let last = self.binary(Binary::Sub, n, one);
            from[axis] = self.binary(Binary::Sub, last, from[axis]);
        }
        let element = self.element(&array, &from);
        let operator = match scan {
            Scan::Whole | Scan::Exclusive | Scan::Inclusive => {
                let closure = self.closure(arguments.last().expect("an operator"))?;
                let accumulator = init.as_ref().unwrap_or(&element);
                self.operator_from(&closure, accumulator, &element, init.is_none(), reversed)?
            }
            Scan::Sum | Scan::Product | Scan::Max | Scan::Min => {
                let op = match scan {
                    Scan::Product => Binary::Mul,
                    Scan::Max => Binary::Max,
                    Scan::Min => Binary::Min,
                    _ => Binary::Add,
                };
                let leaf = self.p.leaf(element.scalar());
                self.leafwise(&[(op, leaf)])
            }
        };
        let mut elements = operator.elements(self, &element);
        if let Some(init) = &init {
            let zero = self.p.usize(0);
            let first = self.p.binary(Binary::Eq, i, zero);
            let init = init.leaves();
            let then = match whole {
                true => init,
                false => self.applied(&operator, &init, &elements),
            };
            elements = self.either(first, then, elements);
        }
        if elements.is_empty() {
            // A scan of units.
            let array = self.reindexed(&array, extents, |_, at| at.to_vec());
            return Ok(Value::Array(array));
        }
        let scanned = self.scan_node(&extents, vars, elements, &operator);
        let like = init.as_ref().unwrap_or(&element);
        let scanned = Array {
            extents,
            tree: Box::new(like.with_leaves(&scanned)),
        };
        match (scan, init) {
            (Scan::Exclusive, Some(init)) => self.exclusive(&scanned, &init, reversed, span),
            _ if reversed => {
                let extents = scanned.extents.clone();
                let array = self.reindexed(&scanned, extents, |lower, at| {
                    lower.mirrored(&scanned.extents, at)
                });
                Ok(Value::Array(array))
            }
            _ => Ok(Value::Array(scanned)),
        }
    }

    pub(super) fn scan_node(
        &mut self,
        extents: &[Id],
        vars: Vec<Var>,
        elements: Vec<Id>,
        operator: &Operator,
    ) -> Vec<Id> {
        let bundle = self.p.add(Node::Scan {
            extents: extents.to_vec(),
            vars,
            elements,
            left: operator.left.clone(),
            right: operator.right.clone(),
            combined: operator.combined.clone(),
        });
        self.p.components(bundle)
    }

    /// What stands before each element, and the totals.
    fn exclusive(
        &mut self,
        scanned: &Array<'a>,
        init: &Value<'a>,
        reversed: bool,
        span: Span,
    ) -> Lowered<Value<'a>> {
        let axis = scanned.extents.len() - 1;
        let (one, zero) = (self.p.usize(1), self.p.usize(0));
        let array = self.tabulate(&scanned.extents, span, |lower, at| {
            let mut from = match reversed {
                true => lower.mirrored(&scanned.extents, at),
                false => at.to_vec(),
            };
            let first = lower.p.binary(Binary::Eq, from[axis], zero);
            from[axis] = lower.binary(Binary::Sub, from[axis], one);
            let before = lower.element(scanned, &from).leaves();
            let leaves = lower.either(first, init.leaves(), before);
            Ok(init.with_leaves(&leaves))
        })?;
        let n = scanned.extents[axis];
        let total = |lower: &mut Self, at: &[Id]| {
            let empty = lower.binary(Binary::Eq, n, zero);
            let last = lower.binary(Binary::Sub, n, one);
            let leaves = lower.element(scanned, &[at, &[last]].concat()).leaves();
            let leaves = lower.either(empty, init.leaves(), leaves);
            Ok(init.with_leaves(&leaves))
        };
        let totals = match axis {
            0 => total(self, &[])?,
            _ => self.tabulate(&scanned.extents[..axis], span, total)?,
        };
        Ok(Value::Tuple(vec![array, totals]))
    }

    /// An index counted from the end of the last axis.
    fn mirrored(&mut self, extents: &[Id], at: &[Id]) -> Vec<Id> {
        let mut from = at.to_vec();
        let axis = extents.len() - 1;
        let one = self.p.usize(1);
        let last = self.binary(Binary::Sub, extents[axis], one);
        from[axis] = self.binary(Binary::Sub, last, at[axis]);
        from
    }

    /// The operator on these operands.
    fn applied(&mut self, operator: &Operator, left: &[Id], right: &[Id]) -> Vec<Id> {
        let vars = operator.left.iter().chain(&operator.right).copied();
        let map: HashMap<Var, Id> = vars.zip(left.iter().chain(right).copied()).collect();
        self.p.substitute_all(&operator.combined, &map)
    }
}
