//! Loop unrolling: a `for` of known trip count over fixed arrays is lowered round after round. Its indices are constants then, so
//! an element is a value of its own, and not chosen among all by selects. So is a short one that calls mathematical functions of
//! its counter: what they give is a number of the launch then, computed once. And a short one that reads neighbours and has
//! branches, which make it no reduction: its neighbours are at known places then, as tiles want them.

use super::Lower;
use super::value::{Environment, Key, Value};
use super::walk::{children, written};
use crate::ir::Id;
use crate::scalar::Scalar;
use crate::sorted::{SortedMap, SortedSet};
use crate::typed::{
    ArrayOp, Block, Closure, Expr, ExprKind, For, Label, Local, Pattern, Stmt, Type,
};
use std::rc::Rc;

/// The largest trip count: a fixed array has no more elements.
const MOST_ROUNDS: i128 = 256;

/// The largest size of an unrolled loop, in expressions.
const MOST_EXPRESSIONS: u64 = 1 << 15;

/// The same, of one that indexes no fixed array: each of its functions is a number that the launch passes, each of its reads a
/// neighbour.
const MOST_OF_OTHERS: u64 = 1 << 9;

impl<'a> Lower<'a> {
    /// The values of the induction variable of a `for` that is to be unrolled: few and known, and fixed arrays or windows are
    /// indexed or mathematical functions called of it.
    pub(super) fn unrolled(
        &self,
        each: &'a For,
        start: Id,
        end: Id,
        steps: &[Id],
    ) -> Option<Vec<Scalar>> {
        let first = self.constant_of(start)?;
        let (from, to) = (first.as_i128(), self.constant_of(end)?.as_i128());
        let mut by = Vec::new();
        for &step in steps {
            let step = usize::try_from(self.constant_of(step)?.as_i128()).ok()?;
            by.push((step > 0).then_some(step)?);
        }
        let first_step = by.first().copied().unwrap_or(1);
        let to = to + i128::from(each.range.inclusive);
        if (to - from) / first_step as i128 >= MOST_ROUNDS {
            return None;
        }
        let mut values: Vec<i128> = match each.range.reversed {
            true => (from..to).rev().step_by(first_step).collect(),
            false => (from..to).step_by(first_step).collect(),
        };
        for (position, step) in each.range.steps.iter().enumerate() {
            if position > 0 {
                values = values.into_iter().step_by(by[position]).collect();
            }
            if step.backwards {
                values.reverse();
            }
        }
        let mut writes = SortedMap::new();
        written(&each.body, &mut writes);
        let local = |(key, value): (&Key, &Value<'a>)| match (key, value) {
            (&Key::Local(local), &Value::Scalar(id)) if self.is_of_host(id) => Some(local),
            _ => None,
        };
        let known = self.environment.iter().filter_map(local);
        let mut measure = Measure {
            block: self.block,
            environment: Some(&self.environment),
            calls: self.frame.calls.clone(),
            known: known
                .filter(|&local| !writes.contains_key(&Key::Local(local)))
                .collect(),
            indexes: false,
            functions: false,
            windows: false,
            branches: false,
        };
        measure.bind(&each.pattern);
        let size = measure.size(&each.body).saturating_mul(values.len() as u64);
        let most = match measure.indexes {
            true => MOST_EXPRESSIONS,
            false => MOST_OF_OTHERS,
        };
        let neighbours = measure.windows && measure.branches;
        let unrolls = (measure.indexes || measure.functions || neighbours)
            && size <= most
            && !leaves(&each.body, each.label)
            && !self.writes_arrays(&each.body);
        let value = |value| Scalar::wrapped(first.leaf, value as u64);
        unrolls.then(|| values.into_iter().map(value).collect())
    }

    fn writes_arrays(&self, body: &'a Expr) -> bool {
        let mut writes: SortedMap<Key, Option<&Type>> = SortedMap::new();
        written(body, &mut writes);
        let mut values = writes.keys().filter_map(|key| self.environment.get(key));
        values.any(Value::has_array)
    }
}

/// Whether a round may leave its loop, or what is around it.
fn leaves(expr: &Expr, label: Label) -> bool {
    let mut found = match expr.kind {
        ExprKind::Return(_) => true,
        ExprKind::Break(of) | ExprKind::Continue(of) => of == label,
        _ => false,
    };
    children(expr, &mut |child| found = found || leaves(child, label));
    found
}

fn is_constant(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Constant(_))
}

/// The one variable of a pattern.
fn bound(pattern: &Pattern) -> Option<Local> {
    match pattern {
        Pattern::Bind { local, .. } => Some(*local),
        _ => None,
    }
}

/// Looks through an expression and what it calls.
struct Measure<'a, 'e> {
    block: &'a Block,
    /// Of the function where the loop stands; not in what that calls.
    environment: Option<&'e Environment<'a>>,
    /// The functions around.
    calls: Vec<usize>,
    /// Variables that are constants, or numbers of the launch, once the loop is unrolled.
    known: SortedSet<Local>,
    /// Whether a fixed array is indexed by what is no constant.
    indexes: bool,
    /// Whether a mathematical function is called of known values, which are not all constants yet.
    functions: bool,
    /// Whether a window is indexed by what is no constant.
    windows: bool,
    /// Whether there are branches.
    branches: bool,
}

impl<'a> Measure<'a, '_> {
    /// A variable is known from here on.
    fn bind(&mut self, pattern: &Pattern) {
        self.known.extend(bound(pattern));
    }

    fn is_known(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Constant(_) => true,
            ExprKind::Local(local) => self.known.contains(local),
            ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Math(..)
            | ExprKind::Number(..)
            | ExprKind::Cast(..)
            | ExprKind::Bitcast(..)
            | ExprKind::Tuple(..)
            | ExprKind::Field(..)
            | ExprKind::Call(..)
            | ExprKind::CallClosure(..) => {
                let mut known = true;
                children(expr, &mut |child| known = known && self.is_known(child));
                known
            }
            _ => false,
        }
    }

    /// The size of a body whose parameters get these arguments.
    fn inlined(&mut self, body: &Expr, parameters: &[Option<Local>], arguments: &[Expr]) -> u64 {
        let given = parameters.iter().zip(arguments);
        let given = given.filter(|(_, argument)| self.is_known(argument));
        let inside = given.filter_map(|(&local, _)| local).collect();
        let known = std::mem::replace(&mut self.known, inside);
        let environment = self.environment.take();
        let size = self.size(body);
        (self.environment, self.known) = (environment, known);
        size
    }

    /// The closure that a variable is, if it is known here.
    fn closure(&self, local: Local) -> Option<&'a Closure> {
        match self.environment?.get(&Key::Local(local))? {
            Value::Closure(value) => Some(Rc::clone(value).closure),
            _ => None,
        }
    }

    /// The size of an expression with functions inlined and loops of known trip count unrolled.
    fn size(&mut self, expr: &Expr) -> u64 {
        if let ExprKind::For(each) = &expr.kind {
            self.bind(&each.pattern);
        }
        let mut size = 1u64;
        if let ExprKind::Block(statements, value) = &expr.kind {
            for statement in statements {
                let (Stmt::Let {
                    value: Some(value), ..
                }
                | Stmt::Expr(value)) = statement
                else {
                    continue;
                };
                size = size.saturating_add(self.size(value));
                if let Stmt::Let { pattern, .. } = statement
                    && self.is_known(value)
                {
                    self.bind(pattern);
                }
            }
            let value = value.as_deref().map_or(0, |value| self.size(value));
            return size.saturating_add(value);
        }
        children(expr, &mut |child| {
            size = size.saturating_add(self.size(child));
        });
        match &expr.kind {
            ExprKind::Index(array, index) => {
                let varies = !is_constant(index);
                self.indexes |= varies && matches!(array.ty, Type::Fixed(..));
                size
            }
            ExprKind::Array(ArrayOp::Neighbour, arguments) => {
                self.windows |= !arguments[1..].iter().all(is_constant);
                size
            }
            ExprKind::If(..) => {
                self.branches = true;
                size
            }
            ExprKind::Math(_, arguments) => {
                self.functions |= !arguments.iter().all(is_constant)
                    && arguments.iter().all(|argument| self.is_known(argument));
                size
            }
            ExprKind::Number("with", _) => {
                self.indexes = true;
                size
            }
            ExprKind::Call(function, arguments) if !self.calls.contains(function) => {
                let called = &self.block.functions[*function];
                let parameters = called.parameters.iter().map(|given| Some(given.local));
                let parameters: Vec<Option<Local>> = parameters.collect();
                self.calls.push(*function);
                let body = self.inlined(&called.body, &parameters, arguments);
                self.calls.pop();
                size.saturating_add(body)
            }
            ExprKind::CallClosure(local, arguments) => match self.closure(*local) {
                Some(closure) => {
                    let parameters = closure.parameters.iter().map(|(pattern, _)| bound(pattern));
                    let parameters: Vec<Option<Local>> = parameters.collect();
                    let body = self.inlined(&closure.body, &parameters, arguments);
                    size.saturating_add(body)
                }
                None => size,
            },
            ExprKind::For(each) => {
                let end = |expr: &Expr| match expr.kind {
                    ExprKind::Constant(scalar) => Some(scalar.as_i128()),
                    _ => None,
                };
                let ends = end(&each.range.start).zip(end(&each.range.end));
                let rounds = ends.map_or(1, |(from, to)| (to - from).clamp(1, MOST_ROUNDS));
                size.saturating_mul(rounds as u64)
            }
            _ => size,
        }
    }
}
