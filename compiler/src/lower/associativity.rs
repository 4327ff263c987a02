//! The tests of an operator for associativity, and of one of a scatter for commutativity.
//!
//! It is evaluated on a fixed sequence of triples of ordinary and edge values. Floats count as equal when close, NaN and
//! infinity are left out: rounding is no counterexample. Values that the operator captures are drawn like its operands.

use super::operators::Operator;
use super::value::Value;
use super::{Lower, Lowered};
use crate::diag::Diagnostic;
use crate::ir::{Id, Node, Program, Var};
use crate::scalar::{self, Binary, Leaf, Scalar};
use crate::sorted::SortedSet;
use proc_macro2::Span;

/// How many triples or pairs are tried.
const TRIALS: usize = 2000;

/// The operator on two values, if it can be evaluated at compile time.
type Apply<'a> = dyn FnMut(&[Scalar], &[Scalar]) -> Option<Vec<Scalar>> + 'a;

impl Lower<'_> {
    /// Looks for a counterexample to `(a ⊕ b) ⊕ c = a ⊕ (b ⊕ c)`.
    pub(super) fn test_associative(
        &mut self,
        operator: &Operator,
        operand: &Value<'_>,
        span: Span,
    ) -> Lowered<()> {
        let found = self.counterexample(operator, operand, |[a, b, c], apply| {
            apply(a, b)
                .and_then(|ab| apply(&ab, c))
                .zip(apply(b, c).and_then(|bc| apply(a, &bc)))
        });
        let Some(([a, b, c], one, other)) = found else {
            return Ok(());
        };
        let message = format!(
            "this operator is not associative: with a = {a}, b = {b}, c = {c}, (a ⊕ b) ⊕ c is {one} but \
             a ⊕ (b ⊕ c) is {other}"
        );
        Err(Box::new(Diagnostic::new(span, message).help(
            "use an associative operator, write a loop, or, if it is associative on all values that \
             occur, put `#[associative]` on the function",
        )))
    }

    /// Looks for a counterexample to `a ⊕ b = b ⊕ a`.
    pub(super) fn test_commutative(
        &mut self,
        operator: &Operator,
        operand: &Value<'_>,
        span: Span,
    ) -> Lowered<()> {
        let found = self.counterexample(operator, operand, |[a, b], apply| {
            apply(a, b).zip(apply(b, a))
        });
        let Some(([a, b], one, other)) = found else {
            return Ok(());
        };
        let message = format!(
            "this operator is not commutative: with a = {a}, b = {b}, a ⊕ b is {one} but b ⊕ a is {other}"
        );
        Err(Box::new(Diagnostic::new(span, message).help(
            "what meets at an index is combined in any order: use a commutative operator, `scatter_unique` if \
             nothing meets, or put `#[deterministic]` on the function, so that it is combined in order",
        )))
    }

    /// Operands for which the two sides of a law differ, and the sides, as texts. What cannot be evaluated is believed.
    fn counterexample<const N: usize>(
        &self,
        operator: &Operator,
        operand: &Value<'_>,
        law: impl Fn([&[Scalar]; N], &mut Apply<'_>) -> Option<(Vec<Scalar>, Vec<Scalar>)>,
    ) -> Option<([String; N], String, String)> {
        if self.is_lawful(operator) {
            return None;
        }
        let leaves = operator.combined.iter().map(|&id| self.p.leaf(id));
        let leaves: Vec<Leaf> = leaves.collect();
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let mut trial = Trial::new(&self.p, operator);
        for _ in 0..TRIALS {
            let operands: [Vec<Scalar>; N] = std::array::from_fn(|_| {
                let mut values: Vec<Scalar> =
                    leaves.iter().map(|&leaf| random.value(leaf)).collect();
                clear_absent(operand, &mut values);
                values
            });
            let operands = operands.each_ref().map(Vec::as_slice);
            let seed = random.next();
            let mut apply =
                |left: &[Scalar], right: &[Scalar]| trial.evaluate(operator, left, right, seed);
            if let Some((one, other)) = law(operands, &mut apply)
                && one.iter().zip(&other).any(|(&x, &y)| !close(x, y))
            {
                return Some((operands.map(shown), shown(&one), shown(&other)));
            }
        }
        None
    }

    /// Whether the operator is one of numbers that is known to associate and to commute, component by component.
    fn is_lawful(&self, operator: &Operator) -> bool {
        let sides = operator.left.iter().zip(&operator.right);
        (operator.combined.iter().zip(sides)).all(|(&id, (&left, &right))| match *self.p.node(id) {
            Node::Binary(
                Binary::Add
                | Binary::Mul
                | Binary::Min
                | Binary::Max
                | Binary::And
                | Binary::Or
                | Binary::Xor,
                a,
                b,
            ) => {
                *self.p.node(a) == Node::Variable(left) && *self.p.node(b) == Node::Variable(right)
            }
            _ => false,
        })
    }
}

/// Evaluates an operator again and again.
struct Trial<'p> {
    program: &'p Program,
    /// Of each node, whether it depends on an operand.
    depends: Vec<bool>,
    /// Of each node, its value and the evaluation that it is of.
    values: Vec<(u32, Scalar)>,
    operands: Vec<Id>,
    evaluation: u32,
}

impl<'p> Trial<'p> {
    fn new(program: &'p Program, operator: &Operator) -> Trial<'p> {
        let vars: SortedSet<Var> = operator
            .left
            .iter()
            .chain(&operator.right)
            .copied()
            .collect();
        let depends = |id: Id| !program.free(id).is_disjoint(&vars);
        let operand = |&var: &Var| program.find(&Node::Variable(var)).unwrap_or(Id(u32::MAX));
        let zero = Scalar::bool(false);
        Trial {
            program,
            depends: program.ids().map(depends).collect(),
            values: vec![(0, zero); program.ids().len()],
            operands: operator
                .left
                .iter()
                .chain(&operator.right)
                .map(operand)
                .collect(),
            evaluation: 0,
        }
    }

    fn evaluate(
        &mut self,
        operator: &Operator,
        left: &[Scalar],
        right: &[Scalar],
        seed: u64,
    ) -> Option<Vec<Scalar>> {
        self.evaluation += 1;
        for (&operand, &value) in self.operands.iter().zip(left.iter().chain(right)) {
            if let Some(slot) = self.values.get_mut(operand.0 as usize) {
                *slot = (self.evaluation, value);
            }
        }
        let combined = operator.combined.iter();
        combined.map(|&id| self.value_at(id, seed)).collect()
    }

    /// The value of a scalar node; what is captured is drawn by its id. `None` where evaluation would fail or loop.
    fn value_at(&mut self, id: Id, seed: u64) -> Option<Scalar> {
        let (evaluation, value) = self.values[id.0 as usize];
        if evaluation == self.evaluation {
            return Some(value);
        }
        let program = self.program;
        let depends = self.depends[id.0 as usize];
        let bool = |scalar: Scalar| scalar.bits != 0;
        let mut at = |id: Id| self.value_at(id, seed);
        let value = match program.node(id) {
            Node::Constant(scalar) => *scalar,
            _ if !depends => Random(seed ^ (u64::from(id.0) << 20 | 1)).value(program.leaf(id)),
            Node::Unary(op, a) => scalar::unary(*op, at(*a)?),
            Node::Binary(op, a, b) => {
                let (a, b) = (at(*a)?, at(*b)?);
                if matches!(op, Binary::Div | Binary::Rem) && a.leaf.is_integer() && b.bits == 0 {
                    return None;
                }
                scalar::binary(*op, a, b)
            }
            Node::Select(condition, a, b) => {
                if bool(at(*condition)?) {
                    at(*a)?
                } else {
                    at(*b)?
                }
            }
            Node::Cast(leaf, a) => scalar::cast(*leaf, at(*a)?),
            Node::Bitcast(leaf, a) => Scalar {
                leaf: *leaf,
                bits: at(*a)?.bits,
            },
            Node::Math(function, arguments) => {
                let arguments: Option<Vec<Scalar>> =
                    arguments.iter().map(|&argument| at(argument)).collect();
                scalar::math(*function, &arguments?)
            }
            Node::Foreign(_, values) => at(*values.last()?)?,
            Node::Guard {
                condition, value, ..
            } => {
                if !bool(at(*condition)?) {
                    return None;
                }
                at(*value)?
            }
            Node::Demand { effect, value, .. } => {
                at(*effect)?;
                at(*value)?
            }
            Node::Project(bundle, k) => match program.node(*bundle) {
                Node::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    let side = if bool(at(*condition)?) {
                        then
                    } else {
                        otherwise
                    };
                    at(side[*k as usize])?
                }
                _ => return None,
            },
            _ => return None,
        };
        self.values[id.0 as usize] = (self.evaluation, value);
        Some(value)
    }
}

/// A fixed sequence, so that every compilation tests the same triples.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        // xorshift64*
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// An ordinary or an edge value of a type.
    fn value(&mut self, leaf: Leaf) -> Scalar {
        let pick = self.next() >> 32;
        let floats = [0.0, 1.0, -1.0, 2.0, 0.5, 3.0, -2.5, 10.0, -7.0, 0.125];
        let float = floats[pick as usize % floats.len()];
        let mask = if leaf.bits() == 64 {
            u64::MAX
        } else {
            (1 << leaf.bits()) - 1
        };
        let top = 1 << (leaf.bits() - 1);
        let integers = [
            0,
            1,
            2,
            3,
            7,
            10,
            mask,
            mask - 1,
            top & mask,
            (top - 1) & mask,
        ];
        let bits = match leaf {
            Leaf::Bool => pick & 1,
            leaf if leaf.is_float() => return Scalar::float(leaf, float),
            _ => integers[pick as usize % integers.len()],
        };
        Scalar { leaf, bits }
    }
}

/// Makes the leaves of what an option does not hold zeros, as they are in every value; gives the leaves that follow.
fn clear_absent<'v>(value: &Value<'_>, leaves: &'v mut [Scalar]) -> &'v mut [Scalar] {
    match value {
        Value::Tuple(fields) => {
            (fields.iter()).fold(leaves, |rest, field| clear_absent(field, rest))
        }
        Value::Option { payload, .. } => {
            let Some((some, held)) = leaves.split_first_mut() else {
                return &mut [];
            };
            if some.bits == 0 {
                let count = payload.leaves().len().min(held.len());
                held[..count].iter_mut().for_each(|leaf| leaf.bits = 0);
            }
            clear_absent(payload, held)
        }
        _ => leaves.split_first_mut().map_or(&mut [], |(_, rest)| rest),
    }
}

fn as_float(scalar: Scalar) -> Option<f64> {
    (scalar.leaf.is_float()).then(|| scalar.as_f64())
}

fn close(a: Scalar, b: Scalar) -> bool {
    match (as_float(a), as_float(b)) {
        (Some(x), Some(y)) if x.is_finite() && y.is_finite() => {
            // Each side has been rounded twice.
            let share = match a.leaf {
                Leaf::Bf16 => 2e-2,
                Leaf::F16 => 4e-3,
                _ => 1e-3,
            };
            (x - y).abs() <= share * x.abs().max(y.abs()).max(1.0)
        }
        (Some(_), Some(_)) => true,
        _ => a.bits == b.bits,
    }
}

fn shown(values: &[Scalar]) -> String {
    let one = |scalar: Scalar| match scalar.leaf {
        Leaf::Bool => (scalar.bits != 0).to_string(),
        leaf if leaf.is_signed() => {
            let shift = 64 - leaf.bits();
            (((scalar.bits << shift) as i64) >> shift).to_string()
        }
        _ => as_float(scalar).map_or_else(|| scalar.bits.to_string(), |float| format!("{float:?}")),
    };
    match values {
        [value] => one(*value),
        _ => {
            let parts: Vec<String> = values.iter().map(|&value| one(value)).collect();
            format!("({})", parts.join(", "))
        }
    }
}
