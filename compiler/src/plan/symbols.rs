//! Host values in costs: as polynomials in what users know by name, extents and scalars of the parameters first.

use super::body::{Op, Value};
use super::{Plan, Polynomial};
use crate::ir::{Parameter, QuickMap};
use crate::scalar::Binary;
use crate::sorted::SortedSet;

/// Longer texts are left to a name.
const LONGEST: usize = 48;

/// Host values as polynomials.
pub(super) struct Symbols<'a> {
    pub(super) plan: &'a Plan,
    pub(super) known: QuickMap<Value, Polynomial>,
    /// Those that are one of two values and have no name: what is there as often is bounded by its buffer only.
    pub(super) either: SortedSet<Value>,
}

impl<'a> Symbols<'a> {
    /// With the parameters.
    pub(super) fn new(plan: &'a Plan) -> Symbols<'a> {
        let mut symbols = Symbols {
            plan,
            known: QuickMap::default(),
            either: SortedSet::new(),
        };
        symbols.parameters();
        symbols
    }

    fn parameters(&mut self) {
        let (mut scalars, mut extents) = (self.plan.scalars.iter(), self.plan.extents.iter());
        for parameter in &self.plan.parameters {
            match parameter {
                Parameter::Scalars { name, leaves } => {
                    for (leaf, _) in leaves {
                        let name = match leaf.as_str() {
                            "" => name.clone(),
                            leaf => format!("{name}.{leaf}"),
                        };
                        if let Some(&value) = scalars.next() {
                            self.known.insert(value, Polynomial::symbol(name));
                        }
                    }
                }
                Parameter::Array { name, .. } => {
                    let values = extents.next().map_or(&[][..], |values| values);
                    for (axis, &value) in values.iter().enumerate() {
                        let symbol = Polynomial::symbol(extent(name, values.len(), axis));
                        self.known.insert(value, symbol);
                    }
                }
            }
        }
    }

    /// What a value is.
    pub(super) fn of(&self, value: Value) -> Polynomial {
        let known = self.known.get(&value).cloned();
        known.unwrap_or_else(|| Polynomial::symbol(self.name(value)))
    }

    /// Of a value that depends on the data: its own name, or that of an array which is as long.
    fn name(&self, value: Value) -> String {
        if let Some(name) = &self.plan.names[value.0 as usize] {
            return name.clone();
        }
        let array = self.plan.buffers.iter().find_map(|buffer| {
            let axis = buffer.extents.iter().position(|&extent| extent == value)?;
            Some(extent(&buffer.name, buffer.extents.len(), axis))
        });
        array.unwrap_or_else(|| format!("t{}", value.0))
    }

    /// Notes what a value is.
    pub(super) fn define(&mut self, value: Value, op: &Op) {
        let found = match op {
            Op::Constant(scalar) => Some(Polynomial::constant(scalar.as_i64())),
            Op::Binary(Binary::Add, a, b) => Some(self.of(*a).plus(&self.of(*b))),
            Op::Binary(Binary::Sub, a, b) => {
                let minus = Polynomial::constant(-1).times(&self.of(*b));
                Some(self.of(*a).plus(&minus))
            }
            Op::Binary(Binary::Mul, a, b) => Some(self.of(*a).times(&self.of(*b))),
            Op::Cast(_, a) => Some(self.of(*a)),
            Op::Binary(op, a, b) if self.plan.names[value.0 as usize].is_none() => {
                self.of(*a).combined(*op, &self.of(*b))
            }
            _ => None,
        };
        if let Some(found) = found {
            self.known.insert(value, found);
        }
    }
}

/// The name of an extent.
fn extent(array: &str, rank: usize, axis: usize) -> String {
    match rank {
        1 => format!("{array}.len()"),
        _ => format!("{array}.shape().{axis}"),
    }
}

impl Polynomial {
    /// What an operation gives of two, where it is no polynomial: the quotient if it is exact, else a symbol that reads as in Rust.
    /// `None` if that would be no help.
    fn combined(&self, op: Binary, other: &Polynomial) -> Option<Polynomial> {
        if let (Binary::Div, [(by, symbols)]) = (op, &other.terms[..])
            && symbols.is_empty()
            && *by > 0
            && self.terms.iter().all(|(factor, _)| factor % by == 0)
        {
            let terms = self.terms.iter();
            let terms = terms.map(|(factor, symbols)| (factor / by, symbols.clone()));
            return Some(Polynomial {
                terms: terms.collect(),
            });
        }
        let text = match op {
            Binary::Div => format!("({} / {})", self.operand(), other.operand()),
            Binary::Rem => format!("({} % {})", self.operand(), other.operand()),
            Binary::Shl => format!("({} << {})", self.operand(), other.operand()),
            Binary::Shr => format!("({} >> {})", self.operand(), other.operand()),
            Binary::Min => format!("{}.min({other})", self.operand()),
            Binary::Max => format!("{}.max({other})", self.operand()),
            _ => return None,
        };
        (text.len() <= LONGEST).then(|| Polynomial::symbol(text))
    }

    /// As an operand: in parentheses, if it has several parts.
    fn operand(&self) -> String {
        let whole = match &self.terms[..] {
            [] => true,
            [(factor, symbols)] => symbols.is_empty() || (*factor == 1 && symbols.len() == 1),
            _ => false,
        };
        match whole {
            true => self.to_string(),
            false => format!("({self})"),
        }
    }
}
