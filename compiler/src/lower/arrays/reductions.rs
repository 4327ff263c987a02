//! Reductions of the last axis, of all axes, or of one.

use crate::ir::{Id, Node, Type};
use crate::lower::operators::Operator;
use crate::lower::value::{Array, ClosureValue, Value};
use crate::lower::{Lower, Lowered};
use crate::scalar::{Binary, Leaf};
use crate::typed::{Axes, Expr, Reduction};
use std::rc::Rc;

/// A reduction with its arguments evaluated.
struct Reducer<'a> {
    reduction: Reduction,
    name: &'static str,
    /// The second array of `dot`.
    other: Option<Array<'a>>,
    /// The first value of `fold`.
    init: Option<Value<'a>>,
    closure: Option<Rc<ClosureValue<'a>>>,
    /// The leaf type of a `mean`.
    result: Option<Leaf>,
}

impl Reducer<'_> {
    /// Whether there is nothing that no elements come to.
    fn needs_some(&self) -> bool {
        matches!(
            self.reduction,
            Reduction::Fold1
                | Reduction::Min
                | Reduction::Max
                | Reduction::Argmin
                | Reduction::Argmax
        )
    }
}

impl<'a> Lower<'a> {
    pub(super) fn reduction(
        &mut self,
        reduction: Reduction,
        axes: Axes,
        arguments: &'a [Expr],
        expr: &'a Expr,
    ) -> Lowered<Value<'a>> {
        let span = expr.span;
        let array = self.array(&arguments[0])?;
        let rank = array.extents.len();
        let (segments, arguments) = match axes {
            Axes::Segments => {
                let n = array.extents[rank - 1];
                let segments = self.segments(&arguments[1], n, name_of(reduction), span)?;
                (Some(segments), &arguments[1..])
            }
            _ => (None, arguments),
        };
        let mut reducer = Reducer {
            reduction,
            name: name_of(reduction),
            other: None,
            init: None,
            closure: None,
            result: match &expr.ty {
                crate::typed::Type::Array(element, _) => self.leaf_of(element),
                ty => self.leaf_of(ty),
            },
        };
        let mut array = array;
        match reduction {
            Reduction::Dot => {
                let other = self.array(&arguments[1])?;
                let values = [Value::Array(array.clone()), Value::Array(other.clone())];
                let (_, effects) = self.one_shape(&values, "dot", span);
                array = self.guarded_array(&effects, array);
                reducer.other = Some(other);
            }
            Reduction::Fold => {
                let init = self.expr(&arguments[1])?;
                reducer.init = Some(match init {
                    Value::Array(init) if init.extents.is_empty() => self.element(&init, &[]),
                    init => init,
                });
                reducer.closure = Some(self.closure(&arguments[2])?);
            }
            Reduction::Fold1 => reducer.closure = Some(self.closure(&arguments[1])?),
            _ => {}
        }
        if let Some(segments) = segments {
            let extents = [&array.extents[..rank - 1], &[segments.count]].concat();
            return self.tabulate(&extents, span, |lower, at| {
                let (&segment, row) = at.split_last().expect("a segment");
                let some = reducer.needs_some().then_some(reducer.name);
                let (from, length) = lower.segment(&segments, segment, some);
                lower.reduce_line(&reducer, &array, vec![length], |lower, at| {
                    let position = lower.p.binary(Binary::Add, from, at[0]);
                    [row, &[position]].concat()
                })
            });
        }
        let inner: Vec<usize> = match axes {
            Axes::Segments | Axes::Last => (rank.saturating_sub(1)..rank).collect(),
            Axes::All => (0..rank).collect(),
            Axes::Axis(axis) => vec![axis],
        };
        let outer: Vec<usize> = (0..rank).filter(|axis| !inner.contains(axis)).collect();
        let line = |lower: &mut Self, fixed: &[Id]| {
            let extents: Vec<Id> = inner.iter().map(|&axis| array.extents[axis]).collect();
            let count = lower.product(&extents);
            let empty = match reducer.needs_some() {
                true => lower.require_some(count, reducer.name, span),
                false => None,
            };
            let value = lower.reduce_line(&reducer, &array, extents, |_, at| {
                // Each axis has its place in one of the two.
                let place = |of: &[usize], axis| of.iter().position(|&of| of == axis);
                let index = |axis| match place(&inner, axis) {
                    Some(k) => at[k],
                    None => fixed[place(&outer, axis).expect("a fixed axis")],
                };
                (0..rank).map(index).collect()
            })?;
            let effects: Vec<_> = empty.into_iter().collect();
            Ok(lower.guarded(&effects, value))
        };
        if outer.is_empty() {
            return line(self, &[]);
        }
        let extents: Vec<Id> = outer.iter().map(|&axis| array.extents[axis]).collect();
        self.tabulate(&extents, span, line)
    }

    /// The reduction of the elements at `index`, given points of `extents`.
    fn reduce_line(
        &mut self,
        reducer: &Reducer<'a>,
        array: &Array<'a>,
        extents: Vec<Id>,
        index: impl FnOnce(&mut Self, &[Id]) -> Vec<Id>,
    ) -> Lowered<Value<'a>> {
        let (vars, at) = self.indices(extents.len());
        let full = index(self, &at);
        let element = self.element(array, &full);
        let value = match reducer.reduction {
            Reduction::Fold => {
                let init = reducer.init.clone().expect("an initial value");
                let closure = reducer.closure.as_ref().expect("an operator");
                let operator = self.operator(closure, &init, &element, false)?;
                let elements = operator.elements(self, &element);
                let initial = Some(init.leaves());
                let leaves = self.reduce(extents, vars, elements, &operator, initial);
                init.with_leaves(&leaves)
            }
            Reduction::Fold1 => {
                let closure = reducer.closure.as_ref().expect("an operator");
                let operator = self.operator(closure, &element, &element, true)?;
                let elements = operator.elements(self, &element);
                let leaves = self.reduce(extents, vars, elements, &operator, None);
                element.with_leaves(&leaves)
            }
            Reduction::Argmin | Reduction::Argmax => {
                let linear = self.linear_index(&extents, &at);
                let max = reducer.reduction == Reduction::Argmax;
                let operator = self.extremum(self.p.leaf(element.scalar()), max);
                let elements = vec![element.scalar(), linear];
                let leaves = self.reduce(extents, vars, elements, &operator, None);
                Value::Scalar(leaves[1])
            }
            Reduction::Mean => {
                let result = reducer.result.unwrap_or(Leaf::F64);
                let leaf = result.computed();
                let term = self.cast(leaf, element.scalar());
                let count = self.product(&extents);
                let sum = self.known_reduction(extents, vars, Binary::Add, term);
                let count = self.cast(leaf, count);
                let mean = self.p.binary(Binary::Div, sum, count);
                Value::Scalar(self.cast(result, mean))
            }
            Reduction::Dot => {
                let other = reducer.other.as_ref().expect("a second array");
                let other = self.element(other, &full).scalar();
                let leaf = self.p.leaf(other);
                let term = self.product_term(element.scalar(), other);
                let sum = self.known_reduction(extents, vars, Binary::Add, term);
                Value::Scalar(self.cast(leaf, sum))
            }
            // By component.
            simple @ (Reduction::Sum | Reduction::Product) => {
                let terms = element.leaves();
                let sums = self.known_reductions(extents, vars, operation(simple), terms);
                element.with_leaves(&sums)
            }
            simple => {
                let term = element.scalar();
                Value::Scalar(self.known_reduction(extents, vars, operation(simple), term))
            }
        };
        Ok(value)
    }

    /// The product of two elements as a sum takes it: of halves it is not rounded.
    pub(super) fn product_term(&mut self, x: Id, y: Id) -> Id {
        let leaf = self.p.leaf(x).computed();
        let [x, y] = [x, y].map(|id| self.cast(leaf, id));
        self.p.binary(Binary::Mul, x, y)
    }

    /// A reduction by a known operator of the terms that `f` gives.
    pub(super) fn reduced(
        &mut self,
        extents: &[Id],
        reduction: Reduction,
        leaf: Leaf,
        f: impl FnOnce(&mut Self, &[Id]) -> Id,
    ) -> Id {
        let (vars, at) = self.indices(extents.len());
        let term = f(self, &at);
        let reduced = self.known_reduction(extents.to_vec(), vars, operation(reduction), term);
        self.cast(leaf, reduced)
    }

    fn known_reduction(
        &mut self,
        extents: Vec<Id>,
        vars: Vec<crate::ir::Var>,
        op: Binary,
        term: Id,
    ) -> Id {
        self.known_reductions(extents, vars, op, vec![term])[0]
    }

    /// The same of several terms, each for itself.
    fn known_reductions(
        &mut self,
        extents: Vec<Id>,
        vars: Vec<crate::ir::Var>,
        op: Binary,
        terms: Vec<Id>,
    ) -> Vec<Id> {
        let stored: Vec<Leaf> = terms.iter().map(|&term| self.p.leaf(term)).collect();
        // Halves are reduced as `f32`, and rounded at the end.
        let leaves: Vec<Leaf> = stored.iter().map(|leaf| leaf.computed()).collect();
        let terms = terms.into_iter().zip(&leaves);
        let terms = terms.map(|(term, &leaf)| self.cast(leaf, term)).collect();
        // The exact neutral elements; `min` and `max` have none that is Rust's.
        let initial = leaves.iter().map(|&leaf| match op {
            Binary::Add if leaf.is_float() => Some(self.number(leaf, -0.0)),
            Binary::Add => Some(self.int(leaf, 0)),
            Binary::Mul => Some(self.number(leaf, 1.0)),
            Binary::And => Some(self.p.bool(true)),
            Binary::Or => Some(self.p.bool(false)),
            _ => None,
        });
        let initial: Option<Vec<Id>> = initial.collect();
        let operators: Vec<(Binary, Leaf)> = leaves.into_iter().map(|leaf| (op, leaf)).collect();
        let operator = self.leafwise(&operators);
        let reduced = self.reduce(extents, vars, terms, &operator, initial);
        let reduced = reduced.into_iter().zip(stored);
        reduced.map(|(id, leaf)| self.cast(leaf, id)).collect()
    }

    pub(super) fn reduce(
        &mut self,
        extents: Vec<Id>,
        vars: Vec<crate::ir::Var>,
        elements: Vec<Id>,
        operator: &Operator,
        initial: Option<Vec<Id>>,
    ) -> Vec<Id> {
        if elements.is_empty() {
            return Vec::new();
        }
        let bundle = self.p.add(Node::Reduce {
            extents,
            vars,
            elements,
            left: operator.left.clone(),
            right: operator.right.clone(),
            combined: operator.combined.clone(),
            initial,
            commutes: operator.commutes,
        });
        self.p.components(bundle)
    }

    /// The smaller (larger) of two values with their positions; the first of equals; NaN only against NaN. A total
    /// order, so the operator associates and commutes.
    fn extremum(&mut self, leaf: Leaf, max: bool) -> Operator {
        let types = [Type::Scalar(leaf), Type::Scalar(Leaf::U64)];
        let side = |lower: &mut Self| -> (Vec<crate::ir::Var>, Vec<Id>) {
            types
                .iter()
                .map(|ty| {
                    let var = lower.p.var(ty.clone());
                    (var, lower.p.add(Node::Variable(var)))
                })
                .unzip()
        };
        let (left, l) = side(self);
        let (right, r) = side(self);
        let better = if max {
            self.p.binary(Binary::Lt, l[0], r[0])
        } else {
            self.p.binary(Binary::Lt, r[0], l[0])
        };
        let earlier = self.p.binary(Binary::Lt, r[1], l[1]);
        let mut equal = self.p.binary(Binary::Eq, l[0], r[0]);
        let mut better = better;
        if leaf.is_float() {
            let left_nan = self.p.binary(Binary::Ne, l[0], l[0]);
            let right_nan = self.p.binary(Binary::Ne, r[0], r[0]);
            let right_number = self.not(right_nan);
            let rescued = self.and(left_nan, right_number);
            better = self.or(better, rescued);
            let both = self.and(left_nan, right_nan);
            equal = self.or(equal, both);
        }
        let tie = self.and(equal, earlier);
        let take_right = self.or(better, tie);
        let combined = vec![
            self.select(take_right, r[0], l[0]),
            self.select(take_right, r[1], l[1]),
        ];
        Operator {
            left,
            right,
            combined,
            commutes: true,
            terms: None,
        }
    }
}

fn operation(reduction: Reduction) -> Binary {
    match reduction {
        Reduction::Product => Binary::Mul,
        Reduction::Min => Binary::Min,
        Reduction::Max => Binary::Max,
        Reduction::All => Binary::And,
        Reduction::Any => Binary::Or,
        _ => Binary::Add,
    }
}

fn name_of(reduction: Reduction) -> &'static str {
    match reduction {
        Reduction::Fold => "fold",
        Reduction::Fold1 => "fold1",
        Reduction::Sum => "sum",
        Reduction::Product => "product",
        Reduction::Min => "min",
        Reduction::Max => "max",
        Reduction::All => "all",
        Reduction::Any => "any",
        Reduction::Argmin => "argmin",
        Reduction::Argmax => "argmax",
        Reduction::Mean => "mean",
        Reduction::Dot => "dot",
    }
}
