//! Stencils and `pad`: reads that may go beyond the edges of an array.
//!
//! A neighbour at a constant offset is the read at `i + d` where that is inside. Beyond, `Clamp` takes the nearest
//! index by a minimum or maximum. The periodic boundaries add `d` modulo the period, which the host computes, so that
//! one comparison brings the sum back into the period: no division per element, right for arrays of any extent. A
//! condition compares an index variable with a bound, so that ranges decide it where the domain is cut into an
//! interior and borders.

use super::offsets::{Offset, Place};
use super::sources::index_value;
use crate::ir::{Failure, Id};
use crate::lower::guards::Requirement;
use crate::lower::value::{Array, Beyond, Value, Window};
use crate::lower::{Lower, Lowered};
use crate::scalar::{Binary, Leaf};
use crate::typed::{ArrayOp, Boundary, Expr, ExprKind};
use proc_macro2::Span;
use std::rc::Rc;

impl<'a> Lower<'a> {
    /// Arrays with their boundaries, and a closure of their windows.
    pub(super) fn stencil(&mut self, arguments: &'a [Expr], span: Span) -> Lowered<Value<'a>> {
        let (closure, pairs) = arguments.split_last().expect("a closure");
        let mut sources = Vec::new();
        let mut values = Vec::new();
        for pair in pairs.chunks_exact(2) {
            let array = self.array(&pair[0])?;
            let boundary = self.boundary(&pair[1])?;
            values.push(Value::Array(array.clone()));
            sources.push((array, boundary));
        }
        let closure = self.closure(closure)?;
        let (extents, effects) = self.one_shape(&values, "stencil", span);
        let extents: Vec<Id> = extents
            .into_iter()
            .map(|extent| self.under_all(&effects, extent))
            .collect();
        self.tabulate(&extents, closure.closure.span, |lower, at| {
            let windows = sources
                .into_iter()
                .map(|(array, boundary)| {
                    Value::Window(Rc::new(Window {
                        array,
                        at: at.to_vec(),
                        boundary,
                    }))
                })
                .collect();
            lower.apply(&closure, windows)
        })
    }

    fn boundary(&mut self, expr: &'a Expr) -> Lowered<Beyond<'a>> {
        let ExprKind::Array(ArrayOp::Boundary(boundary), arguments) = &expr.kind else {
            return Ok(Beyond::Inside(Boundary::Clamp));
        };
        Ok(match boundary {
            Boundary::Constant => Beyond::Constant(self.expr(&arguments[0])?),
            Boundary::Function => Beyond::Function(self.closure(&arguments[0])?),
            inside => Beyond::Inside(*inside),
        })
    }

    /// `w[(dy, dx)]`.
    pub(super) fn neighbour(&mut self, arguments: &'a [Expr]) -> Lowered<Value<'a>> {
        let (window, offsets) = arguments.split_first().expect("a window");
        let span = window.span;
        let Value::Window(window) = self.expr(window)? else {
            return Ok(Value::Never);
        };
        let mut distances = Vec::new();
        for offset in offsets {
            let value = self.scalar(offset)?;
            distances.push(self.offset(value, offset.span)?);
        }
        let places: Vec<Place> = window
            .at
            .iter()
            .zip(&window.array.extents)
            .zip(&distances)
            .map(|((&i, &n), offset)| match *offset {
                Offset::Constant(offset) => self.beside(i, n, offset, &window.boundary),
                Offset::Within(offset, low) => {
                    self.beside_within(i, n, (offset, low), &window.boundary)
                }
            })
            .collect();
        let at = window.at.clone();
        self.placed(&window.array, &places, &window.boundary, span, |lower| {
            at.iter()
                .zip(&distances)
                .map(|(&i, offset)| {
                    let i = lower.cast(Leaf::I64, i);
                    let offset = match *offset {
                        Offset::Constant(offset) => lower.int(Leaf::I64, offset.into()),
                        Offset::Within(offset, _) => offset,
                    };
                    lower.binary(Binary::Add, i, offset)
                })
                .collect()
        })
    }

    /// The element at a place of each axis. `signed` makes the index that a boundary function gets.
    fn placed(
        &mut self,
        array: &Array<'a>,
        places: &[Place],
        boundary: &Beyond<'a>,
        span: Span,
        signed: impl FnOnce(&mut Self) -> Vec<Id>,
    ) -> Lowered<Value<'a>> {
        let indices: Vec<Id> = places.iter().map(|place| place.index).collect();
        let element = self.element(array, &indices);
        self.mark_safe(&element);
        let mut inside = self.p.bool(true);
        for place in places {
            inside = self.and(inside, place.inside);
        }
        match boundary {
            Beyond::Inside(_) => Ok(element),
            Beyond::Constant(value) => {
                let value = value.clone();
                self.branch(span, inside, |_| Ok(element), |_| Ok(value))
            }
            Beyond::Function(closure) => self.branch(
                span,
                inside,
                |_| Ok(element),
                |lower| {
                    let index = signed(lower);
                    lower.apply(closure, vec![index_value(&index)])
                },
            ),
        }
    }

    /// The place at a constant distance from an index in bounds.
    fn beside(&mut self, i: Id, n: Id, offset: i64, boundary: &Beyond<'a>) -> Place {
        let on = self.p.bool(true);
        if offset == 0 {
            return Place {
                inside: on,
                index: i,
            };
        }
        let distance = self.p.usize(offset.unsigned_abs());
        let (shifted, inside) = if offset > 0 {
            let shifted = self.binary(Binary::Add, i, distance);
            (shifted, self.binary(Binary::Lt, shifted, n))
        } else {
            let shifted = self.binary(Binary::Sub, i, distance);
            (shifted, self.binary(Binary::Le, distance, i))
        };
        let Beyond::Inside(kind) = boundary else {
            return Place {
                inside,
                index: shifted,
            };
        };
        let index = if *kind == Boundary::Clamp {
            if offset > 0 {
                let one = self.p.usize(1);
                let last = self.binary(Binary::Sub, n, one);
                self.binary(Binary::Min, shifted, last)
            } else {
                let low = self.binary(Binary::Max, i, distance);
                self.binary(Binary::Sub, low, distance)
            }
        } else {
            let period = self.period(*kind, n);
            let part = self.binary(Binary::Rem, distance, period);
            let part = if offset > 0 {
                part
            } else {
                self.binary(Binary::Sub, period, part)
            };
            let moved = self.binary(Binary::Add, i, part);
            let back = self.binary(Binary::Sub, moved, period);
            let once = self.binary(Binary::Lt, moved, period);
            let moved = self.select(once, moved, back);
            let border = self.unfolded(*kind, moved, period, n);
            self.select(inside, shifted, border)
        };
        Place { inside: on, index }
    }

    /// After how many elements a boundary repeats; at least one.
    fn period(&mut self, kind: Boundary, n: Id) -> Id {
        let two = self.p.usize(2);
        let period = match kind {
            Boundary::Reflect => self.binary(Binary::Mul, n, two),
            Boundary::Mirror => {
                let twice = self.binary(Binary::Mul, n, two);
                self.binary(Binary::Sub, twice, two)
            }
            _ => n,
        };
        // Of an empty axis nothing is read, but the host may compute this. 2n - 2 wraps there.
        self.at_least_one(period)
    }

    /// The index of the element that a position in the period stands for.
    fn unfolded(&mut self, kind: Boundary, position: Id, period: Id, n: Id) -> Id {
        let one = self.p.usize(1);
        let from_end = match kind {
            Boundary::Mirror => self.binary(Binary::Sub, period, position),
            Boundary::Reflect => {
                let twice = self.binary(Binary::Add, n, n);
                let last = self.binary(Binary::Sub, twice, one);
                self.binary(Binary::Sub, last, position)
            }
            _ => return position,
        };
        let nearer = self.binary(Binary::Min, position, from_end);
        // So it is; passes need not find that out.
        let last = self.binary(Binary::Sub, n, one);
        self.binary(Binary::Min, nearer, last)
    }

    /// `xs.pad(before, after, boundary)` along the first axis.
    pub(super) fn pad(&mut self, arguments: &'a [Expr], span: Span) -> Lowered<Value<'a>> {
        let array = self.array(&arguments[0])?;
        let before = self.scalar(&arguments[1])?;
        let after = self.scalar(&arguments[2])?;
        let boundary = self.boundary(&arguments[3])?;
        let n = array.extents[0];
        let added = self.binary(Binary::Add, before, after);
        let total = self.binary(Binary::Add, n, added);
        let mut extents = array.extents.clone();
        extents[0] = total;
        let mut effects = Vec::new();
        if let Beyond::Inside(_) = boundary {
            let zero = self.p.usize(0);
            let some = self.binary(Binary::Lt, zero, n);
            let nothing = self.binary(Binary::Eq, total, zero);
            let condition = self.or(some, nothing);
            effects.extend(self.require_shape(Requirement {
                condition,
                kind: Failure::OutOfBounds,
                message: "`pad` of an empty axis".to_owned(),
                values: vec![],
                span,
            }));
        }
        let padded = self.tabulate(&extents, span, |lower, at| {
            let first = lower.padded(at[0], before, n, &boundary);
            let on = lower.p.bool(true);
            let mut places = vec![first];
            places.extend(at[1..].iter().map(|&index| Place { inside: on, index }));
            let from = at.to_vec();
            lower.placed(&array, &places, &boundary, span, |lower| {
                let mut signed: Vec<Id> = from
                    .iter()
                    .map(|&index| lower.cast(Leaf::I64, index))
                    .collect();
                let before = lower.cast(Leaf::I64, before);
                signed[0] = lower.binary(Binary::Sub, signed[0], before);
                signed
            })
        })?;
        Ok(self.guarded(&effects, padded))
    }

    /// The place that an index of a padded axis stands for.
    pub(super) fn padded(&mut self, i: Id, before: Id, n: Id, boundary: &Beyond<'a>) -> Place {
        let on = self.p.bool(true);
        let end = self.binary(Binary::Add, before, n);
        let begun = self.binary(Binary::Le, before, i);
        let open = self.binary(Binary::Lt, i, end);
        let inside = self.and(begun, open);
        let shifted = self.binary(Binary::Sub, i, before);
        let Beyond::Inside(kind) = boundary else {
            return Place {
                inside,
                index: shifted,
            };
        };
        let index = if *kind == Boundary::Clamp {
            let one = self.p.usize(1);
            let low = self.binary(Binary::Max, i, before);
            let low = self.binary(Binary::Sub, low, before);
            let last = self.binary(Binary::Sub, n, one);
            self.binary(Binary::Min, low, last)
        } else {
            let period = self.period(*kind, n);
            let part = self.binary(Binary::Rem, before, period);
            let part = self.binary(Binary::Sub, period, part);
            let moved = self.binary(Binary::Add, i, part);
            let moved = self.binary(Binary::Rem, moved, period);
            let border = self.unfolded(*kind, moved, period, n);
            // The division is for the border only.
            self.either(inside, vec![shifted], vec![border])[0]
        };
        Place { inside: on, index }
    }
}
