//! Which `U64` values may be computed in 32 bits when a launch is small.
//!
//! The narrow variant of a kernel is launched only if every buffer's length, every domain's size and the scalars in
//! [`Narrow::small`] are below 2^31. Then
//! - a value that is proved to be below 2^32 is *exact* in 32 bits, and may be used for anything;
//! - another value may be *congruent* modulo 2^32, if all its uses are sums, differences, products and finally an
//!   index in bounds (whose true value is its low 32 bits).
//!
//! Values of either kind have the C type `Index`, which is `u32` in narrow variants and `u64` in wide ones.

use super::walk::{Definition, Facts, Use, is_modular};
use crate::plan::{Kernel, Op, Value};
use crate::scalar::{Binary, Leaf};

/// The largest value that the launch's conditions allow.
const SMALL: u128 = (1 << 31) - 1;

/// The result of the analysis.
pub(super) struct Narrow {
    /// By value: has the type `Index`.
    index: Vec<bool>,
    /// By value: the same in 32 bits.
    exact: Vec<bool>,
    /// By value, if no sum or product that gives it wraps in 64 bits: no more than this.
    tops: Vec<Option<u128>>,
    /// Positions of the scalars that must be below 2^31 in narrow launches.
    pub(super) small: Vec<usize>,
}

impl Narrow {
    pub(super) fn of(kernel: &Kernel, facts: &Facts) -> Narrow {
        let is_u64 = |value: Value| kernel.types[value.0 as usize] == Leaf::U64;
        // A scalar that is only handed on says nothing about sizes.
        let small: Vec<usize> = (0..kernel.scalars.len())
            .filter(|position| {
                let scalar = kernel.scalars[*position];
                let indexes = |(by, _): &(Use, u32)| match by {
                    Use::Index | Use::Extent | Use::Flow(_) => true,
                    Use::Operand(result) => {
                        matches!(kernel.types[result.0 as usize], Leaf::U64 | Leaf::Bool)
                    }
                    Use::Term | Use::Exact => false,
                };
                is_u64(scalar) && facts.uses[scalar.0 as usize].iter().any(indexes)
            })
            .collect();
        let mut tops = Tops {
            kernel,
            facts,
            tops: vec![None; kernel.types.len()],
        };
        for position in &small {
            tops.tops[kernel.scalars[*position].0 as usize] = Some(SMALL);
        }
        for value in &facts.order {
            if is_u64(*value) && tops.tops[value.0 as usize].is_none() {
                tops.tops[value.0 as usize] = tops.of(*value);
            }
        }
        let exact: Vec<bool> = tops
            .tops
            .iter()
            .map(|top| top.is_some_and(|top| top < 1 << 32))
            .collect();
        let mut index: Vec<bool> = (0..kernel.types.len())
            .map(|value| {
                let value = Value(value as u32);
                // A variable runs up to its extent, and so has to hold it.
                let computed = !matches!(
                    facts.definition(value),
                    None | Some(
                        Definition::Scalar
                            | Definition::Fold(_)
                            | Definition::Var(_)
                            | Definition::Read(_)
                    )
                );
                is_u64(value) && (exact[value.0 as usize] || computed)
            })
            .collect();
        // The largest set in which congruent values have harmless uses only.
        loop {
            let mut changed = false;
            for value in 0..index.len() {
                let harmless = |(by, _): &(Use, u32)| match by {
                    Use::Index => true,
                    Use::Operand(result) => {
                        index[result.0 as usize]
                            && passes_low_bits(facts, *result, Value(value as u32))
                    }
                    Use::Flow(result) => index[result.0 as usize],
                    Use::Extent | Use::Term | Use::Exact => false,
                };
                if index[value] && !exact[value] && !facts.uses[value].iter().all(harmless) {
                    index[value] = false;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        Narrow {
            index,
            exact,
            tops: tops.tops,
            small,
        }
    }

    /// Whether a sum is right in 32 bits if it is but a number away from an index in bounds: no term is less than zero, nor is
    /// any sum more than 64 bits hold.
    pub(super) fn is_near_index(&self, terms: &[Value]) -> bool {
        let tops = terms.iter().map(|term| self.tops[term.0 as usize]);
        let sum = tops.sum::<Option<u128>>();
        !terms.is_empty() && sum.is_some_and(|sum| sum <= u128::from(u64::MAX))
    }

    /// Whether the value has the C type `Index`.
    pub(super) fn is_index(&self, value: Value) -> bool {
        self.index[value.0 as usize]
    }

    /// Whether a flat index of the domain may have the type `Index`: its size was looked at before the launch.
    pub(super) fn is_index_domain(&self, kernel: &Kernel, extents: &[Value]) -> bool {
        let small = |extent: &Value| {
            self.small
                .iter()
                .any(|position| kernel.scalars[*position] == *extent)
        };
        extents.iter().all(small) || (extents.len() == 1 && self.is_exact_index(extents[0]))
    }

    /// Whether 32 bits hold the value itself.
    pub(super) fn is_exact_index(&self, value: Value) -> bool {
        self.index[value.0 as usize] && self.exact[value.0 as usize]
    }
}

/// Whether the low bits of `operand` are all that the low bits of `result` depend on.
fn passes_low_bits(facts: &Facts, result: Value, operand: Value) -> bool {
    match facts.definition(result) {
        Some(Definition::Op(Op::Binary(op, ..))) => is_modular(*op),
        Some(Definition::Op(Op::Select(condition, ..))) => *condition != operand,
        _ => false,
    }
}

/// Upper bounds of `U64` values.
struct Tops<'a> {
    kernel: &'a Kernel,
    facts: &'a Facts,
    tops: Vec<Option<u128>>,
}

impl Tops<'_> {
    fn of(&self, value: Value) -> Option<u128> {
        let top = |value: Value| self.tops[value.0 as usize];
        let bound = match self.facts.definition(value)? {
            Definition::Scalar
            | Definition::Load(_)
            | Definition::Fold(_)
            | Definition::Read(_) => None,
            // Where the extent is zero the variable has no value.
            Definition::Var(extent) => top(*extent).map(|extent| extent.saturating_sub(1)),
            Definition::Join(a, b) => Some(top(*a)?.max(top(*b)?)),
            Definition::Carry(initial, next, condition) => {
                self.counter(value, *initial, *next, *condition)
            }
            Definition::Op(op) => match op {
                Op::Constant(constant) => Some(u128::from(constant.bits)),
                Op::Select(_, a, b) => Some(top(*a)?.max(top(*b)?)),
                Op::Cast(_, a) => match self.kernel.types[a.0 as usize] {
                    Leaf::Bool => Some(1),
                    Leaf::U8 => Some(u128::from(u8::MAX)),
                    Leaf::U16 => Some(u128::from(u16::MAX)),
                    Leaf::U32 => Some(u128::from(u32::MAX)),
                    _ => None,
                },
                Op::Binary(op, a, b) => match op {
                    Binary::Add => Some(top(*a)? + top(*b)?),
                    Binary::Mul => Some(top(*a)?.saturating_mul(top(*b)?)),
                    Binary::Div => top(*a),
                    Binary::Rem => match (top(*a), top(*b)) {
                        (Some(a), Some(b)) => Some(a.min(b.saturating_sub(1))),
                        (Some(top), None) => Some(top),
                        (None, b) => b.map(|b| b.saturating_sub(1)),
                    },
                    Binary::Min | Binary::And => match (top(*a), top(*b)) {
                        (Some(a), Some(b)) => Some(a.min(b)),
                        (a, b) => a.or(b),
                    },
                    Binary::Max => Some(top(*a)?.max(top(*b)?)),
                    Binary::Shr => top(*a),
                    _ => None,
                },
                Op::Unary(..) | Op::Bitcast(..) | Op::Math(..) | Op::Foreign(..) => None,
            },
        };
        bound.filter(|top| *top <= u128::from(u64::MAX))
    }

    /// `while state < end { state = state + 1 }`.
    fn counter(&self, state: Value, initial: Value, next: Value, condition: Value) -> Option<u128> {
        let op = |value: Value| match self.facts.definitions[value.0 as usize].as_ref() {
            Some(Definition::Op(op)) => Some(op),
            _ => None,
        };
        let Some(Op::Binary(Binary::Lt, counted, end)) = op(condition) else {
            return None;
        };
        let Some(Op::Binary(Binary::Add, a, b)) = op(next) else {
            return None;
        };
        let is_one = |value: &Value| matches!(op(*value), Some(Op::Constant(one)) if one.bits == 1);
        let steps = (*a == state && is_one(b)) || (*b == state && is_one(a));
        let top = |value: Value| self.tops[value.0 as usize];
        if *counted == state && steps {
            Some(top(initial)?.max(top(*end)?))
        } else {
            None
        }
    }
}
