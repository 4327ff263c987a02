//! The meaning of a program: a direct evaluation, in goes a `Program` and its arguments, out come its results or its
//! failure. Every back end is compared with this.
//!
//! A node's value is kept until a variable that occurs free in it is bound anew, so shared nodes are evaluated once
//! per iteration. Arrays are always manifest. Branches, guarded values and loops are evaluated only where they are
//! reached. Failures are recorded and evaluation goes on with zero; the smallest (site, values) is reported, after
//! the first failing host check in program order. Once something has failed, loops of the element concerned end.

mod compact;
mod memo;
mod rounding;
mod routine;
mod scan;
mod scatter;
pub(crate) mod sort;
mod value;
mod work;

use super::{Id, Node, Output as ProgramOutput, Program, Site, Var};
use crate::scalar::Work;
use crate::scalar::{self, Binary, Leaf, Math, Scalar, Unary};
use crate::sorted::SortedSet;
use rounding::Rounding;
use std::rc::Rc;
use value::{Elements, Manifest, Poison, Value};
pub use work::{Spent, spent};

/// An array argument.
#[derive(Clone, PartialEq, Debug)]
pub struct Array {
    /// One per axis.
    pub extents: Vec<u64>,
    /// Row-major elements, leaf by leaf.
    pub leaves: Vec<Vec<Scalar>>,
}

/// A result.
#[derive(Clone, PartialEq, Debug)]
pub enum Output {
    /// The leaves of a scalar.
    Scalar(Vec<Scalar>),
    /// An array.
    Array {
        /// One per axis.
        extents: Vec<u64>,
        /// Row-major elements, leaf by leaf.
        leaves: Vec<Vec<Scalar>>,
    },
}

/// What failed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Failed {
    /// The place.
    pub site: Site,
    /// The reported values.
    pub values: Vec<i64>,
}

/// Runs a program on scalar parameter leaves and array parameters, both in order.
///
/// Every element of every array is evaluated. What runs need not evaluate those that no result needs: see [`eval_lazily`].
///
/// # Errors
/// The first failing check, else the smallest failure.
pub fn eval(
    program: &Program,
    scalars: &[Scalar],
    arrays: &[Array],
) -> Result<Vec<Output>, Failed> {
    evaluate(program, scalars, arrays).result
}

/// What an evaluation finds.
pub struct Evaluation {
    /// As of [`eval`].
    pub result: Result<Vec<Output>, Failed>,
    /// All failures that it meets.
    pub failures: SortedSet<Failed>,
    /// The number of values that were computed: a measure of the work that no machine's speed enters.
    pub computed: u64,
}

/// As [`eval`], with all that it meets.
pub fn evaluate(program: &Program, scalars: &[Scalar], arrays: &[Array]) -> Evaluation {
    let mut machine = Machine::new(program, scalars, arrays, None);
    let result = machine.run();
    Evaluation {
        result,
        failures: machine.failures,
        computed: machine.computed,
    }
}

/// As [`eval`], but only what a result depends on counts, down to single elements, and assertions that a program demands.
/// Where this fails, so does whatever runs.
///
/// # Errors
/// The first failing check, else the smallest failure of those that a result depends on.
pub fn eval_lazily(
    program: &Program,
    scalars: &[Scalar],
    arrays: &[Array],
) -> Result<Vec<Output>, Failed> {
    let mut machine = Machine::new(program, scalars, arrays, None);
    machine.lazy = true;
    machine.run()
}

/// As [`eval_lazily`], with the freedom that back ends have used at random: reductions in another bracketing, the result of
/// each float sum or product in a reduction off by at most one unit in the last place, that of a mathematical function
/// by at most four. How far results move shows how far those of a back end may be off.
///
/// # Errors
/// As of [`eval_lazily`].
pub fn eval_perturbed(
    program: &Program,
    scalars: &[Scalar],
    arrays: &[Array],
    seed: u64,
) -> Result<Vec<Output>, Failed> {
    let mut machine = Machine::new(program, scalars, arrays, Some(Rounding(seed)));
    machine.lazy = true;
    machine.run()
}

/// The last group of variables.
const LAST: usize = usize::MAX;

struct Machine<'a> {
    program: &'a Program,
    scalars: &'a [Scalar],
    arrays: &'a [Array],
    /// Values of nodes, as long as no free variable of theirs has changed.
    values: Vec<Option<Value>>,
    vars: Vec<Option<Value>>,
    /// Of a node that binds variables: the nodes that must be forgotten when they change, per group of variables.
    dependent: Vec<Option<Rc<[Vec<Id>]>>>,
    /// Used at random; none: operands one after the other, results rounded to nearest.
    rounding: Option<Rounding>,
    failures: SortedSet<Failed>,
    /// What is evaluated now depends on this failure; only where evaluation is lazy.
    poison: Poison,
    lazy: bool,
    /// Nodes with assertions in them, once somebody asks.
    asserted: Option<SortedSet<Id>>,
    /// Something failed in this element: its loops end.
    stopped: bool,
    /// How many values were computed.
    computed: u64,
    work: Work,
    /// What extents and numbers of rounds must not exceed; one that did.
    limit: Option<u64>,
    beyond: bool,
}

impl<'a> Machine<'a> {
    fn new(
        program: &'a Program,
        scalars: &'a [Scalar],
        arrays: &'a [Array],
        rounding: Option<Rounding>,
    ) -> Self {
        Machine {
            rounding,
            program,
            scalars,
            arrays,
            values: vec![None; program.nodes.len()],
            vars: vec![None; program.vars.len()],
            dependent: vec![None; program.nodes.len()],
            failures: SortedSet::new(),
            poison: None,
            lazy: false,
            asserted: None,
            stopped: false,
            computed: 0,
            work: Work::default(),
            limit: None,
            beyond: false,
        }
    }

    fn run(&mut self) -> Result<Vec<Output>, Failed> {
        for check in &self.program.checks {
            if !self.scalar(check.condition).is_true() {
                self.fail(check.site, &check.values);
            }
            if let Some(failed) = self.failure() {
                return Err(failed);
            }
        }
        let mut outputs = Vec::new();
        for output in &self.program.outputs {
            outputs.push(match output {
                ProgramOutput::Scalar(leaves) => {
                    Output::Scalar(leaves.iter().map(|&leaf| self.scalar(leaf)).collect())
                }
                ProgramOutput::Array { extents, leaves } => Output::Array {
                    extents: extents.iter().map(|&e| self.scalar(e).bits).collect(),
                    leaves: leaves.iter().map(|&leaf| self.result(leaf)).collect(),
                },
            });
        }
        match self.failure() {
            Some(failed) => Err(failed),
            None => Ok(outputs),
        }
    }

    /// The elements of a result.
    fn result(&mut self, leaf: Id) -> Vec<Scalar> {
        let value = self.value(leaf);
        self.meet(value.poison(&|_| true));
        match value {
            Value::Array(array) => array.elements.scalars.clone(),
            other => panic!("{leaf:?} is no array but {other:?}"),
        }
    }

    /// What is told: the least failure that was met, or that a result depends on.
    fn failure(&self) -> Option<Failed> {
        match self.lazy {
            true => self.poison.as_deref().cloned(),
            false => self.failures.first().cloned(),
        }
    }

    fn scalar(&mut self, id: Id) -> Scalar {
        if let Node::Constant(constant) = self.program.node(id) {
            return *constant;
        }
        let value = self.value(id);
        self.consume(value)
    }

    fn value(&mut self, id: Id) -> Value {
        if let Some(value) = &self.values[id.0 as usize] {
            return value.clone();
        }
        self.computed += 1;
        let around = self.poison.take();
        let value = self.compute(id);
        let value = value.poisoned(&std::mem::replace(&mut self.poison, around));
        self.values[id.0 as usize] = Some(value.clone());
        value
    }

    fn all(&mut self, ids: &[Id]) -> Vec<Value> {
        ids.iter().map(|&id| self.value(id)).collect()
    }

    fn fail(&mut self, site: Site, values: &[Id]) {
        let values = values.iter().map(|&v| self.scalar(v).as_i64()).collect();
        self.fail_with(site, values);
    }

    fn fail_with(&mut self, site: Site, values: Vec<i64>) {
        let failed = Failed { site, values };
        if self.lazy {
            return self.meet(Some(Rc::new(failed)));
        }
        self.failures.insert(failed);
        self.stopped = true;
    }

    /// What a failed evaluation continues with.
    fn zero(&mut self, id: Id) -> Value {
        match self.program.ty(id).clone() {
            super::Type::Scalar(leaf) => Value::Scalar(Scalar::zero(leaf)),
            super::Type::Array(leaf, extents) => {
                let extents: Vec<u64> = extents.iter().map(|&e| self.scalar(e).bits).collect();
                let count = self.points(&extents);
                let elements = vec![Scalar::zero(leaf); count as usize].into();
                Value::Array(Rc::new(Manifest { extents, elements }))
            }
            super::Type::Bundle(_) => panic!("a guarded bundle"),
        }
    }

    fn compute(&mut self, id: Id) -> Value {
        let program: &'a Program = self.program;
        match program.node(id) {
            Node::Constant(constant) => Value::Scalar(*constant),
            Node::Parameter(k) => Value::Scalar(self.scalars[*k as usize]),
            Node::Input { array, leaf } => {
                let array = &self.arrays[*array as usize];
                Value::Array(Rc::new(Manifest {
                    extents: array.extents.clone(),
                    elements: array.leaves[*leaf as usize].clone().into(),
                }))
            }
            Node::Extent { array, axis } => {
                let extent = self.arrays[*array as usize].extents[*axis as usize];
                Value::Scalar(Scalar::wrapped(Leaf::U64, extent))
            }
            Node::Variable(var) => self.vars[var.0 as usize].clone().expect("a bound variable"),
            Node::Unary(op, a) => {
                self.work.unary(*op);
                let result = scalar::unary(*op, self.scalar(*a));
                Value::Scalar(self.rounded(result, *op == Unary::Sqrt))
            }
            Node::Binary(op, a, b) => {
                self.work.binary(*op, program.leaf(*a));
                let result = scalar::binary(*op, self.scalar(*a), self.scalar(*b));
                let arithmetic =
                    matches!(op, Binary::Add | Binary::Sub | Binary::Mul | Binary::Div);
                Value::Scalar(self.rounded(result, arithmetic))
            }
            Node::Select(condition, a, b) => {
                self.work.select();
                let (taken, other) = match self.scalar(*condition).is_true() {
                    true => (*a, *b),
                    false => (*b, *a),
                };
                if !self.lazy {
                    self.scalar(other);
                }
                self.value(taken)
            }
            Node::Cast(leaf, a) => {
                self.work.cast();
                Value::Scalar(scalar::cast(*leaf, self.scalar(*a)))
            }
            Node::Bitcast(leaf, a) => Value::Scalar(scalar::bitcast(*leaf, self.scalar(*a))),
            Node::Math(f, arguments) => {
                self.work.math(*f);
                let arguments: Vec<Scalar> = arguments.iter().map(|&a| self.scalar(a)).collect();
                let result = scalar::math(*f, &arguments);
                Value::Scalar(match &mut self.rounding {
                    Some(rounding) if *f != Math::MulAdd => rounding.moved(result, 4),
                    _ => result,
                })
            }
            // The arguments are evaluated, and the body too.
            Node::Foreign(_, values) => {
                let values: Vec<Scalar> = values.iter().map(|&id| self.scalar(id)).collect();
                Value::Scalar(*values.last().expect("what the body says"))
            }
            Node::OnCuda => Value::Scalar(Scalar::bool(false)),
            Node::Routine {
                routine, extents, ..
            } => self.zeros(routine, extents),
            Node::Index { array, indices } => self.index(*array, indices),
            Node::Guard {
                condition,
                site,
                values,
                value,
            } => {
                if self.scalar(*condition).is_true() {
                    self.value(*value)
                } else {
                    self.fail(*site, values);
                    self.zero(*value)
                }
            }
            Node::Demand {
                effect,
                value,
                required,
            } => {
                let whole = !self.lazy || *required && self.is_check(*effect);
                if whole || *required && self.asserts(*effect) {
                    let effect = self.value(*effect);
                    self.meet(effect.poison(&|failed| whole || self.is_assertion(failed.site)));
                }
                self.value(*value)
            }
            Node::If {
                condition,
                then,
                otherwise,
            } => {
                let taken = if self.scalar(*condition).is_true() {
                    then
                } else {
                    otherwise
                };
                Value::Bundle(self.all(taken).into())
            }
            Node::Loop {
                state,
                initial,
                condition,
                next,
            } => self.run_loop(id, state, initial, *condition, next),
            Node::Generate {
                extents,
                vars,
                element,
            } => {
                let extents: Vec<u64> = extents.iter().map(|&e| self.scalar(e).bits).collect();
                let mut elements = Elements::default();
                self.for_each(id, &extents, vars, |machine| {
                    elements.push(machine.value(*element));
                });
                self.work.elements(elements.scalars.len());
                Value::Array(Rc::new(Manifest { extents, elements }))
            }
            Node::Reduce {
                extents,
                vars,
                elements,
                left,
                right,
                combined,
                initial,
                commutes: _,
            } => {
                let extents: Vec<u64> = extents.iter().map(|&e| self.scalar(e).bits).collect();
                let mut parts: Vec<Vec<Value>> = Vec::new();
                parts.extend(initial.as_ref().map(|initial| self.all(initial)));
                let merge = |machine: &mut Self, parts: &mut Vec<Vec<Value>>| {
                    if let (Some(second), Some(first)) = (parts.pop(), parts.pop()) {
                        machine.bind(left, &first);
                        machine.bind(right, &second);
                        machine.forget(id, 1);
                        parts.push(machine.combined(combined));
                    }
                };
                self.for_each(id, &extents, vars, |machine| {
                    parts.push(machine.all(elements));
                    while parts.len() > 1 && machine.merges() {
                        merge(machine, &mut parts);
                    }
                });
                while parts.len() > 1 {
                    merge(self, &mut parts);
                }
                // An empty domain without an initial value is not evaluated: a guard stands before.
                let zero = || {
                    let zero = |&e| Value::Scalar(Scalar::zero(program.leaf(e)));
                    elements.iter().map(zero).collect()
                };
                Value::Bundle(parts.pop().unwrap_or_else(zero).into())
            }
            Node::Scan {
                extents,
                vars,
                elements,
                left,
                right,
                combined,
            } => self.scan(id, extents, vars, elements, [left, right], combined),
            Node::Scatter { .. } => self.scatter(id),
            Node::Compact { .. } => self.compact(id),
            Node::Sort { .. } => self.sort(id),
            Node::Project(bundle, k) => match self.value(*bundle) {
                Value::Bundle(parts) => parts[*k as usize].clone(),
                other => panic!("{bundle:?} is no bundle but {other:?}"),
            },
            Node::Materialize(array) => self.value(*array),
        }
    }

    /// Whether the last two parts of a reduction are combined now: always, if operands are taken one after the other.
    fn merges(&mut self) -> bool {
        self.rounding.as_mut().is_none_or(Rounding::flips)
    }

    /// The side that is taken: an operator that begins anew with a segment adds on one of them.
    fn chosen(&mut self, id: Id) -> Id {
        let program = self.program;
        let (condition, a, b) = match program.node(id) {
            Node::Select(condition, a, b) => (*condition, *a, *b),
            Node::Project(bundle, k) => match program.node(*bundle) {
                Node::If {
                    condition,
                    then,
                    otherwise,
                } => (*condition, then[*k as usize], otherwise[*k as usize]),
                _ => return id,
            },
            _ => return id,
        };
        match self.scalar(condition).is_true() {
            true => self.chosen(a),
            false => self.chosen(b),
        }
    }

    /// What arithmetic gives under `#[fast_math]`, off by at most two units in the last place.
    fn rounded(&mut self, result: Scalar, arithmetic: bool) -> Scalar {
        match &mut self.rounding {
            Some(rounding) if arithmetic && self.program.fast_math => rounding.moved(result, 2),
            _ => result,
        }
    }

    fn combined(&mut self, ids: &[Id]) -> Vec<Value> {
        let mut values = self.all(ids);
        if self.rounding.is_none() {
            return values;
        }
        for (value, &id) in values.iter_mut().zip(ids) {
            let mut chosen = self.chosen(id);
            // What is computed in `f32` is rounded to the digits that are kept.
            if let Node::Cast(leaf, wide) = self.program.node(chosen)
                && leaf.is_half()
            {
                chosen = *wide;
            }
            let rounds = matches!(
                self.program.node(chosen),
                Node::Binary(Binary::Add | Binary::Mul, ..)
            );
            if let (true, Some(rounding), Value::Scalar(scalar)) =
                (rounds, &mut self.rounding, value)
            {
                *scalar = rounding.moved(*scalar, 1);
            }
        }
        values
    }

    fn index(&mut self, id: Id, indices: &[Id]) -> Value {
        self.work.elements(1);
        let array = self.array(id);
        let mut flat = 0;
        for (&index, &extent) in indices.iter().zip(&array.extents) {
            let index = self.scalar(index).bits;
            if index >= extent && self.limit.is_some() {
                // Nothing has asked for it.
                return Value::Scalar(Scalar::zero(self.program.leaf(id)));
            }
            assert!(index < extent, "index {index} of {extent}");
            flat = flat * extent + index;
        }
        array.elements.get(flat as usize)
    }

    fn run_loop(
        &mut self,
        id: Id,
        state: &[Var],
        initial: &[Id],
        condition: Id,
        next: &[Id],
    ) -> Value {
        let mut values = self.all(initial);
        for round in 0.. {
            self.bounded(round);
            if self.beyond {
                break;
            }
            self.bind(state, &values);
            self.forget(id, 0);
            if self.stopped || !self.scalar(condition).is_true() {
                break;
            }
            // The condition itself may have failed.
            if self.stopped || self.poison.is_some() {
                break;
            }
            let next = self.all(next).into_iter().zip(values);
            values = next.map(|(next, before)| next.after(&before)).collect();
        }
        Value::Bundle(values.into())
    }

    /// The number of points of a domain.
    fn points(&mut self, extents: &[u64]) -> u64 {
        extents.iter().for_each(|&extent| self.bounded(extent));
        match self.beyond {
            true => 0,
            false => extents.iter().product(),
        }
    }

    fn bounded(&mut self, number: u64) {
        self.beyond |= self.limit.is_some_and(|limit| number > limit);
    }

    /// Runs `body` for each index in row-major order. A failure inside ends loops of its own iteration only.
    fn for_each(&mut self, id: Id, extents: &[u64], vars: &[Var], mut body: impl FnMut(&mut Self)) {
        let stopped = self.stopped;
        let mut stopped_inside = stopped;
        let count = self.points(extents);
        let run = extents.last().copied().unwrap_or(1);
        for flat in 0..count {
            let mut rest = flat;
            for (&var, &extent) in vars.iter().zip(extents).rev() {
                let index = Scalar::wrapped(Leaf::U64, rest % extent);
                self.vars[var.0 as usize] = Some(Value::Scalar(index));
                rest /= extent;
            }
            // What a run along the last axis shares is kept, unless it has failed.
            match flat % run == 0 || self.stopped != stopped {
                true => self.forget(id, 0),
                false => self.forget(id, LAST),
            }
            self.stopped = stopped;
            body(self);
            stopped_inside |= self.stopped;
        }
        self.stopped = stopped_inside;
    }
}
