//! Scalar code in structured SSA: what a kernel does per element, and what the host does between launches.
//!
//! Order is explicit: a statement uses only values defined before it in its own or an enclosing list. Values defined
//! inside a nested list (a branch, a loop, a fold) are not visible outside it; results leave through `Join`, `Carry`
//! and `Fold::results`.

use crate::ir::Site;
use crate::scalar::{Binary, Foreign, Leaf, Math, Scalar, Unary};
use std::sync::Arc;

/// An SSA value; its type stands in the kernel's (or the plan's) `types`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Value(pub u32);

/// One statement.
#[derive(Clone, Debug)]
pub enum Statement {
    /// `value = op`.
    Let { value: Value, op: Op },
    /// `value = buffer[index]`, with a flat row-major `index` (`U64`), in bounds wherever `guard` (a `bool`) holds or
    /// is absent; zero where it does not.
    Load {
        value: Value,
        buffer: usize,
        index: Value,
        guard: Option<Value>,
    },
    /// `buffer[index] = value`. No two points of a launch store to the same element.
    Store {
        buffer: usize,
        index: Value,
        value: Value,
    },
    /// Reports a failure where `condition` is false. The thread goes on, but leaves its scalar loops.
    Check {
        condition: Value,
        site: Site,
        values: Vec<Value>,
    },
    /// Runs one branch.
    If {
        condition: Value,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
        results: Vec<Join>,
    },
    /// `loop { test; if !condition { break } body; state = next }`, leaving also once a check of this thread failed.
    /// The state stays readable after the loop.
    Loop {
        state: Vec<Carry>,
        test: Vec<Statement>,
        condition: Value,
        body: Vec<Statement>,
    },
    /// A reduction by one thread, in order: nested loops of `vars` over `extents`.
    Fold {
        extents: Vec<Value>,
        vars: Vec<Value>,
        body: Vec<Statement>,
        folds: Vec<Fold>,
    },
}

/// `result` is `then` or `otherwise` after an `If`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "see the type")]
pub struct Join {
    pub result: Value,
    pub then: Value,
    pub otherwise: Value,
}

/// `state` starts as `initial` and becomes `next` each round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "see the type")]
pub struct Carry {
    pub state: Value,
    pub initial: Value,
    pub next: Value,
}

/// One reduction: `elements` (values of the body it belongs to) combined in row-major order.
#[derive(Clone, Debug)]
pub struct Fold {
    /// One per leaf of the state.
    pub elements: Vec<Value>,
    /// The operator's parameters: the earlier operands ...
    pub left: Vec<Value>,
    /// ... and the later ones.
    pub right: Vec<Value>,
    /// The operator's code (no loads or stores; it may check), giving `combined`.
    pub combine: Vec<Statement>,
    /// The operator's results.
    pub combined: Vec<Value>,
    /// Enters once, on the left. Without it the domain is not empty (or a check has failed; then any value).
    pub initial: Option<Vec<Value>>,
    /// Set if the operator is, leaf by leaf, a known one: `Add Mul Min Max And Or Xor`. It has an identity then.
    pub known: Option<Vec<Binary>>,
    /// Operands may change places.
    pub commutes: bool,
    /// Whether products feeding `+` contract to fused multiply-adds.
    pub contracts: bool,
    /// The values after the fold.
    pub results: Vec<Value>,
}

impl Statement {
    /// Replaces the values that it uses, but for those of lists inside it.
    pub(crate) fn map_operands(&mut self, of: &mut dyn FnMut(Value) -> Value) {
        let mut map = |value: &mut Value| *value = of(*value);
        match self {
            Statement::Let { op, .. } => *op = op.map(of),
            Statement::Load { index, guard, .. } => {
                map(index);
                guard.iter_mut().for_each(map);
            }
            Statement::Store { index, value, .. } => [index, value].into_iter().for_each(map),
            Statement::Check {
                condition, values, ..
            } => {
                map(condition);
                values.iter_mut().for_each(map);
            }
            Statement::If {
                condition, results, ..
            } => {
                map(condition);
                for join in results {
                    map(&mut join.then);
                    map(&mut join.otherwise);
                }
            }
            Statement::Loop {
                state, condition, ..
            } => {
                map(condition);
                for carry in state {
                    map(&mut carry.initial);
                    map(&mut carry.next);
                }
            }
            Statement::Fold { extents, folds, .. } => {
                extents.iter_mut().for_each(&mut map);
                for fold in folds {
                    let initial = fold.initial.iter_mut().flatten();
                    let values = fold.elements.iter_mut().chain(&mut fold.combined);
                    values.chain(initial).for_each(&mut map);
                }
            }
        }
    }
}

impl Fold {
    /// What leaf `k` of the elements is the product of, if it is a float and its sum may take the product as it is; `body`
    /// computes the elements.
    pub(crate) fn factors(
        &self,
        k: usize,
        is_float: bool,
        body: &[Statement],
    ) -> Option<(Value, Value)> {
        let sums = self.contracts && is_float && self.known.as_ref()?[k] == Binary::Add;
        body.iter().find_map(|statement| match statement {
            Statement::Let {
                value,
                op: Op::Binary(Binary::Mul, a, b),
            } if sums && *value == self.elements[k] => Some((*a, *b)),
            _ => None,
        })
    }

    /// The operator's code where the elements of a domain with the variables `vars` come one after another: an element
    /// that is its own index is more than those before it.
    pub(crate) fn combine_in_order(&self, vars: &[Value]) -> Vec<Statement> {
        let [var] = vars else {
            return self.combine.clone();
        };
        let is_index = |(left, right): (Value, Value)| {
            let mut leaves = self.left.iter().zip(&self.right).zip(&self.elements);
            let of_index = leaves.find(|(_, element)| *element == var);
            self.initial.is_none()
                && self.known.is_none()
                && of_index.is_some_and(|(sides, _)| sides == (&left, &right))
        };
        let holds = |op: &Op| match *op {
            Op::Binary(Binary::Lt | Binary::Le, a, b) if is_index((a, b)) => Some(true),
            Op::Binary(Binary::Lt | Binary::Le, a, b) if is_index((b, a)) => Some(false),
            _ => None,
        };
        let known = |statement: &Statement| match statement {
            Statement::Let { value, op } => Statement::Let {
                value: *value,
                op: holds(op).map_or_else(|| op.clone(), |holds| Op::Constant(Scalar::bool(holds))),
            },
            other => other.clone(),
        };
        self.combine.iter().map(known).collect()
    }

    /// The identity of a known operator.
    pub(crate) fn identity(op: Binary, leaf: Leaf) -> Scalar {
        match Scalar::identity(op, leaf) {
            Some(identity) => identity,
            None => panic!("{op:?} is not an operator of folds"),
        }
    }
}

/// An operation on values. Types and meaning as of the `ir` nodes of the same names.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "see `ir::Node`")]
pub enum Op {
    Constant(Scalar),
    Unary(Unary, Value),
    Binary(Binary, Value, Value),
    Select(Value, Value, Value),
    Cast(Leaf, Value),
    Bitcast(Leaf, Value),
    Math(Math, Vec<Value>),
    Foreign(Arc<Foreign>, Vec<Value>),
}

impl Op {
    /// The values it uses, in order.
    pub fn operands(&self) -> Vec<Value> {
        match self {
            Op::Constant(_) => Vec::new(),
            Op::Unary(_, a) | Op::Cast(_, a) | Op::Bitcast(_, a) => vec![*a],
            Op::Binary(_, a, b) => vec![*a, *b],
            Op::Select(a, b, c) => vec![*a, *b, *c],
            Op::Math(_, arguments) | Op::Foreign(_, arguments) => arguments.clone(),
        }
    }

    /// The same of other values.
    pub(crate) fn map(&self, mut of: impl FnMut(Value) -> Value) -> Op {
        match self {
            Op::Constant(constant) => Op::Constant(*constant),
            Op::Unary(op, a) => Op::Unary(*op, of(*a)),
            Op::Binary(op, a, b) => Op::Binary(*op, of(*a), of(*b)),
            Op::Select(a, b, c) => Op::Select(of(*a), of(*b), of(*c)),
            Op::Cast(to, a) => Op::Cast(*to, of(*a)),
            Op::Bitcast(to, a) => Op::Bitcast(*to, of(*a)),
            Op::Math(math, values) => Op::Math(*math, values.iter().map(|&a| of(a)).collect()),
            Op::Foreign(f, values) => {
                Op::Foreign(Arc::clone(f), values.iter().map(|&a| of(a)).collect())
            }
        }
    }
}
