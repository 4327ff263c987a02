//! `Segmented<T>`: a pair of the values and where their segments begin and end; and closures over segments, or over rows as
//! segments of one length.
//!
//! A segment is an array whose extent depends on the closure's segment. Elementwise operations, views and reductions need
//! no more: they read their elements where they are asked for. What has to see a segment as a whole (a scan, a sort, a
//! compaction, `materialize()`) and the arrays that the closure gives are flattened (`flat.rs`): the arrays of all segments
//! become one, the operation is done within its segments, and the closure goes on with a view of its own segment.

use super::comparisons::Order;
use super::flat::Flat;
use super::segments::{Around, Segments};
use crate::ir::{Failure, Id, Node, Site, Var};
use crate::lower::guards::{Effect, Requirement};
use crate::lower::value::{Array, Nested, Value};
use crate::lower::{Lower, Lowered, not_yet};
use crate::scalar::{Binary, Leaf};
use crate::typed::{ArrayOp, Expr, Reduction, Type};
use proc_macro2::Span;
use std::rc::Rc;

impl<'a> Lower<'a> {
    pub(super) fn segmented(
        &mut self,
        op: ArrayOp,
        arguments: &'a [Expr],
        span: Span,
    ) -> Lowered<Value<'a>> {
        if op == ArrayOp::Segmented {
            let values = self.array(&arguments[0])?;
            let axis = values.extents[0];
            let by_offsets = matches!(arguments[1].ty, Type::Offsets(_));
            let given = self.array(&arguments[1])?;
            let segments = self.segments_by(&given, by_offsets, axis, "Segmented::new", span);
            let offsets = self.offsets_array(&segments);
            return Ok(Value::Tuple(vec![Value::Array(values), offsets]));
        }
        let (values, segments) = match self.sequence(&arguments[0])? {
            Value::Array(values) => {
                let closure = self.closure(&arguments[1])?;
                let span = closure.closure.span;
                return self.over_elements(&values, span, |lower, element, _| {
                    lower.apply(&closure, vec![element])
                });
            }
            Value::Nested(rows) => self.rows_as_segments(&rows, span),
            Value::Tuple(parts) => {
                let [Value::Array(values), Value::Array(offsets)] = &parts[..] else {
                    unreachable!("values and offsets");
                };
                let name = match op {
                    ArrayOp::MapSegments => "map_segments",
                    _ => "lengths",
                };
                let segments = self.segments_by(offsets, true, values.extents[0], name, span);
                (values.clone(), segments)
            }
            _ => unreachable!("`check` lets only segments here"),
        };
        if op == ArrayOp::Lengths {
            return self.tabulate(&[segments.count], span, |lower, at| {
                Ok(Value::Scalar(lower.segment(&segments, at[0], None).1))
            });
        }
        let closure = self.closure(&arguments[1])?;
        let span = closure.closure.span;
        self.in_segments(segments, span, |lower, start, length, _| {
            let segment = lower.reindexed(&values, vec![length], |lower, at| {
                vec![lower.p.binary(Binary::Add, start, at[0])]
            });
            lower.apply(&closure, vec![Value::Array(segment)])
        })
    }

    /// What a closure gives for each element of a vector, arrays of any length: each is a segment for itself.
    fn over_elements(
        &mut self,
        values: &Array<'a>,
        span: Span,
        f: impl FnOnce(&mut Self, Value<'a>, Id) -> Lowered<Value<'a>>,
    ) -> Lowered<Value<'a>> {
        let one = self.p.usize(1);
        let segments = self.even_segments(values.extents[0], one, span);
        self.in_segments(segments, span, |lower, _, _, at| {
            let element = lower.element(values, &[at]);
            f(lower, element, at)
        })
    }

    /// What a closure gives for each segment, of where it starts, its length and its number.
    fn in_segments(
        &mut self,
        segments: Segments,
        span: Span,
        f: impl FnOnce(&mut Self, Id, Id, Id) -> Lowered<Value<'a>>,
    ) -> Lowered<Value<'a>> {
        let (vars, at) = self.indices(1);
        let (scopes, level) = (self.scopes.len(), self.around.len());
        let outer = std::mem::take(&mut self.effects);
        let count = segments.count;
        let (around, value) = self.in_domain(&vars, &[count], |lower| {
            let (start, length) = lower.segment(&segments, at[0], None);
            let around = Rc::new(Around {
                segment: vars[0],
                segments,
                length,
                scopes,
                level,
            });
            lower.around.push(Rc::clone(&around));
            let value = f(lower, start, length, at[0]);
            lower.around.truncate(level);
            value.map(|value| (around, value))
        })?;
        let effects = self.end_region(outer, &value.leaves());
        self.of_segments(&around, &effects, value, span)
    }

    /// Each element of a vector as many times in turn as another says.
    pub(super) fn repeat_each(&mut self, arguments: &'a [Expr], span: Span) -> Lowered<Value<'a>> {
        let (values, counts) = (self.array(&arguments[0])?, self.array(&arguments[1])?);
        let both = [values.clone(), counts.clone()].map(Value::Array);
        let (extents, effects) = self.one_shape(&both, "repeat_each", span);
        let extents = self.extents_under(&effects, extents);
        let values = Array { extents, ..values };
        let repeated = self.over_elements(&values, span, |lower, element, at| {
            let count = lower.element(&counts, &[at]).scalar();
            let extents = vec![lower.cast(Leaf::U64, count)];
            let (vars, _) = lower.indices(1);
            let tree = element.map(&mut |leaf| lower.abstracted(&extents, &vars, leaf));
            Ok(Value::Array(Array {
                extents,
                tree: Box::new(tree),
            }))
        })?;
        match repeated {
            Value::Tuple(mut parts) => Ok(parts.swap_remove(0)),
            _ => unreachable!("segments"),
        }
    }

    /// Vectors of one length as the segments of all of their elements.
    fn rows_as_segments(&mut self, rows: &Nested<'a>, span: Span) -> (Array<'a>, Segments) {
        let count = rows.extents[0];
        let row = |lower: &mut Self, at: &[Id]| match (rows.element)(lower, at) {
            Value::Array(row) => row,
            _ => unreachable!("`check` lets only vectors here"),
        };
        let (_, any) = self.indices(1);
        let length = row(self, &any).extents[0];
        let axis = self.product(&[count, length]);
        let (vars, place) = self.indices(1);
        let at = self.unravelled(&[count, length], place[0]);
        let row = row(self, &at[..1]);
        let element = self.element(&row, &at[1..]);
        let values = Array {
            extents: vec![axis],
            tree: Box::new(element.map(&mut |leaf| self.abstracted(&[axis], &vars, leaf))),
        };
        (values, self.even_segments(count, length, span))
    }

    /// So many segments of one length.
    pub(super) fn even_segments(&mut self, count: Id, length: Id, span: Span) -> Segments {
        let axis = self.product(&[count, length]);
        let one = self.p.usize(1);
        let ends = self.binary(Binary::Add, count, one);
        let (vars, at) = self.indices(1);
        let end = self.binary(Binary::Mul, at[0], length);
        let offsets = self.abstracted(&[ends], &vars, end);
        let segments = Segments {
            count,
            offsets,
            axis,
            every: Some(length),
            by_offsets: false,
            sites: None,
            span,
        };
        self.segments.insert((offsets, axis), segments);
        segments
    }

    fn offsets_array(&self, segments: &Segments) -> Value<'a> {
        Value::Array(Array {
            extents: self.p.extents(segments.offsets).to_vec(),
            tree: Box::new(Value::Scalar(segments.offsets)),
        })
    }

    /// What a closure gives for its segment, for all of them: arrays become segments, elements a vector.
    fn of_segments(
        &mut self,
        around: &Rc<Around>,
        effects: &[Effect],
        value: Value<'a>,
        span: Span,
    ) -> Lowered<Value<'a>> {
        match value {
            Value::Tuple(fields) if fields.iter().any(Value::has_array) => {
                let fields: Lowered<_> = (fields.into_iter())
                    .map(|field| self.of_segments(around, effects, field, span))
                    .collect();
                Ok(Value::Tuple(fields?))
            }
            Value::Array(array) if !array.extents.is_empty() => {
                let (vars, at) = self.indices(1);
                let elements: Vec<Id> = (self.element(&array, &at).leaves().into_iter())
                    .map(|leaf| self.under_all(effects, leaf))
                    .collect();
                let flat = self.flattened(around, array.extents[0], vars[0], &elements, span)?;
                let extents = vec![flat.segments.axis];
                let (vars, elements) = (vec![flat.var()], flat.elements.iter());
                let leaves: Vec<Id> = elements
                    .map(|&leaf| self.abstracted(&extents, &vars, leaf))
                    .collect();
                let values = Value::Array(Array {
                    extents,
                    tree: Box::new(array.tree.with_leaves(&leaves)),
                });
                Ok(Value::Tuple(vec![
                    values,
                    self.offsets_array(&flat.segments),
                ]))
            }
            value => {
                let (vars, extents) = ([around.segment], [around.segments.count]);
                self.collected(&extents, &vars, effects, value, span)
            }
        }
    }

    /// The closure over segments in whose segment an array stands: its extents depend on it.
    ///
    /// # Errors
    /// If it depends on something else within the closure, or may fail where it is not reached.
    pub(super) fn segment_around(
        &self,
        extents: &[Id],
        elements: &[Id],
        own: &[Var],
        span: Span,
    ) -> Lowered<Option<Rc<Around>>> {
        let depends = |around: &&Rc<Around>, id: &Id| self.p.free(*id).contains(&around.segment);
        let of = |around: &&Rc<Around>| extents.iter().any(|id| depends(around, id));
        let Some(around) = self.around.iter().rev().find(of) else {
            return Ok(None);
        };
        // Variables are numbered as they are met.
        let within = |id: &Id| {
            let mut free = self.p.free(*id).iter();
            free.any(|var| *var > around.segment && !own.contains(var))
        };
        let reached = self.scopes.len() == around.scopes + 1;
        if extents.len() != 1
            || extents.iter().chain(elements).any(within)
            || !(reached || elements.iter().all(|&id| !self.may_fail(id)))
        {
            return Err(not_yet(
                span,
                "this operation for each element, or only some, of each segment",
                "apply it to the segment itself: `map_segments(|segment| ..)`",
            ));
        }
        Ok(Some(Rc::clone(around)))
    }

    /// What is lowered as if it stood before a closure.
    pub(super) fn outside<R>(&mut self, around: &Around, f: impl FnOnce(&mut Self) -> R) -> R {
        let scopes = self.scopes.split_off(around.scopes);
        let closures = self.around.split_off(around.level);
        let required = std::mem::take(&mut self.required);
        let result = f(self);
        self.required = required;
        self.around.extend(closures);
        self.scopes.extend(scopes);
        result
    }

    /// Elements in the order of their first leaves within each segment.
    pub(super) fn sorted_segments(
        &mut self,
        around: &Rc<Around>,
        extent: Id,
        var: Var,
        elements: &[Id],
        order: Order,
        span: Span,
    ) -> Lowered<Vec<Id>> {
        let flat = self.flattened(around, extent, var, elements, span)?;
        let order = self.within_segments(order);
        let sorted = self.outside(around, |lower| {
            // The segment is the first key, in half the bytes that a place has.
            let many = lower.int(Leaf::U64, 1 << 32);
            let condition = lower.p.binary(Binary::Le, flat.segments.count, many);
            let effect = lower.require_shape(Requirement {
                condition,
                kind: Failure::SegmentMismatch,
                message: "a sort in each of {0} segments: that is more than 4294967296".to_owned(),
                values: vec![flat.segments.count],
                span,
            });
            let number = lower.under_all(&Vec::from_iter(effect), flat.number);
            let number = lower.cast(Leaf::U32, number);
            let elements = [&[number], &flat.elements[..]].concat();
            let extents = [flat.segments.axis];
            lower.sort_node(&extents, vec![flat.var()], &elements, order, span)
        })?;
        Ok(self.segment_of(around, &flat.segments, extent, &sorted[1..]))
    }

    /// The elements of each segment for which a condition holds, and how many these are.
    pub(super) fn compacted_segments(
        &mut self,
        around: &Rc<Around>,
        extent: Id,
        var: Var,
        condition: Id,
        element: &Value<'a>,
        span: Span,
    ) -> Lowered<Value<'a>> {
        let elements = [&[condition][..], &element.leaves()].concat();
        let flat = self.flattened(around, extent, var, &elements, span)?;
        let (&condition, leaves) = flat.elements.split_first().expect("the condition");
        let Flat { segments, .. } = flat;
        let element = element.with_leaves(leaves);
        let (kept, counts) = self.outside(around, |lower| {
            // Asked for twice: an array, to be stored.
            let stored = lower.abstracted(&[segments.axis], &[flat.var()], condition);
            let condition = lower.index(stored, &[flat.place()]);
            let extents = [segments.axis];
            let kept = lower.compacted(&extents, flat.var(), condition, &element, span)?;
            let counts = lower.tabulate(&[segments.count], span, |lower, at| {
                let (start, length) = lower.segment(&segments, at[0], None);
                let count = lower.reduced(&[length], Reduction::Sum, Leaf::U64, |lower, at| {
                    let place = lower.p.binary(Binary::Add, start, at[0]);
                    let kept = lower.index(stored, &[place]);
                    lower.cast(Leaf::U64, kept)
                });
                Ok(Value::Scalar(count))
            })?;
            let leaves = counts.leaves();
            let counts = lower.p.add(Node::Materialize(leaves[0]));
            Lowered::Ok((kept, counts))
        })?;
        let Value::Array(kept) = kept else {
            unreachable!("a compaction is an array");
        };
        let at = self.p.add(Node::Variable(around.segment));
        let count = self.index(counts, &[at]);
        let segments = self.flat_segments(around, count, Some(kept.extents[0]), span);
        // Where something has failed, more may have been counted than kept.
        let (_, count) = self.segment(&segments, at, None);
        self.flat.insert((around.segment, count), segments);
        let leaves = self.segment_of(around, &segments, count, &kept.tree.leaves());
        Ok(Value::Array(Array {
            extents: vec![count],
            tree: Box::new(kept.tree.with_leaves(&leaves)),
        }))
    }

    /// Where an element of a segment stands among those of all.
    pub(super) fn place_in(&mut self, around: &Around, extent: Id, at: Id, span: Span) -> Id {
        let segments = self.flat_segments(around, extent, None, span);
        let segment = self.p.add(Node::Variable(around.segment));
        let start = self.index(segments.offsets, &[segment]);
        self.p.binary(Binary::Add, start, at)
    }

    /// [`Lower::marked`] of each segment, by places among the elements of all.
    pub(super) fn marked_segments(
        &mut self,
        around: &Rc<Around>,
        points: (Id, Vec<Var>),
        condition: Id,
        place: Id,
        span: Span,
    ) -> Lowered<Id> {
        let extent = points.0;
        let flat = self.flattened(around, extent, points.1[0], &[condition, place], span)?;
        let Flat { segments, .. } = flat;
        let marks = self.outside(around, |lower| {
            let points = (segments.axis, vec![flat.var()]);
            let [condition, place] = flat.elements[..] else {
                unreachable!("a condition and a place");
            };
            lower.marked(segments.axis, points, condition, place, span)
        });
        Ok(self.segment_of(around, &segments, extent, &[marks])[0])
    }

    /// The leaves of an array, forced into memory.
    pub(super) fn materialized(&mut self, array: &Array<'a>, span: Span) -> Lowered<Vec<Id>> {
        let leaves = array.tree.leaves();
        let Some(around) = self.segment_around(&array.extents, &leaves, &[], span)? else {
            return Ok((leaves.into_iter())
                .map(|leaf| self.p.add(Node::Materialize(leaf)))
                .collect());
        };
        let (vars, at) = self.indices(1);
        let elements: Vec<Id> = leaves.iter().map(|&leaf| self.index(leaf, &at)).collect();
        let flat = self.flattened(&around, array.extents[0], vars[0], &elements, span)?;
        let stored: Vec<Id> = (flat.elements.iter())
            .map(|&leaf| {
                let leaf = self.abstracted(&[flat.segments.axis], &[flat.var()], leaf);
                self.p.add(Node::Materialize(leaf))
            })
            .collect();
        Ok(self.segment_of(&around, &flat.segments, array.extents[0], &stored))
    }

    /// A result of the program: segments that are those of their values.
    pub(in crate::lower) fn sealed(
        &mut self,
        value: Value<'a>,
        ty: &Type,
        span: Span,
    ) -> Lowered<Value<'a>> {
        match (value, ty) {
            (Value::Tuple(parts), Type::Segmented(_)) => {
                let [Value::Array(values), Value::Array(offsets)] = &parts[..] else {
                    unreachable!("values and offsets");
                };
                let segments =
                    self.segments_by(offsets, true, values.extents[0], "Segmented", span);
                let offsets = match segments.sites {
                    None => self.offsets_array(&segments),
                    Some(sites) => self.tabulate(&offsets.extents, span, |lower, at| {
                        let offset = lower.checked_offset(&segments, sites, at[0]);
                        Ok(Value::Scalar(offset))
                    })?,
                };
                Ok(Value::Tuple(vec![Value::Array(values.clone()), offsets]))
            }
            (Value::Tuple(fields), Type::Tuple(types)) => {
                let fields: Lowered<_> = (fields.into_iter().zip(types))
                    .map(|(field, ty)| self.sealed(field, ty, span))
                    .collect();
                Ok(Value::Tuple(fields?))
            }
            (value, _) => Ok(value),
        }
    }

    /// An offset, if the segments are those of the axis: as [`Lower::segment`] asks of the one that ends there.
    fn checked_offset(&mut self, segments: &Segments, sites: [Site; 3], at: Id) -> Id {
        let &Segments { offsets, axis, .. } = segments;
        let (zero, one) = (self.p.usize(0), self.p.usize(1));
        let [first, end, to] = [zero, segments.count, at].map(|at| self.index(offsets, &[at]));
        let before = self.binary(Binary::Sub, at, one);
        let from = self.index(offsets, &[before]);
        let forwards = self.p.binary(Binary::Le, from, to);
        let within = self.p.binary(Binary::Le, to, axis);
        let inside = self.and(forwards, within);
        let guard = |condition, site, values| Effect::Guard {
            condition,
            site,
            values,
        };
        let segment = guard(inside, sites[2], vec![from, to]);
        let ends = self.under(&segment, to);
        let is_first = self.p.binary(Binary::Eq, at, zero);
        let offset = self.either(is_first, vec![zero], vec![ends])[0];
        let all = self.binary(Binary::Eq, end, axis);
        let mut effects = vec![guard(all, sites[0], vec![end, axis])];
        if segments.by_offsets {
            let begins = self.p.binary(Binary::Eq, first, zero);
            effects.push(guard(begins, sites[1], vec![first]));
        }
        self.under_all(&effects, offset)
    }
}
