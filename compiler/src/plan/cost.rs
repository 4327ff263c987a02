//! Static cost: launches, and bytes read and written, as polynomials in the parameters' extents.
//!
//! In: a plan. Out: its `Cost`. Per launch the distinct elements of each buffer count once: those a read can reach
//! (the domain of the variables its index depends on, if it reads in one place and its index is affine in them), else
//! the whole buffer. Branches count as the dearer side, the body of a loop once.

use super::body::{Op, Statement, Value};
use super::peak::peak;
use super::symbols::Symbols;
use super::{
    Argument, BufferId, Cost, Fold, Kernel, Meeting, Phase, Plan, Polynomial, Skeleton, Sorted,
    Stage, Step, sorts,
};
use crate::ir::QuickMap;
use crate::scalar::{Binary, Leaf};
use crate::sorted::{SortedMap, SortedSet};

impl Plan {
    /// What the plan costs, once it has releases.
    pub fn static_cost(&self) -> Cost {
        let mut symbols = Symbols::new(self);
        let mut cost = symbols.steps(&self.steps);
        cost.peak = peak(&symbols, self);
        cost
    }
}

impl Symbols<'_> {
    fn size(&self, extents: &[Value]) -> Polynomial {
        let extents = extents.iter().map(|&extent| self.of(extent));
        extents.fold(Polynomial::constant(1), |size, extent| size.times(&extent))
    }

    pub(super) fn bytes(&self, buffer: BufferId) -> Polynomial {
        let buffer = &self.plan.buffers[buffer.0 as usize];
        let bytes = Polynomial::constant(buffer.leaf.bytes() as i64);
        bytes.times(&self.size(&buffer.extents))
    }

    /// What scatters have for themselves.
    fn scratch(&self, steps: &[Step]) -> impl Iterator<Item = BufferId> {
        steps.iter().filter_map(|step| match step {
            Step::Launch {
                kernel, buffers, ..
            } => match self.plan.kernels[kernel.0 as usize].skeleton {
                Skeleton::Scatter {
                    meeting: Meeting::Locked { locks: at, .. } | Meeting::Once { met: at, .. },
                    ..
                } => Some(buffers[at]),
                _ => None,
            },
            _ => None,
        })
    }

    fn steps(&mut self, steps: &[Step]) -> Cost {
        let mut total = Cost::default();
        let scratch: SortedSet<BufferId> = self.scratch(steps).collect();
        for step in steps {
            match step {
                Step::Compute(Statement::Let { value, op }) => {
                    self.define(*value, op);
                    let either = matches!(
                        op,
                        Op::Binary(Binary::Min | Binary::Max, ..) | Op::Select(..)
                    );
                    if either && self.plan.names[value.0 as usize].is_none() {
                        self.either.insert(*value);
                    }
                }
                Step::Launch {
                    kernel,
                    buffers,
                    scalars,
                } => {
                    let kernel = &self.plan.kernels[kernel.0 as usize];
                    let buffers: Vec<Polynomial> = buffers
                        .iter()
                        .map(|&id| self.size(&self.plan.buffers[id.0 as usize].extents))
                        .collect();
                    let scalars = kernel.scalars.iter().zip(scalars);
                    let scalars = scalars.filter(|(_, outer)| !self.either.contains(outer));
                    let scalars = scalars.map(|(&inner, &outer)| (inner, self.of(outer)));
                    let (read, written) = Reach::of(kernel, scalars.collect(), &buffers);
                    total.kernels += launches(kernel);
                    total.read = total.read.plus(&read);
                    total.written = total.written.plus(&written);
                }
                // Each of its arrays once; it is no kernel of ours.
                Step::Routine {
                    arguments, results, ..
                } => {
                    let arrays = arguments.iter().filter_map(Argument::array);
                    let sum = |all: Polynomial, id| all.plus(&self.bytes(id));
                    total.read = arrays.fold(total.read, sum);
                    total.written = results.iter().copied().fold(total.written, sum);
                }
                // Scratch memory does not count.
                Step::Fill { buffer, .. } if !scratch.contains(buffer) => {
                    total.written = total.written.plus(&self.bytes(*buffer));
                }
                Step::Copy { buffer, .. } => {
                    let bytes = self.bytes(*buffer);
                    total.read = total.read.plus(&bytes);
                    total.written = total.written.plus(&bytes);
                }
                Step::If {
                    then,
                    otherwise,
                    values,
                    ..
                } => {
                    let (then, otherwise) = (self.steps(then), self.steps(otherwise));
                    for join in values {
                        let (a, b) = (self.of(join.then), self.of(join.otherwise));
                        if a == b {
                            self.known.insert(join.result, a);
                        }
                    }
                    total.kernels += then.kernels.max(otherwise.kernels);
                    total.read = total.read.plus(&then.read.larger(otherwise.read));
                    total.written = total.written.plus(&then.written.larger(otherwise.written));
                }
                Step::Loop {
                    values, test, body, ..
                } => {
                    // An extent that every round hands on is the one that the loop began with.
                    for carry in values {
                        if carry.next == carry.state {
                            let initial = self.of(carry.initial);
                            self.known.insert(carry.state, initial);
                        }
                    }
                    for steps in [test, body] {
                        let round = self.steps(steps);
                        total.kernels += round.kernels;
                        total.read = total.read.plus(&round.read);
                        total.written = total.written.plus(&round.written);
                    }
                }
                _ => {}
            }
        }
        total
    }
}

/// How often the host launches a kernel, at most.
fn launches(kernel: &Kernel) -> u32 {
    match &kernel.skeleton {
        // The tiles, and a round of merges.
        Skeleton::Sort { by: Some(_), .. } => 3,
        Skeleton::Sort { parts, keys, .. } => {
            1 + sorts::digits(&leaves(kernel, &parts[..*keys])).len() as u32
        }
        Skeleton::Elementwise(_)
        | Skeleton::Rowwise { .. }
        | Skeleton::Staged { .. }
        | Skeleton::Scatter { .. } => 1,
    }
}

fn leaves(kernel: &Kernel, parts: &[Sorted]) -> Vec<Leaf> {
    let leaf = |part: &Sorted| kernel.types[part.element.0 as usize];
    parts.iter().map(leaf).collect()
}

type Strides = SortedMap<Value, Option<Polynomial>>;

/// Which elements a kernel touches.
struct Reach {
    /// Launch scalars and extents.
    known: QuickMap<Value, Polynomial>,
    /// Extents of domain variables.
    vars: QuickMap<Value, Value>,
    /// The domain variables a value depends on, each with its stride where that is known, and whether it is affine in them.
    depends: QuickMap<Value, (Strides, bool)>,
    /// Per buffer: its reads, by index value.
    reads: SortedMap<usize, SortedSet<Value>>,
    writes: SortedSet<usize>,
    /// Of those the ones that are read too.
    combines: SortedSet<usize>,
}

impl Reach {
    fn of(
        kernel: &Kernel,
        known: QuickMap<Value, Polynomial>,
        buffers: &[Polynomial],
    ) -> (Polynomial, Polynomial) {
        let mut reach = Reach {
            known,
            vars: QuickMap::default(),
            depends: QuickMap::default(),
            reads: SortedMap::new(),
            writes: SortedSet::new(),
            combines: SortedSet::new(),
        };
        match &kernel.skeleton {
            Skeleton::Elementwise(parts) => {
                for part in parts {
                    reach.domain(&part.extents, &part.vars);
                    reach.statements(&part.body);
                }
            }
            Skeleton::Scatter {
                extents,
                vars,
                body,
                fold,
                targets,
                meeting,
                ..
            } => {
                reach.fold(extents, vars, body, std::slice::from_ref(fold));
                reach.writes.extend(targets);
                // What is there is read, unless it is replaced.
                if matches!(meeting, Meeting::Apart | Meeting::Locked { .. }) {
                    reach.combines.extend(targets);
                }
            }
            Skeleton::Sort {
                extents,
                vars,
                body,
                by,
                ..
            } => {
                reach.domain(extents, vars);
                reach.statements(body);
                if let Some(by) = by {
                    for value in by.left.iter().chain(&by.right) {
                        reach.inexact(*value, vars);
                    }
                    reach.statements(&by.body);
                }
            }
            Skeleton::Staged {
                extents,
                vars,
                stages,
                ..
            } => {
                reach.domain(extents, vars);
                reach.stages(stages);
                // Rooms are no memory of the device.
                reach.reads.retain(|&at, _| at < kernel.buffers.len());
                reach.writes.retain(|&at| at < kernel.buffers.len());
            }
            Skeleton::Rowwise {
                extents,
                vars,
                phases,
                ..
            } => {
                reach.domain(extents, vars);
                for phase in phases {
                    match phase {
                        Phase::Uniform(body) => reach.statements(body),
                        Phase::Fold {
                            extents,
                            vars,
                            body,
                            folds,
                        } => reach.fold(extents, vars, body, folds),
                        Phase::Each {
                            extents,
                            vars,
                            body,
                        } => {
                            reach.domain(extents, vars);
                            reach.statements(body);
                        }
                        Phase::Scan {
                            extents,
                            vars,
                            body,
                            folds,
                            prefixes,
                            each,
                            after,
                        } => {
                            reach.fold(extents, vars, body, folds);
                            for (prefix, fold) in prefixes.iter().zip(folds) {
                                for value in prefix.through.iter().chain(&prefix.before) {
                                    reach.inexact(*value, &[vars, &fold.elements[..]].concat());
                                }
                            }
                            reach.statements(each);
                            reach.operators(after);
                        }
                    }
                }
            }
        }
        let bytes =
            |buffer: usize| Polynomial::constant(kernel.buffers[buffer].leaf.bytes() as i64);
        let (mut read, mut written) = (Polynomial::default(), Polynomial::default());
        for (&buffer, indices) in &reach.reads {
            let elements = reach.elements(indices, &buffers[buffer]);
            read = read.plus(&bytes(buffer).times(&elements));
        }
        if let Skeleton::Sort {
            extents,
            parts,
            by: Some(_),
            ..
        } = &kernel.skeleton
        {
            let size = reach.size(extents);
            for part in parts {
                let leaf = kernel.types[part.element.0 as usize];
                let all = Polynomial::constant(leaf.bytes() as i64).times(&size);
                written = written.plus(&all).plus(&all);
                read = read.plus(&all);
            }
        } else if let Skeleton::Sort {
            extents,
            parts,
            keys,
            ..
        } = &kernel.skeleton
        {
            // The elements are computed for their digits, and again by the first pass.
            read = read.plus(&read);
            let size = reach.size(extents);
            let keys = leaves(kernel, &parts[..*keys]);
            let all = sorts::digits(&keys).len();
            for (k, part) in parts.iter().enumerate() {
                let leaf = kernel.types[part.element.0 as usize];
                let stored = sorts::passes(&keys, k, part.wanted);
                let times = |passes: usize| {
                    Polynomial::constant((leaf.bytes() * passes) as i64).times(&size)
                };
                // The last pass's are not read again.
                read = read.plus(&times(stored.min(all - 1)));
                written = written.plus(&times(stored));
            }
        }
        for &buffer in &reach.combines {
            read = read.plus(&bytes(buffer).times(&buffers[buffer]));
        }
        for &buffer in &reach.writes {
            written = written.plus(&bytes(buffer).times(&buffers[buffer]));
        }
        (read, written)
    }

    fn size(&self, extents: &[Value]) -> Polynomial {
        let known = |extent: &Value| self.known.get(extent).cloned();
        let extents = extents
            .iter()
            .map(|extent| known(extent).unwrap_or_default());
        extents.fold(Polynomial::constant(1), |size, extent| size.times(&extent))
    }

    /// The distinct elements that these reads can reach.
    fn elements(&self, indices: &SortedSet<Value>, all: &Polynomial) -> Polynomial {
        let mut counts: SortedSet<String> = SortedSet::new();
        let mut found = None;
        for index in indices {
            let none = (Strides::new(), true);
            let (vars, affine) = self.depends.get(index).unwrap_or(&none);
            if !affine {
                return all.clone();
            }
            // Of variables of one stride, those of a window for example, the sum counts.
            let mut axes: Vec<(&Option<Polynomial>, Polynomial)> = Vec::new();
            for (var, stride) in vars {
                let extent = self.vars.get(var).and_then(|extent| self.known.get(extent));
                let Some(extent) = extent else {
                    return all.clone();
                };
                let same = |(other, _): &&mut (&Option<Polynomial>, Polynomial)| {
                    stride.is_some() && *other == stride
                };
                match axes.iter_mut().find(same) {
                    Some((_, axis)) => {
                        *axis = axis.plus(extent).plus(&Polynomial::constant(-1));
                    }
                    None => axes.push((stride, extent.clone())),
                }
            }
            let axes = axes.iter().map(|(_, axis)| axis);
            let count = axes.fold(Polynomial::constant(1), |count, axis| count.times(axis));
            counts.insert(count.to_string());
            found = Some(count);
        }
        // The same variables in another fold over the same domain: most often the same elements.
        match (found, indices.len(), counts.len()) {
            (Some(count), 1, _) => bounded(count, all),
            (Some(count), _, 1) if count.symbols().is_empty() => {
                let times = Polynomial::constant(indices.len() as i64);
                bounded(count.times(&times), all)
            }
            _ => all.clone(),
        }
    }

    fn domain(&mut self, extents: &[Value], vars: &[Value]) {
        for (&extent, &var) in extents.iter().zip(vars) {
            self.vars.insert(var, extent);
            let one = Some(Polynomial::constant(1));
            self.depends
                .insert(var, (Strides::from([(var, one)]), true));
        }
    }

    fn fold(&mut self, extents: &[Value], vars: &[Value], body: &[Statement], folds: &[Fold]) {
        self.domain(extents, vars);
        self.statements(body);
        self.operators(folds);
    }

    fn operators(&mut self, folds: &[Fold]) {
        for fold in folds {
            for (value, element) in fold
                .left
                .iter()
                .chain(&fold.right)
                .zip(fold.elements.iter().chain(&fold.elements))
            {
                self.inexact(*value, &[*element]);
            }
            self.statements(&fold.combine);
            for (result, combined) in fold.results.iter().zip(&fold.combined) {
                self.inexact(*result, &[*combined]);
            }
        }
    }

    /// A value that depends on others in a way that is not affine.
    fn inexact(&mut self, value: Value, on: &[Value]) {
        let all = on.iter().filter_map(|value| self.depends.get(value));
        let vars = all.flat_map(|(vars, _)| vars.keys());
        let vars: Strides = vars.map(|&var| (var, None)).collect();
        self.depends.insert(value, (vars, false));
    }

    /// The strides of an operation's variables.
    fn strides(&self, op: &Op, parts: &[(Strides, bool)]) -> Strides {
        let known = |operand: &Value| self.known.get(operand).cloned();
        let minus = Polynomial::constant(-1);
        let mut all = Strides::new();
        for (k, (strides, _)) in parts.iter().enumerate() {
            let factor = match op {
                Op::Binary(Binary::Add, ..) => Some(Polynomial::constant(1)),
                Op::Binary(Binary::Sub, ..) if k == 0 => Some(Polynomial::constant(1)),
                Op::Binary(Binary::Sub, ..) => Some(minus.clone()),
                Op::Binary(Binary::Mul, a, b) => known(if k == 0 { b } else { a }),
                _ => None,
            };
            for (&var, stride) in strides {
                let stride = stride.as_ref().zip(factor.as_ref());
                let stride = stride.map(|(stride, factor)| stride.times(factor));
                let sum = match all.get(&var) {
                    Some(other) => stride.zip(other.as_ref()).map(|(a, b)| a.plus(b)),
                    None => stride,
                };
                all.insert(var, sum);
            }
        }
        all
    }

    fn stages(&mut self, stages: &[Stage]) {
        for stage in stages {
            match stage {
                Stage::Uniform(body) => self.statements(body),
                Stage::Each {
                    extents,
                    vars,
                    body,
                } => {
                    self.domain(extents, vars);
                    self.statements(body);
                }
                Stage::Swap(..) => {}
                Stage::Rounds {
                    state, test, body, ..
                } => {
                    for carry in state {
                        self.inexact(carry.state, &[carry.initial]);
                    }
                    self.statements(test);
                    self.stages(body);
                }
            }
        }
    }

    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Let { value, op } => {
                if let Op::Constant(scalar) = op {
                    let number = Polynomial::constant(scalar.as_i64());
                    self.known.insert(*value, number);
                }
                let operands = op.operands();
                let none = (Strides::new(), true);
                let parts: Vec<(Strides, bool)> = operands
                    .iter()
                    .map(|operand| self.depends.get(operand).unwrap_or(&none).clone())
                    .collect();
                let exact = parts.iter().all(|(_, affine)| *affine);
                let vars = self.strides(op, &parts);
                let affine = match op {
                    Op::Binary(Binary::Add | Binary::Sub, ..) => exact,
                    Op::Binary(Binary::Mul, ..) => {
                        exact && parts.iter().filter(|(vars, _)| !vars.is_empty()).count() <= 1
                    }
                    _ => vars.is_empty(),
                };
                self.depends.insert(*value, (vars, affine));
            }
            Statement::Load {
                value,
                buffer,
                index,
                ..
            } => {
                self.reads.entry(*buffer).or_default().insert(*index);
                self.inexact(*value, &[*index]);
            }
            Statement::Store { buffer, .. } => {
                self.writes.insert(*buffer);
            }
            Statement::Check { .. } => {}
            Statement::If {
                condition,
                then,
                otherwise,
                results,
            } => {
                self.statements(then);
                self.statements(otherwise);
                for join in results {
                    self.inexact(join.result, &[*condition, join.then, join.otherwise]);
                }
            }
            Statement::Loop {
                state, test, body, ..
            } => {
                for carry in state {
                    // Whatever it becomes: not a known function of the indices.
                    self.depends.insert(carry.state, (Strides::new(), false));
                }
                self.statements(test);
                self.statements(body);
            }
            Statement::Fold {
                extents,
                vars,
                body,
                folds,
            } => self.fold(extents, vars, body, folds),
        }
    }
}

/// A count of reads, but no more than there are elements, where that is known whatever the symbols stand for.
fn bounded(count: Polynomial, all: &Polynomial) -> Polynomial {
    let more = count.plus(&Polynomial::constant(-1).times(all));
    match more.terms.iter().all(|(factor, _)| *factor > 0) {
        true => all.clone(),
        false => count,
    }
}
