//! Scans of the last axis. Everything is an inclusive scan without an initial value: `init` is an element before the
//! others, or combined with the first one; from the right, the axis is read backwards and so is the result. A scan that
//! starts anew with each segment is one of pairs, (starts here, value): (f, a) and (g, b) give (f || g, b if g else a + b).

use super::segments::Marks;
use crate::ir::{Id, Node, QuickMap, Type, Var};
use crate::lower::operators::Operator;
use crate::lower::value::{Array, Value};
use crate::lower::{Lower, Lowered, not_yet};
use crate::scalar::{Binary, Leaf};
use crate::typed::{Expr, Scan};
use proc_macro2::Span;

impl<'a> Lower<'a> {
    pub(super) fn scan(
        &mut self,
        scan: Scan,
        reversed: bool,
        segmented: bool,
        arguments: &'a [Expr],
        span: Span,
    ) -> Lowered<Value<'a>> {
        let array = self.array(&arguments[0])?;
        let whole = scan == Scan::Whole;
        let (marks, arguments) = match segmented {
            true => {
                let n = array.extents[array.extents.len() - 1];
                let segments = self.segments(&arguments[1], n, name_of(scan, reversed), span)?;
                (
                    Some(self.marks(segments, whole, reversed)?),
                    &arguments[1..],
                )
            }
            false => (None, arguments),
        };
        let init = match scan {
            Scan::Whole | Scan::Exclusive => Some(match self.expr(&arguments[1])? {
                Value::Array(init) if init.extents.is_empty() => self.element(&init, &[]),
                init => init,
            }),
            _ => None,
        };
        let (vars, at) = self.indices(array.extents.len());
        let (mut from, mut extents) = (at.clone(), array.extents.clone());
        let axis = extents.len() - 1;
        let (i, n) = (at[axis], extents[axis]);
        let (zero, one) = (self.p.usize(0), self.p.usize(1));
        // Where the scan starts, and whether there is an element here.
        let (first, there) = match &marks {
            Some(marks) => {
                extents[axis] = marks.extent;
                if reversed {
                    from = self.mirrored(&extents, &at);
                }
                let first = self.index(marks.starts, &from[axis..]);
                let mut there = self.not(first);
                if let Some(places) = marks.places {
                    // Of segments that are none of the axis, nothing is read.
                    from[axis] = self.index(places, &from[axis..]);
                    let within = self.p.binary(Binary::Lt, from[axis], n);
                    there = self.and(there, within);
                }
                (first, there)
            }
            None => {
                // With an initial value in front, the element at `i` is the one before.
                if whole {
                    extents[axis] = self.binary(Binary::Add, n, one);
                    from[axis] = self.binary(Binary::Sub, i, one);
                }
                if reversed {
                    // `n - 1 - k`
                    let last = self.binary(Binary::Sub, n, one);
                    from[axis] = self.binary(Binary::Sub, last, from[axis]);
                }
                let first = self.p.binary(Binary::Eq, i, zero);
                (first, self.not(first))
            }
        };
        let mut element = self.element(&array, &from);
        let known = !matches!(scan, Scan::Whole | Scan::Exclusive | Scan::Inclusive);
        let halves = match known.then(|| self.p.leaf(element.scalar())) {
            Some(leaf) if leaf.is_half() => {
                // They are scanned as `f32`, and rounded at the end.
                element = Value::Scalar(self.cast(Leaf::F32, element.scalar()));
                Some(leaf)
            }
            _ => None,
        };
        let operator = match scan {
            Scan::Whole | Scan::Exclusive | Scan::Inclusive => {
                let closure = self.closure(arguments.last().expect("an operator"))?;
                let accumulator = init.as_ref().unwrap_or(&element);
                self.operator_from(&closure, accumulator, &element, init.is_none(), reversed)?
            }
            Scan::Sum | Scan::Product | Scan::Max | Scan::Min => {
                let op = match scan {
                    Scan::Product => Binary::Mul,
                    Scan::Max => Binary::Max,
                    Scan::Min => Binary::Min,
                    _ => Binary::Add,
                };
                let leaf = self.p.leaf(element.scalar());
                self.leafwise(&[(op, leaf)])
            }
        };
        let mut elements = operator.elements(self, &element);
        if let Some(init) = &init {
            let init = init.leaves();
            elements = match whole {
                true => self.either(there, elements, init),
                false => {
                    let then = self.applied(&operator, &init, &elements);
                    self.either(first, then, elements)
                }
            };
        }
        if elements.is_empty() {
            // A scan of units.
            let array = self.reindexed(&array, extents, |_, at| at.to_vec());
            return Ok(Value::Array(array));
        }
        let scanned = match &marks {
            Some(_) => {
                let lifted = self.lifted(&operator);
                let elements = [&[first], &elements[..]].concat();
                self.scan_node(&extents, vars, elements, &lifted, span)?
                    .split_off(1)
            }
            None => self.scan_node(&extents, vars, elements, &operator, span)?,
        };
        let like = init.as_ref().unwrap_or(&element);
        let mut scanned = Array {
            extents,
            tree: Box::new(like.with_leaves(&scanned)),
        };
        if let Some(leaf) = halves {
            scanned = self.converted(leaf, &scanned, span)?;
        }
        match (scan, init) {
            (Scan::Exclusive, Some(init)) => {
                let before = self.before(&scanned, &init, marks.as_ref(), reversed, span)?;
                let totals = match &marks {
                    Some(marks) => {
                        self.segment_totals(&array, &operator, &init, marks, reversed, span)?
                    }
                    None => self.totals(&scanned, &init, span)?,
                };
                Ok(Value::Tuple(vec![before, totals]))
            }
            _ if reversed => {
                let extents = scanned.extents.clone();
                let array = self.reindexed(&scanned, extents, |lower, at| {
                    lower.mirrored(&scanned.extents, at)
                });
                Ok(Value::Array(array))
            }
            _ => Ok(Value::Array(scanned)),
        }
    }

    /// An array of numbers as one of another type.
    fn converted(&mut self, leaf: Leaf, array: &Array<'a>, span: Span) -> Lowered<Array<'a>> {
        let converted = self.tabulate(&array.extents, span, |lower, at| {
            let element = lower.element(array, at).scalar();
            Ok(Value::Scalar(lower.cast(leaf, element)))
        })?;
        match converted {
            Value::Array(array) => Ok(array),
            _ => unreachable!("a scan has an axis"),
        }
    }

    /// The scan of elements over extents; within each segment, where these depend on one.
    fn scan_node(
        &mut self,
        extents: &[Id],
        vars: Vec<Var>,
        elements: Vec<Id>,
        operator: &Operator,
        span: Span,
    ) -> Lowered<Vec<Id>> {
        let Some(around) = self.segment_around(extents, &elements, &vars, span)? else {
            return Ok(self.scanned(extents, vars, elements, operator));
        };
        let depends = |&id: &Id| self.p.free(id).contains(&around.segment);
        if operator.combined.iter().any(depends) {
            return Err(not_yet(
                span,
                "an operator that depends on the segment",
                "let the elements depend on it: `segment.map(|x| (x, ..)).scan1(|a, b| ..)`",
            ));
        }
        let flat = self.flattened(&around, extents[0], vars[0], &elements, span)?;
        let scanned = self.outside(&around, |lower| {
            let marks = lower.marks(flat.segments, false, false)?;
            let first = lower.index(marks.starts, &[flat.place()]);
            let lifted = lower.lifted(operator);
            let elements = [&[first], &flat.elements[..]].concat();
            let extents = [flat.segments.axis];
            let scanned = lower.scanned(&extents, vec![flat.var()], elements, &lifted);
            Lowered::Ok(scanned[1..].to_vec())
        })?;
        Ok(self.segment_of(&around, &flat.segments, extents[0], &scanned))
    }

    pub(super) fn scanned(
        &mut self,
        extents: &[Id],
        vars: Vec<Var>,
        elements: Vec<Id>,
        operator: &Operator,
    ) -> Vec<Id> {
        let bundle = self.p.add(Node::Scan {
            extents: extents.to_vec(),
            vars,
            elements,
            left: operator.left.clone(),
            right: operator.right.clone(),
            combined: operator.combined.clone(),
        });
        self.p.components(bundle)
    }

    /// The operator on pairs that starts anew where the right one says so.
    fn lifted(&mut self, operator: &Operator) -> Operator {
        let bool = Type::Scalar(Leaf::Bool);
        let flags = [(); 2].map(|()| self.p.var(bool.clone()));
        let [f, g] = flags.map(|var| self.p.add(Node::Variable(var)));
        let right: Vec<Id> = (operator.right.iter())
            .map(|&var| self.p.add(Node::Variable(var)))
            .collect();
        let starts = self.or(f, g);
        let combined = self.either(g, right, operator.combined.clone());
        Operator {
            left: [&flags[..1], &operator.left].concat(),
            right: [&flags[1..], &operator.right].concat(),
            combined: [&[starts], &combined[..]].concat(),
            commutes: false,
            terms: None,
        }
    }

    /// What stands before each element.
    fn before(
        &mut self,
        scanned: &Array<'a>,
        init: &Value<'a>,
        marks: Option<&Marks>,
        reversed: bool,
        span: Span,
    ) -> Lowered<Value<'a>> {
        let axis = scanned.extents.len() - 1;
        let (one, zero) = (self.p.usize(1), self.p.usize(0));
        self.tabulate(&scanned.extents, span, |lower, at| {
            let mut from = match reversed {
                true => lower.mirrored(&scanned.extents, at),
                false => at.to_vec(),
            };
            let mut first = lower.p.binary(Binary::Eq, from[axis], zero);
            if let Some(marks) = marks {
                // Of segments that are none of the axis, none may start at its end.
                let starts = lower.index(marks.starts, &at[axis..]);
                first = lower.or(first, starts);
            }
            from[axis] = lower.binary(Binary::Sub, from[axis], one);
            let before = lower.element(scanned, &from).leaves();
            let leaves = lower.either(first, init.leaves(), before);
            Ok(init.with_leaves(&leaves))
        })
    }

    /// What whole rows come to.
    fn totals(&mut self, scanned: &Array<'a>, init: &Value<'a>, span: Span) -> Lowered<Value<'a>> {
        let axis = scanned.extents.len() - 1;
        let (one, zero) = (self.p.usize(1), self.p.usize(0));
        let n = scanned.extents[axis];
        let total = |lower: &mut Self, at: &[Id]| {
            let empty = lower.binary(Binary::Eq, n, zero);
            let last = lower.binary(Binary::Sub, n, one);
            let leaves = lower.element(scanned, &[at, &[last]].concat()).leaves();
            let leaves = lower.either(empty, init.leaves(), leaves);
            Ok(init.with_leaves(&leaves))
        };
        match axis {
            0 => total(self, &[]),
            _ => self.tabulate(&scanned.extents[..axis], span, total),
        }
    }

    /// What the segments of each row come to.
    fn segment_totals(
        &mut self,
        array: &Array<'a>,
        operator: &Operator,
        init: &Value<'a>,
        marks: &Marks,
        reversed: bool,
        span: Span,
    ) -> Lowered<Value<'a>> {
        let axis = array.extents.len() - 1;
        let extents = [&array.extents[..axis], &[marks.segments.count]].concat();
        self.tabulate(&extents, span, |lower, at| {
            let (from, length) = lower.segment(&marks.segments, at[axis], None);
            let (vars, k) = lower.indices(1);
            let k = match reversed {
                true => lower.mirrored(&[length], &k),
                false => k,
            };
            let position = lower.p.binary(Binary::Add, from, k[0]);
            let element = lower.element(array, &[&at[..axis], &[position]].concat());
            let elements = operator.elements(lower, &element);
            let initial = Some(init.leaves());
            let operator = lower.renamed(operator);
            let leaves = lower.reduce(vec![length], vars, elements, &operator, initial);
            Ok(init.with_leaves(&leaves))
        })
    }

    /// An index counted from the end of the last axis.
    fn mirrored(&mut self, extents: &[Id], at: &[Id]) -> Vec<Id> {
        let mut from = at.to_vec();
        let axis = extents.len() - 1;
        let one = self.p.usize(1);
        let last = self.binary(Binary::Sub, extents[axis], one);
        from[axis] = self.binary(Binary::Sub, last, at[axis]);
        from
    }

    /// The operator with variables of its own, to be bound once more.
    fn renamed(&mut self, operator: &Operator) -> Operator {
        let mut fresh = |vars: &[Var]| -> (Vec<Var>, Vec<Id>) {
            let like = vars.iter().map(|&var| self.p.var_type(var).clone());
            let types: Vec<Type> = like.collect();
            let one = |ty: Type| {
                let var = self.p.var(ty);
                (var, self.p.add(Node::Variable(var)))
            };
            types.into_iter().map(one).unzip()
        };
        let (left, a) = fresh(&operator.left);
        let (right, b) = fresh(&operator.right);
        Operator {
            combined: self.applied(operator, &a, &b),
            commutes: operator.commutes,
            terms: None,
            left,
            right,
        }
    }

    /// The operator on these operands.
    fn applied(&mut self, operator: &Operator, left: &[Id], right: &[Id]) -> Vec<Id> {
        let vars = operator.left.iter().chain(&operator.right).copied();
        let map: QuickMap<Var, Id> = vars.zip(left.iter().chain(right).copied()).collect();
        self.p.substitute_all(&operator.combined, &map)
    }
}

fn name_of(scan: Scan, reversed: bool) -> &'static str {
    match (scan, reversed) {
        (Scan::Whole, false) => "scan",
        (Scan::Whole, true) => "rscan",
        (Scan::Inclusive, false) => "scan1",
        (Scan::Inclusive, true) => "rscan1",
        (Scan::Exclusive, false) => "scan_exclusive",
        (Scan::Exclusive, true) => "rscan_exclusive",
        (Scan::Sum, _) => "cumsum",
        (Scan::Product, _) => "cumprod",
        (Scan::Max, _) => "cummax",
        (Scan::Min, _) => "cummin",
    }
}
