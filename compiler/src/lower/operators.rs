//! Operators of folds and scans.
//!
//! `|acc, x| acc ⊕ g(x)` with a known ⊕ on each leaf is a map and a fold by ⊕, whatever the types. Any other operator
//! must associate, which `associativity` tests.

use super::guards::Scope;
use super::value::{ClosureValue, Value};
use super::{Lower, Lowered};
use crate::diag::Diagnostic;
use crate::ir::{Id, Node, QuickMap, Type, Var};
use crate::scalar::{Binary, Leaf, Unary};

/// An operator as a region of a `Reduce`.
pub(super) struct Operator {
    pub(super) left: Vec<Var>,
    pub(super) right: Vec<Var>,
    pub(super) combined: Vec<Id>,
    pub(super) commutes: bool,
    /// What is folded instead of the elements: expressions over variables that stand for an element's leaves.
    pub(super) terms: Option<(Vec<Var>, Vec<Id>)>,
}

impl Operator {
    /// The leaves to fold for an element.
    pub(super) fn elements<'a>(&self, lower: &mut Lower<'a>, element: &Value<'a>) -> Vec<Id> {
        let leaves = element.leaves();
        match &self.terms {
            None => leaves,
            Some((vars, terms)) => {
                let map: QuickMap<Var, Id> = vars.iter().copied().zip(leaves).collect();
                lower.p.substitute_all(terms, &map)
            }
        }
    }
}

impl<'a> Lower<'a> {
    /// Variables like the leaves of a value, and the value of them.
    pub(super) fn operand(&mut self, like: &Value<'a>, name: &str) -> (Vec<Var>, Value<'a>) {
        let mut vars = Vec::new();
        let value = like.map(&mut |leaf| {
            let var = self.p.var(Type::Scalar(self.p.leaf(leaf)));
            self.p.name_var(var, name);
            vars.push(var);
            self.p.add(Node::Variable(var))
        });
        (vars, value)
    }

    /// A known operator on each leaf.
    pub(super) fn leafwise(&mut self, ops: &[(Binary, Leaf)]) -> Operator {
        let mut operator = Operator {
            left: Vec::new(),
            right: Vec::new(),
            combined: Vec::new(),
            commutes: true,
            terms: None,
        };
        for &(op, leaf) in ops {
            let (left, right) = (
                self.p.var(Type::Scalar(leaf)),
                self.p.var(Type::Scalar(leaf)),
            );
            let (a, b) = (
                self.p.add(Node::Variable(left)),
                self.p.add(Node::Variable(right)),
            );
            operator.left.push(left);
            operator.right.push(right);
            operator.combined.push(self.p.binary(op, a, b));
        }
        operator
    }

    /// The operator that a closure of an accumulator and an element is.
    pub(super) fn operator(
        &mut self,
        closure: &ClosureValue<'a>,
        accumulator: &Value<'a>,
        element: &Value<'a>,
        first: bool,
    ) -> Lowered<Operator> {
        self.operator_from(closure, accumulator, element, first, false)
    }

    /// The same; if `reversed`, the element is the closure's first argument, since it stands before what has been
    /// accumulated from the right.
    pub(super) fn operator_from(
        &mut self,
        closure: &ClosureValue<'a>,
        accumulator: &Value<'a>,
        element: &Value<'a>,
        first: bool,
        reversed: bool,
    ) -> Lowered<Operator> {
        let span = closure.closure.span;
        let (left, a) = self.operand(accumulator, "acc");
        let (right, x) = self.operand(element, "x");
        let outer = std::mem::take(&mut self.effects);
        let arguments = match reversed {
            false => vec![a.clone(), x.clone()],
            true => vec![x.clone(), a.clone()],
        };
        let value = self.in_scope(Scope::Unknown, |lower| lower.apply(closure, arguments))?;
        let effects = self.end_operator(outer, &value.leaves());
        let combined: Vec<Id> = value
            .leaves()
            .into_iter()
            .map(|leaf| self.under_all(&effects, leaf))
            .collect();

        let reads = a.leaves();
        let mut parts = Vec::new();
        for (&whole, &read) in combined.iter().zip(&reads) {
            parts.extend(self.split(whole, read, &left));
        }
        if parts.len() == combined.len() {
            let plain = parts.iter().map(|&(_, term)| term).eq(x.leaves());
            let ops: Vec<(Binary, Leaf)> = parts
                .iter()
                .map(|&(op, term)| (op, self.p.leaf(term)))
                .collect();
            if plain {
                return Ok(self.leafwise(&ops));
            }
            if !first {
                let mut operator = self.leafwise(&ops);
                operator.terms = Some((right, parts.into_iter().map(|(_, term)| term).collect()));
                return Ok(operator);
            }
        }

        let leaves = |lower: &Self, value: &Value<'a>| -> Vec<Leaf> {
            value
                .leaves()
                .into_iter()
                .map(|id| lower.p.leaf(id))
                .collect()
        };
        if leaves(self, &a) != leaves(self, &x) {
            return Err(Box::new(
                Diagnostic::new(
                    span,
                    "the accumulator and the element have different types, and the operator is not of the form \
                     `acc + f(x)`",
                )
                .help(
                    "map the elements to the accumulator's type first, and combine two accumulators by an \
                     associative operator; what must go in order is a loop: `for x in xs { .. }`",
                ),
            ));
        }
        let operator = Operator {
            left,
            right,
            combined,
            commutes: false,
            terms: None,
        };
        if !self.frame.associative {
            self.test_associative(&operator, &a, span)?;
        }
        Ok(operator)
    }

    /// `whole` as `read ⊕ term`, where the term does not mention the accumulator.
    fn split(&mut self, whole: Id, read: Id, accumulator: &[Var]) -> Option<(Binary, Id)> {
        let mentions =
            |lower: &Self, id: Id| lower.p.free(id).iter().any(|var| accumulator.contains(var));
        match *self.p.node(whole) {
            Node::Binary(op, a, b) if known(op) => {
                let (inner, other) = match (mentions(self, a), mentions(self, b)) {
                    (true, false) => (a, b),
                    (false, true) => (b, a),
                    _ => return None,
                };
                if inner == read {
                    return Some((op, other));
                }
                let (same, term) = self.split(inner, read, accumulator)?;
                if same != op {
                    return None;
                }
                let term = if inner == a {
                    self.p.binary(op, term, other)
                } else {
                    self.p.binary(op, other, term)
                };
                Some((op, term))
            }
            Node::Binary(Binary::Sub, a, b) if a == read && !mentions(self, b) => {
                Some((Binary::Add, self.p.unary(Unary::Neg, b)))
            }
            // `acc && f(x)` and `acc || f(x)` where f is not evaluated always.
            Node::Project(bundle, 0) => {
                let Node::If {
                    condition,
                    then,
                    otherwise,
                } = self.p.node(bundle).clone()
                else {
                    return None;
                };
                let ([then], [otherwise]) = (&then[..], &otherwise[..]) else {
                    return None;
                };
                match (condition == read, self.known(*then), self.known(*otherwise)) {
                    (true, _, Some(false)) if !mentions(self, *then) => Some((Binary::And, *then)),
                    (true, Some(true), _) if !mentions(self, *otherwise) => {
                        Some((Binary::Or, *otherwise))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// The operators that every back end knows to associate and commute.
fn known(op: Binary) -> bool {
    matches!(
        op,
        Binary::Add
            | Binary::Mul
            | Binary::Min
            | Binary::Max
            | Binary::And
            | Binary::Or
            | Binary::Xor
    )
}
