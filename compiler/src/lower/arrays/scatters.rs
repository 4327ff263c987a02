//! Scatters, and what stands on them: `histogram` and `reduce_by_index`.
//!
//! A target out of range is a failure of the point's condition, so nothing is written there. A target of rank 0 is the
//! value of a reduction.

use crate::ir::{Failure, Id, Node, Place, Site, Var};
use crate::lower::guards::{Requirement, Scope};
use crate::lower::operators::Operator;
use crate::lower::value::{Array, ClosureValue, Value};
use crate::lower::{Lower, Lowered, not_yet};
use crate::scalar::{Binary, Leaf, Scalar};
use crate::typed::{Expr, Scatter};
use proc_macro2::Span;

/// The points of a scatter: where each goes, if `condition` holds.
pub(super) struct Points<'a> {
    pub(super) extents: Vec<Id>,
    pub(super) vars: Vec<Var>,
    pub(super) condition: Id,
    pub(super) at: Vec<Id>,
    pub(super) element: Value<'a>,
}

impl<'a> Lower<'a> {
    pub(super) fn scatter(
        &mut self,
        scatter: Scatter,
        arguments: &'a [Expr],
        span: Span,
    ) -> Lowered<Value<'a>> {
        let name = scatter.name();
        let array = self.array(&arguments[0])?;
        match scatter {
            Scatter::Combine => {
                let operator = self.closure(&arguments[1])?;
                let source = self.array(&arguments[2])?;
                let index = self.closure(&arguments[3])?;
                let targets = array.extents.clone();
                let points = self.points(&source, &targets, name, span, |lower, at, element| {
                    lower.target(&index, at, element)
                })?;
                self.combined_at(&array, &operator, points, span)
            }
            Scatter::Once | Scatter::Unchecked => {
                let source = self.array(&arguments[1])?;
                let index = self.closure(&arguments[2])?;
                let targets = array.extents.clone();
                let points = self.points(&source, &targets, name, span, |lower, at, element| {
                    lower.target(&index, at, element)
                })?;
                let once = (scatter == Scatter::Once).then(|| self.once(targets.len(), span));
                let operator = self.replacing(&points.element);
                Ok(self.scatter_node(&array, points, &operator, once, span))
            }
            Scatter::Histogram => {
                let bins = self.scalar(&arguments[1])?;
                let points = self.points(&array, &[bins], name, span, |lower, _, key| {
                    Ok(lower.bin(key))
                })?;
                let zero = self.int(Leaf::U32, 0);
                let one = Value::Scalar(self.int(Leaf::U32, 1));
                let defaults = self.filled(bins, &Value::Scalar(zero));
                let operator = self.leafwise(&[(Binary::Add, Leaf::U32)]);
                let points = Points {
                    element: one,
                    ..points
                };
                Ok(self.scatter_node(&defaults, points, &operator, None, span))
            }
            Scatter::ReduceByIndex => {
                let values = self.array(&arguments[1])?;
                let both = [Value::Array(array.clone()), Value::Array(values.clone())];
                let (_, effects) = self.one_shape(&both, name, span);
                let keys = self.guarded_array(&effects, array);
                let bins = self.scalar(&arguments[2])?;
                let init = match self.expr(&arguments[3])? {
                    Value::Array(init) if init.extents.is_empty() => self.element(&init, &[]),
                    init => init,
                };
                let operator = self.closure(&arguments[4])?;
                let points = self.points(&keys, &[bins], name, span, |lower, _, key| {
                    Ok(lower.bin(key))
                })?;
                let at: Vec<Id> = points
                    .vars
                    .iter()
                    .map(|&var| self.p.add(Node::Variable(var)))
                    .collect();
                let element = self.element(&values, &at);
                let defaults = self.filled(bins, &init);
                self.combined_at(&defaults, &operator, Points { element, ..points }, span)
            }
        }
    }

    /// The points of a source, and where `to` says that they go.
    fn points(
        &mut self,
        source: &Array<'a>,
        targets: &[Id],
        name: &str,
        span: Span,
        to: impl FnOnce(&mut Self, &[Id], &Value<'a>) -> Lowered<(Id, Vec<Id>)>,
    ) -> Lowered<Points<'a>> {
        let (vars, indices) = self.indices(source.extents.len());
        let outer = std::mem::take(&mut self.effects);
        let (element, some, at) = self.in_domain(&vars, &source.extents, |lower| {
            let element = lower.element(source, &indices);
            let (some, at) = to(lower, &indices, &element)?;
            let not = lower.not(some);
            for (&index, &extent) in at.iter().zip(targets) {
                let below = lower.binary(Binary::Lt, index, extent);
                let condition = lower.or(not, below);
                let effect = lower.require_value(Requirement {
                    condition,
                    kind: Failure::OutOfBounds,
                    message: format!("index {{0}} of an axis of {{1}} in `{name}`"),
                    values: vec![index, extent],
                    span,
                });
                lower.effects.extend(effect);
            }
            Lowered::Ok((element, some, at))
        })?;
        let effects = self.end_region(outer, &[&[some][..], &at].concat());
        Ok(Points {
            extents: source.extents.clone(),
            vars,
            condition: self.under_all(&effects, some),
            at,
            element,
        })
    }

    /// What a closure of an index and an element says about its target.
    fn target(
        &mut self,
        closure: &ClosureValue<'a>,
        indices: &[Id],
        element: &Value<'a>,
    ) -> Lowered<(Id, Vec<Id>)> {
        let index = super::sources::index_value(indices);
        match self.apply(closure, vec![index, element.clone()])? {
            Value::Option { some, payload } => Ok((some, payload.leaves())),
            // A closure that never gives a target ends with a failure before.
            _ => Ok((self.p.bool(false), Vec::new())),
        }
    }

    /// The bin of a key; a negative one has none, which its size shows.
    fn bin(&mut self, key: &Value<'a>) -> (Id, Vec<Id>) {
        let bin = self.cast(Leaf::U64, key.scalar());
        (self.p.bool(true), vec![bin])
    }

    pub(super) fn filled(&mut self, count: Id, value: &Value<'a>) -> Array<'a> {
        let (vars, _) = self.indices(1);
        let tree = value.map(&mut |leaf| self.abstracted(&[count], &vars, leaf));
        Array {
            extents: vec![count],
            tree: Box::new(tree),
        }
    }

    /// The site of an index that comes a second time.
    fn once(&mut self, rank: usize, span: Span) -> Site {
        let message = match rank {
            1 => "`scatter_unique` writes to the index {0} more than once",
            _ => "`scatter_unique` writes to an element more than once: the {0}th in memory",
        };
        let span = self.spans.add(span);
        self.p.sites.push(Place {
            kind: Failure::AssertionFailed,
            message: message.to_owned(),
            span,
        });
        Site(self.p.sites.len() as u32 - 1)
    }

    /// The operator that forgets what was there.
    pub(super) fn replacing(&mut self, like: &Value<'a>) -> Operator {
        let (left, _) = self.operand(like, "old");
        let (right, new) = self.operand(like, "new");
        Operator {
            left,
            right,
            combined: new.leaves(),
            commutes: false,
            terms: None,
        }
    }

    /// A scatter with the user's operator.
    fn combined_at(
        &mut self,
        defaults: &Array<'a>,
        closure: &ClosureValue<'a>,
        points: Points<'a>,
        span: Span,
    ) -> Lowered<Value<'a>> {
        let (_, at) = self.indices(defaults.extents.len());
        let there = self.element(defaults, &at);
        let operator = self.operator(closure, &there, &points.element, false)?;
        if !operator.commutes && !self.frame.associative && !self.frame.deterministic {
            self.test_commutative(&operator, &there, closure.closure.span)?;
        }
        if defaults.extents.is_empty() {
            return Ok(self.reduced_points(defaults, points, &operator));
        }
        if self.frame.deterministic && !self.order_free(&operator) {
            let inside = |scope: &Scope| matches!(scope, Scope::Domain { .. });
            if self.scopes.iter().any(inside) {
                return Err(not_yet(
                    span,
                    "a scatter in order for each element or row",
                    "write one for the whole array, whose target has the row as its first index",
                ));
            }
            return self.scatter_in_order(defaults, &points, &operator, span);
        }
        Ok(self.scatter_node(defaults, points, &operator, None, span))
    }

    fn scatter_node(
        &mut self,
        defaults: &Array<'a>,
        points: Points<'a>,
        operator: &Operator,
        once: Option<Site>,
        span: Span,
    ) -> Value<'a> {
        let elements = operator.elements(self, &points.element);
        if elements.is_empty() {
            return Value::Array(defaults.clone());
        }
        let bundle = self.p.add(Node::Scatter {
            defaults: defaults.tree.leaves(),
            extents: points.extents,
            vars: points.vars,
            condition: points.condition,
            at: points.at,
            elements,
            left: operator.left.clone(),
            right: operator.right.clone(),
            combined: operator.combined.clone(),
            once,
        });
        self.locate(bundle, span);
        let leaves = self.p.components(bundle);
        Value::Array(Array {
            extents: defaults.extents.clone(),
            tree: Box::new(defaults.tree.with_leaves(&leaves)),
        })
    }

    /// All points that go anywhere, combined after the default.
    fn reduced_points(
        &mut self,
        defaults: &Array<'a>,
        points: Points<'a>,
        operator: &Operator,
    ) -> Value<'a> {
        let default = self.element(defaults, &[]);
        let elements = operator.elements(self, &points.element);
        let mut initial = default.leaves();
        if elements.is_empty() {
            return Value::Array(defaults.clone());
        }
        let identities: Option<Vec<Id>> = (0..elements.len())
            .map(|k| {
                let leaf = self.p.leaf(elements[k]);
                let op = self.known_operator(operator, k)?;
                Some(self.p.constant(Scalar::identity(op, leaf)?))
            })
            .collect();
        let bundle = match identities {
            Some(identities) => {
                let elements = (elements.iter().zip(identities))
                    .map(|(&element, nothing)| self.select(points.condition, element, nothing))
                    .collect();
                self.p.add(Node::Reduce {
                    extents: points.extents,
                    vars: points.vars,
                    elements,
                    left: operator.left.clone(),
                    right: operator.right.clone(),
                    combined: operator.combined.clone(),
                    initial: Some(initial),
                    commutes: operator.commutes,
                })
            }
            None => {
                // With a flag that says whether there is anything yet.
                let [left, right] =
                    [(); 2].map(|()| self.p.var(crate::ir::Type::Scalar(Leaf::Bool)));
                let [l, r] = [left, right].map(|var| self.p.add(Node::Variable(var)));
                let mut combined = vec![self.or(l, r)];
                for (k, &both) in operator.combined.iter().enumerate() {
                    let [a, b] = [operator.left[k], operator.right[k]]
                        .map(|var| self.p.add(Node::Variable(var)));
                    let only = self.select(l, a, b);
                    let all = self.and(l, r);
                    combined.push(self.select(all, both, only));
                }
                initial.insert(0, self.p.bool(true));
                self.p.add(Node::Reduce {
                    extents: points.extents,
                    vars: points.vars,
                    elements: [&[points.condition][..], &elements].concat(),
                    left: [&[left][..], &operator.left].concat(),
                    right: [&[right][..], &operator.right].concat(),
                    combined,
                    initial: Some(initial),
                    commutes: operator.commutes || !self.frame.deterministic,
                })
            }
        };
        let leaves = self.p.components(bundle);
        let leaves = &leaves[leaves.len() - default.leaves().len()..];
        Value::Array(Array {
            extents: Vec::new(),
            tree: Box::new(
                default
                    .with_leaves(leaves)
                    .map(&mut |leaf| self.abstracted(&[], &[], leaf)),
            ),
        })
    }

    /// The operation of a leaf, if it is a known one of both operands.
    fn known_operator(&self, operator: &Operator, k: usize) -> Option<Binary> {
        let Node::Binary(op, a, b) = *self.p.node(operator.combined[k]) else {
            return None;
        };
        let is = |id: Id, var: Var| *self.p.node(id) == Node::Variable(var);
        (is(a, operator.left[k]) && is(b, operator.right[k])).then_some(op)
    }
}
