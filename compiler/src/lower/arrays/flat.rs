//! The arrays of all segments, one after the other, and back: an array of each segment.
//!
//! An element of segment `s` at the index `i` within it stands at the place `p = start(s) + i`. Flattened, it is a function
//! of `p`: `s` is the segment that `p` is in, `i` is `p - start(s)`, and what was `start(s) + i` is `p`. What it takes a loop
//! to compute and is the same for a whole segment is computed once for each.

use super::segments::{Around, Segments};
use crate::ir::{Id, Node, QuickMap, QuickSet, Type, Var};
use crate::lower::guards::Effect;
use crate::lower::{Lower, Lowered, not_yet};
use crate::scalar::{Binary, Scalar};
use proc_macro2::Span;

/// Elements over the places of all segments.
pub(super) struct Flat {
    pub(super) segments: Segments,
    /// The place, as a variable and as a value.
    at: (Var, Id),
    /// The segment it is in.
    pub(super) number: Id,
    pub(super) elements: Vec<Id>,
}

impl Flat {
    pub(super) fn var(&self) -> Var {
        self.at.0
    }

    pub(super) fn place(&self) -> Id {
        self.at.1
    }
}

/// How expressions of a segment and an index become expressions of a place.
struct Places {
    /// The closure's variables.
    segment: Var,
    index: Var,
    count: Id,
    /// Of the closure's segment: where it starts, and whether it has elements.
    start: Id,
    some: Id,
    /// What stands for the segment, the index and their place.
    number: Id,
    within: Id,
    place: Id,
    /// By whether it is evaluated for each element.
    done: QuickMap<(Id, bool), Id>,
}

impl Lower<'_> {
    /// An array of extent `extent` in a closure's segment, by its elements over `var`, for all segments.
    pub(super) fn flattened(
        &mut self,
        around: &Around,
        extent: Id,
        var: Var,
        elements: &[Id],
        span: Span,
    ) -> Lowered<Flat> {
        let within = |id: &Id| {
            let mut free = self.p.free(*id).iter();
            free.any(|&free| free > around.segment && free != var)
        };
        if within(&extent) || elements.iter().any(within) {
            return Err(not_yet(
                span,
                "an array of a length that depends on an element of the segment",
                "let it depend on the segment only",
            ));
        }
        let segments = self.flat_segments(around, extent, None, span);
        let (vars, at) = self.indices(1);
        let number = self.segment_at(&segments, at[0]);
        let segment = self.p.add(Node::Variable(around.segment));
        let start = self.index(segments.offsets, &[segment]);
        let begins = self.index(segments.offsets, &[number]);
        let zero = self.p.usize(0);
        let mut places = Places {
            segment: around.segment,
            index: var,
            count: segments.count,
            start,
            some: self.binary(Binary::Lt, zero, extent),
            number,
            within: self.p.binary(Binary::Sub, at[0], begins),
            place: at[0],
            done: QuickMap::default(),
        };
        let effects = self.in_segment(&segments, number);
        let inside = self.is_inside(&segments, number, at[0]);
        let elements: Vec<Id> = elements
            .iter()
            .map(|&element| {
                let element = self.at_place(element, true, &mut places);
                // By the place alone, it reads nothing of a segment.
                match self.mentions(element, number, vars[0]) {
                    true => {
                        let leaf = self.p.leaf(element);
                        let zero = self.p.constant(Scalar { leaf, bits: 0 });
                        let element = self.either(inside, vec![element], vec![zero])[0];
                        self.under_all(&effects, element)
                    }
                    false => element,
                }
            })
            .collect();
        Ok(Flat {
            segments,
            at: (vars[0], at[0]),
            number: self.under_all(&effects, number),
            elements,
        })
    }

    /// Whether a place is in a segment: where something has failed already, the search may have ended early, or the segments
    /// are not all.
    fn is_inside(&mut self, segments: &Segments, number: Id, place: Id) -> Id {
        if segments.every.is_some() {
            return self.p.bool(true);
        }
        let one = self.p.usize(1);
        let next = self.p.binary(Binary::Add, number, one);
        let begins = self.index(segments.offsets, &[number]);
        let ends = self.index(segments.offsets, &[next]);
        let begun = self.p.binary(Binary::Le, begins, place);
        let open = self.p.binary(Binary::Lt, place, ends);
        let inside = self.and(begun, open);
        let is_one = self.p.binary(Binary::Lt, number, segments.count);
        let no = self.p.bool(false);
        self.either(is_one, vec![inside], vec![no])[0]
    }

    /// The segments that arrays of an extent have, for each segment of a closure; `axis`, if known: what these add up to.
    pub(super) fn flat_segments(
        &mut self,
        around: &Around,
        extent: Id,
        axis: Option<Id>,
        span: Span,
    ) -> Segments {
        if extent == around.length {
            return around.segments;
        }
        let count = around.segments.count;
        if let Some(&segments) = self.flat.get(&(around.segment, extent)) {
            return segments;
        }
        if axis.is_none() && !self.p.free(extent).contains(&around.segment) {
            return self.outside(around, |lower| lower.even_segments(count, extent, span));
        }
        let offsets = self.outside(around, |lower| {
            let lengths = lower.over_segments(around.segment, count, extent);
            lower.offsets_of(count, |lower, segment| lower.index(lengths, &[segment]))
        });
        let axis = axis.unwrap_or_else(|| self.index(offsets, &[count]));
        let segments = Segments {
            count,
            offsets,
            axis,
            every: None,
            by_offsets: false,
            sites: None,
            span,
        };
        self.segments.insert((offsets, axis), segments);
        self.flat.insert((around.segment, extent), segments);
        segments
    }

    /// The array of what an expression is for each segment.
    fn over_segments(&mut self, segment: Var, count: Id, id: Id) -> Id {
        let (vars, at) = self.indices(1);
        let element = self
            .p
            .substitute(id, &QuickMap::from_iter([(segment, at[0])]));
        self.abstracted(&[count], &vars, element)
    }

    /// The segment that a place is in: the first that ends behind it.
    fn segment_at(&mut self, segments: &Segments, place: Id) -> Id {
        if let Some(length) = segments.every {
            return self.binary(Binary::Div, place, length);
        }
        let (vars, at) = self.indices(1);
        let (zero, one, two) = (self.p.usize(0), self.p.usize(1), self.p.usize(2));
        let ((low, least), (high, most)) = (self.p.index_var(), self.p.index_var());
        let condition = self.p.binary(Binary::Lt, least, most);
        let width = self.p.binary(Binary::Sub, most, least);
        let half = self.p.binary(Binary::Div, width, two);
        let middle = self.p.binary(Binary::Add, least, half);
        let after = self.p.binary(Binary::Add, middle, one);
        let end = self.index(segments.offsets, &[after]);
        let passed = self.p.binary(Binary::Le, end, at[0]);
        let next = vec![
            self.select(passed, after, least),
            self.select(passed, most, middle),
        ];
        let bundle = self.p.add(Node::Loop {
            state: vec![low, high],
            initial: vec![zero, segments.count],
            condition,
            next,
        });
        let found = self.p.components(bundle)[0];
        let numbers = self.abstracted(&[segments.axis], &vars, found);
        self.numbers.insert(numbers);
        self.index(numbers, &[place])
    }

    /// What has to hold for a place to be in its segment: what [`Lower::segment`] asks of each segment.
    fn in_segment(&mut self, segments: &Segments, number: Id) -> Vec<Effect> {
        let Some(sites) = segments.sites else {
            return Vec::new();
        };
        let (zero, one) = (self.p.usize(0), self.p.usize(1));
        let first = self.index(segments.offsets, &[zero]);
        let end = self.index(segments.offsets, &[segments.count]);
        let next = self.p.binary(Binary::Add, number, one);
        let from = self.index(segments.offsets, &[number]);
        let to = self.index(segments.offsets, &[next]);
        let conditions = [
            (
                self.binary(Binary::Eq, end, segments.axis),
                vec![end, segments.axis],
            ),
            (self.binary(Binary::Eq, first, zero), vec![first]),
            (self.binary(Binary::Le, to, segments.axis), vec![from, to]),
        ];
        (conditions.into_iter().zip(sites).enumerate())
            .filter(|&(k, _)| k != 1 || segments.by_offsets)
            .map(|(_, ((condition, values), site))| Effect::Guard {
                condition,
                site,
                values,
            })
            .collect()
    }

    /// An expression of a segment and an index as one of a place. `always`: it is evaluated for each element.
    fn at_place(&mut self, id: Id, always: bool, places: &mut Places) -> Id {
        if !self.depends(id, places) {
            return id;
        }
        if let Some(&done) = places.done.get(&(id, always)) {
            return done;
        }
        let result = self.node_at_place(id, always, places);
        places.done.insert((id, always), result);
        result
    }

    fn node_at_place(&mut self, id: Id, always: bool, places: &mut Places) -> Id {
        let is = |lower: &Self, id: Id, var: Var| *lower.p.node(id) == Node::Variable(var);
        let scalar = matches!(self.p.ty(id), Type::Scalar(_));
        let of_segment = !self.p.free(id).contains(&places.index);
        if scalar && of_segment && self.is_heavy(id, places.segment) {
            let fails = self.may_fail(id);
            if !fails || always {
                return self.shared(id, fails, places);
            }
        }
        match self.p.node(id).clone() {
            Node::Variable(_) => match is(self, id, places.segment) {
                true => places.number,
                false => places.within,
            },
            Node::Binary(Binary::Add, a, b) if a == places.start && is(self, b, places.index) => {
                places.place
            }
            Node::Index { array, indices } => match self.p.node(array).clone() {
                Node::Generate { vars, element, .. } if self.depends(array, places) => {
                    let map: QuickMap<Var, Id> = vars.into_iter().zip(indices).collect();
                    let element = self.p.substitute(element, &map);
                    self.at_place(element, always, places)
                }
                Node::Project(bundle, k) if self.depends(array, places) => {
                    let Node::If {
                        condition,
                        then,
                        otherwise,
                    } = self.p.node(bundle).clone()
                    else {
                        return self.substituted(id, places);
                    };
                    let sides = [then, otherwise];
                    let [then, otherwise] =
                        sides.map(|side| self.index(side[k as usize], &indices));
                    self.if_at_place(condition, then, otherwise, always, places)
                }
                _ => {
                    let indices: Vec<Id> = (indices.into_iter())
                        .map(|index| self.at_place(index, always, places))
                        .collect();
                    match self.depends(array, places) {
                        true => self.substituted(id, places),
                        false => self.index(array, &indices),
                    }
                }
            },
            Node::Project(bundle, k) => match self.p.node(bundle).clone() {
                Node::If {
                    condition,
                    then,
                    otherwise,
                } if scalar => {
                    let (then, otherwise) = (then[k as usize], otherwise[k as usize]);
                    self.if_at_place(condition, then, otherwise, always, places)
                }
                _ => self.substituted(id, places),
            },
            Node::Guard {
                condition,
                site,
                values,
                value,
            } if scalar => {
                let condition = self.at_place(condition, always, places);
                let values = (values.into_iter())
                    .map(|id| self.at_place(id, false, places))
                    .collect();
                let value = self.at_place(value, false, places);
                self.p.add(Node::Guard {
                    condition,
                    site,
                    values,
                    value,
                })
            }
            mut node if scalar && node.bound().is_empty() => {
                node.map_operands(|operand| self.at_place(operand, always, places));
                self.p.add(node)
            }
            _ => self.substituted(id, places),
        }
    }

    fn if_at_place(
        &mut self,
        condition: Id,
        then: Id,
        otherwise: Id,
        always: bool,
        places: &mut Places,
    ) -> Id {
        let condition = self.at_place(condition, always, places);
        let [then, otherwise] = [then, otherwise].map(|id| self.at_place(id, false, places));
        self.either(condition, vec![then], vec![otherwise])[0]
    }

    fn substituted(&mut self, id: Id, places: &Places) -> Id {
        let map = QuickMap::from_iter([
            (places.segment, places.number),
            (places.index, places.within),
        ]);
        self.p.substitute(id, &map)
    }

    /// What is the same for all elements of a segment: an array, computed where there are any.
    fn shared(&mut self, id: Id, fails: bool, places: &Places) -> Id {
        let mut value = id;
        if fails {
            let leaf = self.p.leaf(id);
            let zero = self.p.constant(Scalar { leaf, bits: 0 });
            value = self.either(places.some, vec![id], vec![zero])[0];
        }
        let array = self.over_segments(places.segment, places.count, value);
        let stored = self.p.add(Node::Materialize(array));
        self.index(stored, &[places.number])
    }

    fn depends(&self, id: Id, places: &Places) -> bool {
        let free = self.p.free(id);
        free.contains(&places.segment) || free.contains(&places.index)
    }

    /// Whether it takes a loop for each segment.
    fn is_heavy(&self, id: Id, segment: Var) -> bool {
        let (mut seen, mut open) = (QuickSet::default(), vec![id]);
        while let Some(id) = open.pop() {
            if !self.p.free(id).contains(&segment) || !seen.insert(id) {
                continue;
            }
            let node = self.p.node(id);
            if matches!(node, Node::Reduce { .. } | Node::Loop { .. }) {
                return true;
            }
            node.operands(|operand| open.push(operand));
        }
        false
    }

    /// Whether a node occurs in an expression of a place.
    fn mentions(&self, id: Id, sought: Id, place: Var) -> bool {
        let (mut seen, mut open) = (QuickSet::default(), vec![id]);
        while let Some(id) = open.pop() {
            if id == sought {
                return true;
            }
            if self.p.free(id).contains(&place) && seen.insert(id) {
                self.p.node(id).operands(|operand| open.push(operand));
            }
        }
        false
    }

    /// Arrays of all segments as an array of a closure's segment.
    pub(super) fn segment_of(
        &mut self,
        around: &Around,
        segments: &Segments,
        extent: Id,
        arrays: &[Id],
    ) -> Vec<Id> {
        let segment = self.p.add(Node::Variable(around.segment));
        let start = self.index(segments.offsets, &[segment]);
        self.numbers.extend(arrays);
        arrays
            .iter()
            .map(|&array| {
                let (vars, at) = self.indices(1);
                let place = self.p.binary(Binary::Add, start, at[0]);
                let element = self.index(array, &[place]);
                self.abstracted(&[extent], &vars, element)
            })
            .collect()
    }
}
