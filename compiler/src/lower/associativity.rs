//! The tests of an operator for associativity, and of one of a scatter for commutativity.
//!
//! It is evaluated on a fixed sequence of triples of ordinary and edge values. Floats count as equal when close, NaN and
//! infinity are left out: rounding is no counterexample. Values that the operator captures are drawn like its operands.

use super::operators::Operator;
use super::{Lower, Lowered};
use crate::diag::Diagnostic;
use crate::ir::{Id, Node, Var};
use crate::scalar::{self, Binary, Leaf, Scalar};
use proc_macro2::Span;
use std::collections::HashMap;

/// How many triples or pairs are tried.
const TRIALS: usize = 2000;

/// The operator on two values, if it can be evaluated at compile time.
type Apply<'a> = dyn Fn(&[Scalar], &[Scalar]) -> Option<Vec<Scalar>> + 'a;

impl Lower<'_> {
    /// Looks for a counterexample to `(a ⊕ b) ⊕ c = a ⊕ (b ⊕ c)`.
    pub(super) fn test_associative(&mut self, operator: &Operator, span: Span) -> Lowered<()> {
        let found = self.counterexample(operator, |[a, b, c], apply| {
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
    pub(super) fn test_commutative(&mut self, operator: &Operator, span: Span) -> Lowered<()> {
        let found = self.counterexample(operator, |[a, b], apply| apply(a, b).zip(apply(b, a)));
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
        law: impl Fn([&[Scalar]; N], &Apply<'_>) -> Option<(Vec<Scalar>, Vec<Scalar>)>,
    ) -> Option<([String; N], String, String)> {
        let leaves = operator.combined.iter().map(|&id| self.p.leaf(id));
        let leaves: Vec<Leaf> = leaves.collect();
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        for _ in 0..TRIALS {
            let operands: [Vec<Scalar>; N] =
                std::array::from_fn(|_| leaves.iter().map(|&leaf| random.value(leaf)).collect());
            let operands = operands.each_ref().map(Vec::as_slice);
            let seed = random.next();
            let apply =
                |left: &[Scalar], right: &[Scalar]| self.evaluate(operator, left, right, seed);
            if let Some((one, other)) = law(operands, &apply)
                && one.iter().zip(&other).any(|(&x, &y)| !close(x, y))
            {
                return Some((operands.map(shown), shown(&one), shown(&other)));
            }
        }
        None
    }

    fn evaluate(
        &self,
        operator: &Operator,
        left: &[Scalar],
        right: &[Scalar],
        seed: u64,
    ) -> Option<Vec<Scalar>> {
        let mut values: HashMap<Var, Scalar> = HashMap::new();
        values.extend(operator.left.iter().copied().zip(left.iter().copied()));
        values.extend(operator.right.iter().copied().zip(right.iter().copied()));
        let mut done = HashMap::new();
        operator
            .combined
            .iter()
            .map(|&id| self.value_at(id, &values, seed, &mut done))
            .collect()
    }

    /// The value of a scalar node; what is captured is drawn by its id. `None` where evaluation would fail or loop.
    fn value_at(
        &self,
        id: Id,
        values: &HashMap<Var, Scalar>,
        seed: u64,
        done: &mut HashMap<Id, Scalar>,
    ) -> Option<Scalar> {
        if let Some(&value) = done.get(&id) {
            return Some(value);
        }
        let mut at = |id: Id| self.value_at(id, values, seed, done);
        let bool = |scalar: Scalar| scalar.bits != 0;
        let value = match self.p.node(id) {
            Node::Constant(scalar) => *scalar,
            Node::Variable(var) if values.contains_key(var) => values[var],
            _ if !self.p.free(id).iter().any(|var| values.contains_key(var)) => {
                Random(seed ^ (u64::from(id.0) << 20 | 1)).value(self.p.leaf(id))
            }
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
            Node::Guard {
                condition, value, ..
            } => {
                if !bool(at(*condition)?) {
                    return None;
                }
                at(*value)?
            }
            Node::Demand { effect, value } => {
                at(*effect)?;
                at(*value)?
            }
            Node::Project(bundle, k) => match self.p.node(*bundle) {
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
        done.insert(id, value);
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
            Leaf::F32 => u64::from((float as f32).to_bits()),
            Leaf::F64 => f64::to_bits(float),
            _ => integers[pick as usize % integers.len()],
        };
        Scalar { leaf, bits }
    }
}

fn as_float(scalar: Scalar) -> Option<f64> {
    match scalar.leaf {
        Leaf::F32 => Some(f64::from(f32::from_bits(scalar.bits as u32))),
        Leaf::F64 => Some(f64::from_bits(scalar.bits)),
        _ => None,
    }
}

fn close(a: Scalar, b: Scalar) -> bool {
    match (as_float(a), as_float(b)) {
        (Some(x), Some(y)) if x.is_finite() && y.is_finite() => {
            (x - y).abs() <= 1e-3 * x.abs().max(y.abs()).max(1.0)
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
