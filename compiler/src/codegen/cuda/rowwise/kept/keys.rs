//! Values of different phases that are the same: by what they are computed from.

use super::strided::Strided;
use crate::codegen::cuda::body::Code;
use crate::codegen::cuda::walk::called;
use crate::ir::QuickMap;
use crate::plan::affine::Polynomial;
use crate::plan::{Op, Statement, Value};

/// What a value of a point is, the same in every phase.
#[derive(PartialEq)]
enum Key {
    /// Known before the domain.
    Outer(Value),
    /// A coordinate of the point.
    Var(usize),
    /// Of keys in place of values.
    Op(Op),
    /// Of a buffer at an index, which is made of the first values of their keys.
    Load(usize, Polynomial),
    /// Nothing like it.
    Other(Value),
}

/// The keys of the values in a group of phases.
#[derive(Default)]
pub(super) struct Keys {
    keys: Vec<Key>,
    /// The value that had the key first, and the phase of it.
    pub(super) firsts: Vec<(Value, usize)>,
    /// Whether it takes a load or more than a few instructions to have it.
    pub(super) costly: Vec<bool>,
}

impl Keys {
    fn add(&mut self, key: Key, first: (Value, usize), costly: bool) -> usize {
        let there = self.keys.iter().position(|other| *other == key);
        there.unwrap_or_else(|| {
            self.keys.push(key);
            self.firsts.push(first);
            self.costly.push(costly);
            self.keys.len() - 1
        })
    }

    /// Of all values that a phase's body defines.
    pub(super) fn of(&mut self, code: &Code<'_>, phase: &Strided<'_>) -> QuickMap<Value, usize> {
        let mut own = QuickMap::default();
        let at = phase.position;
        for (axis, var) in phase.vars.iter().enumerate() {
            own.insert(*var, self.add(Key::Var(axis), (*var, at), false));
        }
        for statement in phase.body {
            let (value, key, costly) = match statement {
                // What nobody uses is not written.
                Statement::Let { value, .. } | Statement::Load { value, .. }
                    if code.facts.unused(*value) =>
                {
                    continue;
                }
                Statement::Let { value, op } => {
                    let mut costly = match op {
                        Op::Math(f, _) => !f.is_relaxed(),
                        Op::Foreign(..) => true,
                        _ => false,
                    };
                    let op = called(op).map(|operand| {
                        let known = own.get(&operand).copied();
                        let outer = || self.add(Key::Outer(operand), (operand, at), false);
                        let key = known.unwrap_or_else(outer);
                        costly |= self.costly[key];
                        Value(key as u32)
                    });
                    (*value, Key::Op(op), costly)
                }
                Statement::Load {
                    value,
                    buffer,
                    index,
                    guard: None,
                } if !code.kernel.memories()[*buffer].writes => {
                    let index = Polynomial::of(code.facts, *index);
                    let values: Vec<Value> = index.values().collect();
                    let index = values.iter().fold(index, |index, value| {
                        let first = own.get(value).map_or(*value, |key| self.firsts[*key].0);
                        index.replaced(*value, &Polynomial::atom(first))
                    });
                    (*value, Key::Load(*buffer, index), true)
                }
                Statement::Load { value, .. } => (*value, Key::Other(*value), true),
                _ => continue,
            };
            own.insert(value, self.add(key, (value, at), costly));
        }
        own
    }
}
