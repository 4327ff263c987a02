//! Segments of the last axis: a reduction of each, or a scan that starts anew with each.
//!
//! Lengths become offsets by a scan. A segment is a domain whose extent is read from the offsets, and where that fails,
//! or is none of the axis, the segment is empty: so nothing is read out of bounds, wherever the failure shows first.

use crate::ir::{Failure, Id, Node, Site, Var};
use crate::lower::guards::{Effect, Requirement};
use crate::lower::value::{Array, Value};
use crate::lower::{Lower, Lowered, not_yet};
use crate::scalar::{Binary, Leaf};
use crate::typed::{Expr, Type};
use proc_macro2::Span;

/// The segments of an axis.
#[derive(Clone, Copy)]
pub(in crate::lower) struct Segments {
    /// How many there are.
    pub(super) count: Id,
    /// Where they begin and end: an array of `U64`, one more than segments.
    pub(super) offsets: Id,
    /// The extent of the axis.
    pub(super) axis: Id,
    /// How long each of them is, if that is the same for all.
    pub(super) every: Option<Id>,
    /// Whether they were given as offsets.
    pub(super) by_offsets: bool,
    /// Where it shows that they are not those of the axis, do not begin at its start, or are none; nowhere, if they are.
    pub(super) sites: Option<[Site; 3]>,
    pub(super) span: Span,
}

/// A closure over segments.
pub(in crate::lower) struct Around {
    /// Which segment.
    pub(super) segment: Var,
    pub(super) segments: Segments,
    /// Of the segment.
    pub(super) length: Id,
    /// How many scopes and closures over segments stand around the closure.
    pub(super) scopes: usize,
    pub(super) level: usize,
}

/// Where a scan starts anew.
pub(super) struct Marks {
    pub(super) segments: Segments,
    /// Of the scan.
    pub(super) extent: Id,
    /// An array of `bool`.
    pub(super) starts: Id,
    /// With an initial value in each segment: which element of the axis comes here, an array of `U64`.
    pub(super) places: Option<Id>,
}

impl<'a> Lower<'a> {
    /// Forgets the segments that report failures at sites from this one on: those sites are gone.
    pub(in crate::lower) fn forget_segments(&mut self, first: usize) {
        let stays = |segments: &Segments| {
            let mut sites = segments.sites.iter().flatten();
            sites.all(|site| (site.0 as usize) < first)
        };
        self.segments.retain(|_, segments| stays(segments));
        self.flat.retain(|_, segments| stays(segments));
    }

    /// Segments of an axis, as an argument of the operation `name`.
    pub(super) fn segments(
        &mut self,
        argument: &'a Expr,
        axis: Id,
        name: &str,
        span: Span,
    ) -> Lowered<Segments> {
        let array = self.array(argument)?;
        let by_offsets = matches!(argument.ty, Type::Offsets(_));
        Ok(self.segments_by(&array, by_offsets, axis, &format!("{name}_segmented"), span))
    }

    /// Segments by offsets, or by lengths.
    pub(super) fn segments_by(
        &mut self,
        array: &Array<'a>,
        by_offsets: bool,
        axis: Id,
        name: &str,
        span: Span,
    ) -> Segments {
        let (zero, one) = (self.p.usize(0), self.p.usize(1));
        let given = array.extents[0];
        let offsets = match by_offsets {
            true => {
                let (vars, at) = self.indices(1);
                let offset = self.element(array, &at).scalar();
                let offset = self.cast(Leaf::U64, offset);
                self.abstracted(&array.extents, &vars, offset)
            }
            false => self.offsets_of(given, |lower, segment| {
                let length = lower.element(array, &[segment]).scalar();
                lower.cast(Leaf::U64, length)
            }),
        };
        let known = self.segments.get(&(offsets, axis)).copied();
        let count = match (known, by_offsets) {
            (Some(known), _) if !known.by_offsets => known.count,
            (_, true) => {
                let condition = self.binary(Binary::Lt, zero, given);
                let message = format!("no offsets in `{name}`: there is one more than segments");
                let some = self.require_shape(mismatch(condition, message, [], span));
                let given = self.under_all(&Vec::from_iter(some), given);
                self.binary(Binary::Sub, given, one)
            }
            (_, false) => given,
        };
        if let Some(known) = known
            && known.sites.is_none()
        {
            return Segments { span, ..known };
        }
        // With no segments nothing else would tell.
        let some = self.binary(Binary::Lt, zero, count);
        let none = self.binary(Binary::Eq, axis, zero);
        let condition = self.or(some, none);
        let message = format!("no segments in `{name}` of an axis of {{0}}");
        let effect = self.require_shape(mismatch(condition, message, [axis], span));
        let segments = known.unwrap_or_else(|| {
            let what = match by_offsets {
                true => "offsets end at",
                false => "lengths add up to",
            };
            let sites = [
                format!("{what} {{0}} in `{name}` of an axis of {{1}}"),
                format!("offsets begin at {{0}} in `{name}`, not at 0"),
                format!("a segment in `{name}` goes from {{0}} to {{1}}"),
            ]
            .map(|message| self.place(Failure::SegmentMismatch, &message, span));
            let segments = Segments {
                count,
                offsets,
                axis,
                every: None,
                by_offsets,
                sites: Some(sites),
                span,
            };
            self.segments.insert((offsets, axis), segments);
            segments
        });
        Segments {
            count: self.under_all(&Vec::from_iter(effect), count),
            span,
            ..segments
        }
    }

    /// Where segments of these lengths begin and end.
    pub(super) fn offsets_of(&mut self, count: Id, length: impl FnOnce(&mut Self, Id) -> Id) -> Id {
        let (zero, one) = (self.p.usize(0), self.p.usize(1));
        let extent = self.binary(Binary::Add, count, one);
        let (vars, at) = self.indices(1);
        let first = self.p.binary(Binary::Eq, at[0], zero);
        let before = self.binary(Binary::Sub, at[0], one);
        let length = length(self, before);
        let elements = self.either(first, vec![zero], vec![length]);
        let sum = self.leafwise(&[(Binary::Add, Leaf::U64)]);
        self.scanned(&[extent], vars, elements, &sum)[0]
    }

    /// Where a segment begins, and how long it is: not at all if it is none of the axis, or `some` asks for elements
    /// (in the name of an operation) and there are none.
    pub(super) fn segment(
        &mut self,
        segments: &Segments,
        segment: Id,
        some: Option<&str>,
    ) -> (Id, Id) {
        let &Segments { offsets, axis, .. } = segments;
        let (zero, one) = (self.p.usize(0), self.p.usize(1));
        let next = self.p.binary(Binary::Add, segment, one);
        let from = self.index(offsets, &[segment]);
        let to = self.index(offsets, &[next]);
        let first = self.index(offsets, &[zero]);
        let end = self.index(offsets, &[segments.count]);
        let all = self.p.binary(Binary::Eq, end, axis);
        let begins = self.p.binary(Binary::Eq, first, zero);
        let forwards = self.p.binary(Binary::Le, from, to);
        let within = self.p.binary(Binary::Le, to, axis);
        let inside = self.and(forwards, within);
        let found = [
            (all, vec![end, axis]),
            (begins, vec![first]),
            (inside, vec![from, to]),
        ];
        let length = self.p.binary(Binary::Sub, to, from);
        let length = self.select(inside, length, zero);
        let mut effects: Vec<Effect> = Vec::new();
        for ((k, (condition, values)), site) in
            (found.into_iter().enumerate()).zip(segments.sites.into_iter().flatten())
        {
            // Offsets made of lengths begin at 0.
            if k != 1 || segments.by_offsets {
                effects.push(Effect::Guard {
                    condition,
                    site,
                    values,
                });
            }
        }
        if let Some(name) = some {
            effects.extend(self.require_some(length, name, segments.span));
        }
        // Beside the length, not around it: all is read at once.
        let yes = self.p.bool(true);
        let demanded = effects.into_iter().rev().fold(length, |value, effect| {
            let effect = self.under(&effect, yes);
            self.p.add(Node::Demand {
                effect,
                value,
                required: true,
            })
        });
        (from, demanded)
    }

    /// The starts of segments for a scan, from the right if `reversed`; `whole`: each has one more result than elements.
    pub(super) fn marks(
        &mut self,
        segments: Segments,
        whole: bool,
        reversed: bool,
    ) -> Lowered<Marks> {
        if !self.p.free(segments.offsets).is_empty() {
            return Err(not_yet(
                segments.span,
                "scans by segments of each element or row",
                "scan the whole array by segments of all rows: `flatten()`, and the lengths of all rows",
            ));
        }
        let axis = segments.axis;
        let extent = match whole {
            true => self.binary(Binary::Add, axis, segments.count),
            false => axis,
        };
        let (vars, at) = self.indices(1);
        let (from, length) = self.segment(&segments, at[0], None);
        let to = self.p.binary(Binary::Add, from, length);
        let (condition, place) = match whole {
            // Each segment has a first result.
            true => {
                let end = if reversed { to } else { from };
                let within = self.p.binary(Binary::Le, end, axis);
                let condition = self.p.add(Node::Demand {
                    effect: length,
                    value: within,
                    required: true,
                });
                (condition, self.p.binary(Binary::Add, end, at[0]))
            }
            false => {
                let (zero, one) = (self.p.usize(0), self.p.usize(1));
                let last = self.p.binary(Binary::Sub, to, one);
                let some = self.p.binary(Binary::Lt, zero, length);
                (some, if reversed { last } else { from })
            }
        };
        // No two places are the same, if the segments are those of the axis.
        let points = (segments.count, vars);
        let starts = self.marked(extent, points, condition, place, segments.span);
        let places = whole.then(|| {
            let (vars, at) = self.indices(1);
            let start = self.index(starts, &at);
            let count = self.cast(Leaf::U64, start);
            let sum = self.leafwise(&[(Binary::Add, Leaf::U64)]);
            let counts = self.scanned(&[extent], vars, vec![count], &sum)[0];
            let (vars, at) = self.indices(1);
            let starts = self.index(counts, &at);
            let place = self.p.binary(Binary::Sub, at[0], starts);
            self.abstracted(&[extent], &vars, place)
        });
        Ok(Marks {
            segments,
            extent,
            starts,
            places,
        })
    }
}

impl Lower<'_> {
    /// An array of `bool`: whether a place is that of one of the points for which a condition holds, no two of which
    /// have the same.
    pub(super) fn marked(
        &mut self,
        extent: Id,
        points: (Id, Vec<Var>),
        condition: Id,
        place: Id,
        span: Span,
    ) -> Id {
        let [no, yes] = [false, true].map(|flag| self.p.bool(flag));
        let operator = self.replacing(&Value::Scalar(yes));
        let defaults = self.filled(extent, &Value::Scalar(no)).tree.leaves();
        let bundle = self.p.add(Node::Scatter {
            defaults,
            extents: vec![points.0],
            vars: points.1,
            condition,
            at: vec![place],
            elements: vec![yes],
            left: operator.left,
            right: operator.right,
            combined: operator.combined,
            once: None,
        });
        self.locate(bundle, span);
        self.p.components(bundle)[0]
    }
}

fn mismatch<const N: usize>(
    condition: Id,
    message: String,
    values: [Id; N],
    span: Span,
) -> Requirement {
    Requirement {
        condition,
        kind: Failure::SegmentMismatch,
        message,
        values: values.to_vec(),
        span,
    }
}
