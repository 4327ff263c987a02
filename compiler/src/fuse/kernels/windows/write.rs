//! The statements of tiles.

use super::Inside;
use super::draft::{Draft, Shared};
use super::edges::Axis;
use super::interior::backward_slice;
use super::shifts::{Anchor, Kind, Shifts};
use crate::fuse::body::Body;
use crate::plan::affine::Polynomial;
use crate::plan::windows::{Given, Read, Source, Windows};
use crate::plan::{Op, Statement, Value};
use crate::scalar::{Binary, Leaf, Scalar};
use crate::sorted::SortedMap;

/// A draft in full.
pub(super) fn write(
    body: &mut Body,
    axes: &[Axis],
    inside: &Inside,
    shifts: &Shifts,
    draft: Draft,
) -> Windows {
    let mut margins: Vec<[u64; 2]> = axes.iter().map(|axis| axis.margins).collect();
    for source in &draft.sources {
        for (k, margin) in margins.iter_mut().enumerate() {
            // A place of the source is one that some point within the margins computes by itself: the one that sees it
            // where the statements that are copied see theirs.
            let [from_begin, from_end] = axes[k].margins.map(|margin| margin as i64);
            let ([before, after], seen) = (source.halo[k].map(i64::from), source.anchor[k]);
            let needed = [from_begin + before + seen, from_end + after - seen];
            for (side, least) in [before, after].into_iter().enumerate() {
                margin[side] = margin[side].max(needed[side].max(least) as u64);
            }
        }
    }
    let places: Vec<(Kind, Anchor)> = draft
        .sources
        .iter()
        .map(|source| (source.kind, source.origin.clone()))
        .collect();
    // An element of a kind, so far away.
    let read = |value: Value, kind: Kind, distance: Anchor| -> Option<Read> {
        let source = places.iter().position(|(other, _)| *other == kind)?;
        let offset = distance.iter().zip(&places[source].1);
        Some(Read {
            value,
            source,
            offset: offset.map(|(distance, origin)| distance - origin).collect(),
        })
    };
    let sources = (draft.sources.iter())
        .map(|source| {
            let copy = Copied {
                body,
                axes,
                shifts,
                source,
                renamed: SortedMap::new(),
                statements: Vec::new(),
            };
            copy.source(inside, &read)
        })
        .collect();
    let reads = draft.reads.into_iter();
    let reads = reads.filter_map(|(value, shift)| read(value, shift.kind, shift.anchor?));
    Windows {
        given: given(body, inside),
        reads: reads.collect(),
        tile: draft.tile,
        stream: draft.stream,
        threads: draft.threads,
        margins,
        sources,
        register_block: 1,
        body: draft.body,
        cost: draft.cost.map(|cost| cost.round() as u64),
    }
}

/// The conditions, computed apart from the body.
fn given(body: &mut Body, inside: &Inside) -> Given {
    let mut found = Vec::new();
    backward_slice(&inside.statements, &inside.given, |value, op| {
        found.push((value, op))
    });
    let mut renamed: SortedMap<Value, Value> = SortedMap::new();
    let of = |renamed: &SortedMap<Value, Value>, value: Value| {
        renamed.get(&value).copied().unwrap_or(value)
    };
    let mut statements = Vec::new();
    for (value, op) in found.into_iter().rev() {
        let op = op.map(|operand| of(&renamed, operand));
        let fresh = body.values.fresh_like(value);
        renamed.insert(value, fresh);
        statements.push(Statement::Let { value: fresh, op });
    }
    let conditions = inside.given.iter().map(|&value| of(&renamed, value));
    Given {
        conditions: conditions.collect(),
        statements,
    }
}

/// The statements of a source: those of one of its values, brought to the place at hand.
struct Copied<'a, 'b> {
    body: &'a mut Body<'b>,
    axes: &'a [Axis],
    shifts: &'a Shifts<'a>,
    source: &'a Shared,
    /// By the values that are copied.
    renamed: SortedMap<Value, Value>,
    statements: Vec<Statement>,
}

impl Copied<'_, '_> {
    fn source(
        mut self,
        inside: &Inside,
        read_of: &dyn Fn(Value, Kind, Anchor) -> Option<Read>,
    ) -> Source {
        let mut reads = Vec::new();
        for read in &self.source.reads {
            let shift = &self.shifts.of[read];
            let Some(anchor) = &shift.anchor else {
                continue;
            };
            let distances = anchor.iter().zip(&self.source.anchor);
            let distances = distances.map(|(own, root)| own - root).collect();
            let value = self.fresh(*read);
            self.renamed.insert(*read, value);
            reads.extend(read_of(value, shift.kind, distances));
        }
        for statement in &inside.statements {
            let (Statement::Let { value, .. } | Statement::Load { value, .. }) = statement else {
                continue;
            };
            if !self.source.parts.contains(value) {
                continue;
            }
            let copy = match statement {
                _ if self.shifts.indices.contains(value) => self.index(&inside.polynomials[value]),
                Statement::Load { buffer, index, .. } => {
                    let (buffer, index) = (*buffer, self.of(*index));
                    let copy = self.fresh(*value);
                    self.statements.push(Statement::Load {
                        value: copy,
                        buffer,
                        index,
                        guard: None,
                    });
                    copy
                }
                Statement::Let { op, .. } => {
                    let op = op.map(|value| self.of(value));
                    let copy = self.fresh(*value);
                    self.statements.push(Statement::Let { value: copy, op });
                    copy
                }
                _ => continue,
            };
            self.renamed.insert(*value, copy);
        }
        let root = self.source.value;
        let loaded = self
            .statements
            .iter()
            .find_map(|statement| match statement {
                Statement::Load { value, buffer, .. } if *value == self.renamed[&root] => {
                    Some(self.body.buffers[*buffer].name.clone())
                }
                _ => None,
            });
        let own = self.body.values.name(root).cloned();
        Source {
            name: loaded.or(own).unwrap_or_else(|| "shared".to_owned()),
            halo: self.source.halo.clone(),
            reads,
            statements: self.statements,
            value: self.renamed[&root],
        }
    }

    fn fresh(&mut self, like: Value) -> Value {
        self.body.values.fresh_like(like)
    }

    /// An operand.
    fn of(&mut self, value: Value) -> Value {
        match self.renamed.get(&value) {
            Some(renamed) => *renamed,
            None if self.axes.iter().any(|axis| axis.var == value) => {
                let moved = self.index(&Polynomial::atom(value));
                self.renamed.insert(value, moved);
                moved
            }
            None => value,
        }
    }

    fn operation(&mut self, op: Op) -> Value {
        let value = self.body.fresh(Leaf::U64);
        self.statements.push(Statement::Let { value, op });
        value
    }

    fn number(&mut self, bits: u64) -> Value {
        self.operation(Op::Constant(Scalar::wrapped(Leaf::U64, bits)))
    }

    /// An index, brought to the place at hand and written down: what is added first.
    fn index(&mut self, polynomial: &Polynomial) -> Value {
        let mut moved = polynomial.clone();
        for (axis, distance) in self.axes.iter().zip(&self.source.anchor) {
            let place = Polynomial::atom(axis.var).minus(&Polynomial::constant(*distance as u64));
            moved = moved.replaced(axis.var, &place);
        }
        let mut terms: Vec<(&[Value], u64)> = moved.terms().collect();
        terms.sort_by_key(|(product, factor)| ((*factor as i64) < 0, product.is_empty()));
        let mut sum: Option<Value> = None;
        for (product, factor) in terms {
            let negative = (factor as i64) < 0;
            let size = (factor as i64).unsigned_abs();
            let mut term = match (size, product.is_empty()) {
                (1, false) => None,
                _ => Some(self.number(size)),
            };
            for &value in product {
                term = Some(match term {
                    None => value,
                    Some(term) => self.operation(Op::Binary(Binary::Mul, term, value)),
                });
            }
            let Some(term) = term else {
                continue;
            };
            sum = Some(match (sum, negative) {
                (None, false) => term,
                (None, true) => {
                    let zero = self.number(0);
                    self.operation(Op::Binary(Binary::Sub, zero, term))
                }
                (Some(sum), false) => self.operation(Op::Binary(Binary::Add, sum, term)),
                (Some(sum), true) => self.operation(Op::Binary(Binary::Sub, sum, term)),
            });
        }
        match sum {
            Some(sum) => sum,
            None => self.number(0),
        }
    }
}
