//! Blocks, branches and early exits.
//!
//! Both sides of a branch are lowered from one environment; whatever differs afterwards is chosen by a `Select` or is
//! a component of one `If`. `return`, `break` and `continue` set flags of the environment, and what follows in the
//! block is lowered under "no flag is set". At the end of a body no flag of `return` is left: each branch gives what it returns.

use super::guards::{Effect, Scope};
use super::value::{Array, Environment, Key, Value};
use super::{Lower, Lowered, not_yet};
use crate::ir::{Id, Node, QuickMap, Type};
use crate::scalar::{Leaf, Scalar};
use crate::typed::{Expr, ExprKind, Stmt};
use proc_macro2::Span;

/// Where an expression stands in a body.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Position {
    /// The body ends with it: its value is that of the body, and what it returns, too.
    Tail,
    Inside,
}

/// One side of a branch.
pub(super) struct Side<'a> {
    pub(super) value: Value<'a>,
    pub(super) environment: Environment<'a>,
    pub(super) effects: Vec<Effect>,
}

impl<'a> Lower<'a> {
    /// A function's or closure's body, in an environment of its own: `return` ends here.
    pub(super) fn body(&mut self, body: &'a Expr) -> Lowered<Value<'a>> {
        let off = self.p.bool(false);
        self.environment.insert(Key::Returned, Value::Scalar(off));
        self.environment.insert(Key::Result, Value::Unset);
        self.tail(body)
    }

    /// The value of a body whose last expression this is: of each way through it the value where it ends, so that what
    /// is returned early is chosen by the branch that returns it, and by no flag.
    fn tail(&mut self, expr: &'a Expr) -> Lowered<Value<'a>> {
        let (position, value) = match &expr.kind {
            ExprKind::Block(statements, value) => {
                let value = self.block(statements, value.as_deref(), Position::Tail)?;
                (Position::Tail, value)
            }
            ExprKind::If(condition, then, otherwise) => {
                let condition = self.scalar(condition)?;
                let position = self.position();
                let value = self.branch(
                    expr.span,
                    condition,
                    |lower| lower.at(position, then),
                    |lower| lower.at(position, otherwise),
                )?;
                (position, value)
            }
            ExprKind::Match(value, arms) => {
                let value = self.expr(value)?;
                let position = self.position();
                (position, self.arms(expr.span, &value, arms, position)?)
            }
            _ => (Position::Inside, self.expr(expr)?),
        };
        let value = match position {
            Position::Tail => value,
            Position::Inside => self.finish_body(expr.span, value)?,
        };
        self.locate_value(&value, expr.span);
        Ok(value)
    }

    /// The value of an expression at a position.
    pub(super) fn at(&mut self, position: Position, expr: &'a Expr) -> Lowered<Value<'a>> {
        match position {
            Position::Tail => self.tail(expr),
            Position::Inside => self.expr(expr),
        }
    }

    /// The position of the branches at the end of a body: where something may have been returned already, they are not
    /// what it ends with.
    fn position(&mut self) -> Position {
        let left = self.left();
        match self.known(left) {
            Some(false) => Position::Tail,
            _ => Position::Inside,
        }
    }

    /// The value of a body: what has been returned, or else what its last expression gives.
    fn finish_body(&mut self, span: Span, value: Value<'a>) -> Lowered<Value<'a>> {
        let returned = self.environment[&Key::Returned].scalar();
        let result = self.take_returned();
        self.branch(span, returned, |_| Ok(result), |_| Ok(value))
    }

    /// What has been returned; its flag is cleared.
    fn take_returned(&mut self) -> Value<'a> {
        self.set_flag(Key::Returned, false);
        let result = self.environment.insert(Key::Result, Value::Unset);
        result.unwrap_or(Value::Unset)
    }

    /// Statements, then the value.
    pub(super) fn block(
        &mut self,
        statements: &'a [Stmt],
        value: Option<&'a Expr>,
        position: Position,
    ) -> Lowered<Value<'a>> {
        let Some((first, rest)) = statements.split_first() else {
            return match (value, position) {
                (Some(value), Position::Tail) => self.tail(value),
                (Some(value), Position::Inside) => self.located(value),
                (None, _) => Ok(Value::unit()),
            };
        };
        let mut never = false;
        let span = match first {
            Stmt::Let { pattern, value } => {
                match value {
                    Some(value) => {
                        let bound = self.located(value)?;
                        never = matches!(bound, Value::Never);
                        if !never {
                            self.evaluated(&bound);
                            self.bind(pattern, bound);
                        }
                    }
                    None => self.bind(pattern, Value::Unset),
                }
                value
                    .as_ref()
                    .map_or_else(Span::call_site, |value| value.span)
            }
            Stmt::Expr(expr) => {
                let dropped = self.expr(expr)?;
                never = matches!(dropped, Value::Never);
                self.evaluated(&dropped);
                self.assigned(expr);
                expr.span
            }
        };
        let last = |lower: &mut Self, value: Value<'a>| match position {
            Position::Tail => lower.finish_body(span, value),
            Position::Inside => Ok(value),
        };
        if never {
            return last(self, Value::Never);
        }
        let left = self.left();
        if self.known(left) == Some(false) {
            return self.block(rest, value, position);
        }
        if rest.is_empty() && value.is_none() {
            return last(self, Value::unit());
        }
        let flags = self.flags();
        let inner = match flags[..] {
            [Key::Returned] => position,
            _ => Position::Inside,
        };
        let value = self.branch(
            span,
            left,
            |lower| match (inner, &flags[..]) {
                (Position::Tail, _) => Ok(lower.take_returned()),
                (Position::Inside, &[flag]) => {
                    lower.set_flag(flag, true);
                    Ok(Value::Never)
                }
                (Position::Inside, _) => Ok(Value::Never),
            },
            |lower| {
                for &flag in &flags {
                    lower.set_flag(flag, false);
                }
                lower.environment.insert(Key::Result, Value::Unset);
                lower.block(rest, value, inner)
            },
        )?;
        match inner == position {
            true => Ok(value),
            false => last(self, value),
        }
    }

    /// The flags that may be set here.
    pub(super) fn flags(&self) -> Vec<Key> {
        self.environment
            .iter()
            .filter(|(key, _)| matches!(key, Key::Returned | Key::Broken(_) | Key::Continued(_)))
            .filter(|(_, flag)| self.known(flag.scalar()) != Some(false))
            .map(|(key, _)| *key)
            .collect()
    }

    /// Whether the current block has been left by `return`, `break` or `continue`.
    pub(super) fn left(&mut self) -> Id {
        let off = self.p.bool(false);
        self.flags().into_iter().fold(off, |left, flag| {
            let flag = self.environment[&flag].scalar();
            self.or(left, flag)
        })
    }

    /// `if condition { then } else { otherwise }`: only the branch taken is evaluated. Assignments of both sides are
    /// merged into the environment.
    pub(super) fn branch(
        &mut self,
        span: Span,
        condition: Id,
        then: impl FnOnce(&mut Self) -> Lowered<Value<'a>>,
        otherwise: impl FnOnce(&mut Self) -> Lowered<Value<'a>>,
    ) -> Lowered<Value<'a>> {
        match self.known(condition) {
            Some(true) => return then(self),
            Some(false) => return otherwise(self),
            None => {}
        }
        let before = self.environment.clone();
        let effects = std::mem::take(&mut self.effects);
        let a = self.side(condition, then)?;
        self.environment.clone_from(&before);
        let not = self.not(condition);
        let b = self.side(not, otherwise)?;
        self.effects = effects;
        self.merge(span, condition, before, a, b)
    }

    fn side(
        &mut self,
        taken: Id,
        body: impl FnOnce(&mut Self) -> Lowered<Value<'a>>,
    ) -> Lowered<Side<'a>> {
        let value = self.in_scope(Scope::Branch(taken), body)?;
        Ok(Side {
            value,
            environment: std::mem::take(&mut self.environment),
            effects: std::mem::take(&mut self.effects),
        })
    }

    /// What both sides leave, as one value; the environment is that of both.
    pub(super) fn merge(
        &mut self,
        span: Span,
        condition: Id,
        before: Environment<'a>,
        a: Side<'a>,
        b: Side<'a>,
    ) -> Lowered<Value<'a>> {
        let keys: Vec<Key> = before.keys().copied().collect();
        let [a, b] = match (&a.value, &b.value) {
            (Value::Never, value) if value.has_array() => [a, self.anticipating(b)],
            (value, Value::Never) if value.has_array() => [self.anticipating(a), b],
            _ => [a, b],
        };
        let mut pairs = Vec::new();
        self.pairs(&a.value, &b.value, &mut pairs, span)?;
        for key in &keys {
            self.pairs(&a.environment[key], &b.environment[key], &mut pairs, span)?;
        }
        let [a_effects, b_effects] = [
            (
                a.effects,
                pairs.iter().map(|pair| pair.0).collect::<Vec<Id>>(),
            ),
            (b.effects, pairs.iter().map(|pair| pair.1).collect()),
        ]
        .map(|(effects, results)| self.unneeded(effects, &results));
        let required = |effects: &[Effect]| -> Vec<Effect> {
            let required = effects.iter().filter(|effect| effect.is_required());
            required.cloned().collect()
        };
        let failures = [required(&a_effects), required(&b_effects)];
        let fails = failures.iter().any(|failures| !failures.is_empty());
        if fails {
            // The failures of a branch count even if nothing of what it computes is needed.
            let on = self.p.bool(true);
            let [a, b] = failures.map(|failures| self.under_all(&failures, on));
            pairs.push((a, b));
        }
        let chosen = self.choose(condition, &pairs, [&a_effects, &b_effects], fails);
        let map: QuickMap<(Id, Id), Id> =
            pairs.iter().copied().zip(chosen.iter().copied()).collect();
        for key in keys {
            let value = self.merged(&a.environment[&key], &b.environment[&key], &map);
            self.environment.insert(key, value);
        }
        if fails && let Some(&token) = chosen.last() {
            self.effects.push(Effect::Demand(token));
        }
        Ok(self.merged(&a.value, &b.value, &map))
    }

    /// A side without another one: its arrays leave the branch, and what the side evaluates with them.
    fn anticipating(&mut self, mut side: Side<'a>) -> Side<'a> {
        let effects = std::mem::take(&mut side.effects);
        let effects = self.unneeded(effects, &side.value.leaves());
        let (required, others): (Vec<Effect>, Vec<Effect>) =
            effects.into_iter().partition(Effect::is_required);
        side.value = self.around_arrays(&others, side.value);
        side.effects = required;
        side
    }

    /// A value whose leaves, those of arrays included, stand under effects.
    fn around_arrays(&mut self, effects: &[Effect], value: Value<'a>) -> Value<'a> {
        match value {
            Value::Tuple(fields) => {
                let fields = fields.into_iter();
                Value::Tuple(
                    fields
                        .map(|field| self.around_arrays(effects, field))
                        .collect(),
                )
            }
            Value::Array(array) => Value::Array(Array {
                tree: Box::new(array.tree.map(&mut |leaf| self.under_all(effects, leaf))),
                extents: array.extents,
            }),
            element => element.map(&mut |leaf| self.under_all(effects, leaf)),
        }
    }

    /// The nodes that differ between two values of one type, extents before leaves.
    fn pairs(
        &mut self,
        a: &Value<'a>,
        b: &Value<'a>,
        out: &mut Vec<(Id, Id)>,
        span: Span,
    ) -> Lowered<()> {
        let mut add = |a: Id, b: Id| {
            if a != b && !out.contains(&(a, b)) {
                out.push((a, b));
            }
        };
        match (a, b) {
            (Value::Scalar(a), Value::Scalar(b)) => add(*a, *b),
            (Value::Range(a, b), Value::Range(c, d)) => {
                add(*a, *c);
                add(*b, *d);
            }
            (Value::Tuple(a), Value::Tuple(b)) => {
                for (a, b) in a.iter().zip(b) {
                    self.pairs(a, b, out, span)?;
                }
            }
            (
                Value::Option {
                    some: a,
                    payload: x,
                },
                Value::Option {
                    some: b,
                    payload: y,
                },
            ) => {
                add(*a, *b);
                self.pairs(x, y, out, span)?;
            }
            (Value::Array(a), Value::Array(b)) => {
                a.extents
                    .iter()
                    .zip(&b.extents)
                    .for_each(|(&a, &b)| add(a, b));
                for (x, y) in a.tree.leaves().into_iter().zip(b.tree.leaves()) {
                    if x != y {
                        let extents = self.p.extents(x).iter().zip(self.p.extents(y));
                        extents.for_each(|(&a, &b)| add(a, b));
                        add(x, y);
                    }
                }
            }
            (Value::Nested(a), Value::Nested(b))
                if !std::rc::Rc::ptr_eq(&a.element, &b.element) =>
            {
                return Err(not_yet(
                    span,
                    "a choice between arrays of arrays",
                    "choose between the arrays, and take the rows of the result",
                ));
            }
            // A value that one side does not have is zero there: nobody reads it, but what is expensive or does not
            // end must not be evaluated there either.
            (Value::Never | Value::Unset, value) => {
                for leaf in self.dear_scalars(value) {
                    let zero = self.p.constant(Scalar::zero(self.p.leaf(leaf)));
                    out.push((zero, leaf));
                }
            }
            (value, Value::Never | Value::Unset) => {
                for leaf in self.dear_scalars(value) {
                    let zero = self.p.constant(Scalar::zero(self.p.leaf(leaf)));
                    out.push((leaf, zero));
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The leaves of an element that should not be evaluated where they are not needed.
    fn dear_scalars(&self, value: &Value<'a>) -> Vec<Id> {
        if value.has_array() {
            return Vec::new();
        }
        let mut leaves = value.leaves();
        leaves.retain(|&leaf| !self.is_cheap(leaf));
        leaves
    }

    /// One node per pair: selects if everything is a small scalar, else the components of one `If`.
    fn choose(
        &mut self,
        condition: Id,
        pairs: &[(Id, Id)],
        [then_effects, else_effects]: [&[Effect]; 2],
        fails: bool,
    ) -> Vec<Id> {
        let scalar = |id: Id| matches!(self.p.ty(id), Type::Scalar(_));
        // What the condition needs has been evaluated anyway.
        let evaluated = self.needed_by(condition);
        let free = |id: Id| self.is_cheap_besides(id, &evaluated);
        let small = then_effects.is_empty()
            && else_effects.is_empty()
            && pairs
                .iter()
                .all(|&(a, b)| scalar(a) && scalar(b) && free(a) && free(b));
        if small {
            return pairs
                .iter()
                .map(|&(a, b)| self.select(condition, a, b))
                .collect();
        }
        let guard = |lower: &mut Self, effects: &[Effect], id: Id| match lower.p.ty(id) {
            Type::Scalar(_) => lower.under_all(effects, id),
            _ => {
                let others = effects.iter().filter(|effect| !effect.is_required());
                let others: Vec<Effect> = others.cloned().collect();
                lower.under_all(&others, id)
            }
        };
        let mut then: Vec<Id> = Vec::new();
        let mut otherwise: Vec<Id> = Vec::new();
        for (k, &(a, b)) in pairs.iter().enumerate() {
            // The last one carries the effects already, if there are any. Extents stay as they are: the types of
            // the arrays name them.
            let extent = self.p.leaf(a) == Leaf::U64
                && pairs[k..].iter().any(|&(x, y)| {
                    let of = |array: Id, extent: Id| match self.p.ty(array) {
                        Type::Array(_, extents) => extents.contains(&extent),
                        _ => false,
                    };
                    of(x, a) || of(y, b)
                });
            if extent || (fails && k + 1 == pairs.len()) {
                then.push(a);
                otherwise.push(b);
            } else {
                then.push(guard(self, then_effects, a));
                otherwise.push(guard(self, else_effects, b));
            }
        }
        let bundle = self.p.add(Node::If {
            condition,
            then,
            otherwise,
        });
        self.p.components(bundle)
    }

    /// `a && b` where `b` is evaluated only if `a` holds; `||` likewise.
    pub(super) fn lazy(
        &mut self,
        span: Span,
        and: bool,
        a: Id,
        b: impl FnOnce(&mut Self) -> Lowered<Id>,
    ) -> Lowered<Id> {
        let short = Value::Scalar(self.p.bool(!and));
        let value = if and {
            self.branch(span, a, |lower| b(lower).map(Value::Scalar), |_| Ok(short))
        } else {
            self.branch(span, a, |_| Ok(short), |lower| b(lower).map(Value::Scalar))
        };
        Ok(value?.scalar())
    }

    /// The value with each pair of nodes replaced by the chosen one.
    fn merged(&self, a: &Value<'a>, b: &Value<'a>, map: &QuickMap<(Id, Id), Id>) -> Value<'a> {
        let pick = |a: Id, b: Id| *map.get(&(a, b)).unwrap_or(&a);
        match (a, b) {
            (Value::Scalar(a), Value::Scalar(b)) => Value::Scalar(pick(*a, *b)),
            (Value::Range(a, b), Value::Range(c, d)) => Value::Range(pick(*a, *c), pick(*b, *d)),
            (Value::Tuple(a), Value::Tuple(b)) => Value::Tuple(
                a.iter()
                    .zip(b)
                    .map(|(a, b)| self.merged(a, b, map))
                    .collect(),
            ),
            (
                Value::Option {
                    some: a,
                    payload: x,
                },
                Value::Option {
                    some: b,
                    payload: y,
                },
            ) => Value::Option {
                some: pick(*a, *b),
                payload: Box::new(self.merged(x, y, map)),
            },
            (Value::Array(a), Value::Array(b)) => Value::Array(Array {
                extents: a
                    .extents
                    .iter()
                    .zip(&b.extents)
                    .map(|(&a, &b)| pick(a, b))
                    .collect(),
                tree: Box::new(self.merged(&a.tree, &b.tree, map)),
            }),
            (Value::Never | Value::Unset, value) if !value.has_array() => value.map(&mut |leaf| {
                let zero = self.p.find_constant(Scalar::zero(self.p.leaf(leaf)));
                zero.and_then(|zero| map.get(&(zero, leaf)).copied())
                    .unwrap_or(leaf)
            }),
            (value, Value::Never | Value::Unset) if !value.has_array() => value.map(&mut |leaf| {
                let zero = self.p.find_constant(Scalar::zero(self.p.leaf(leaf)));
                zero.and_then(|zero| map.get(&(leaf, zero)).copied())
                    .unwrap_or(leaf)
            }),
            (Value::Never | Value::Unset, value) => value.clone(),
            (value, _) => value.clone(),
        }
    }
}
