//! The meaning of a plan: its steps and kernels run one after another on host vectors.
//!
//! In: a `Plan` and arguments as for `ir::eval`. Out: its results or its failure. Slow, and strict about what back
//! ends may rely on: a use of a buffer that was released or never allocated, of an undefined value, or an access out
//! of bounds panics. Freshly allocated memory holds garbage.

mod folds;
mod frame;
mod outputs;
mod patience;
mod sorts;
mod stages;

use super::body::{Op, Statement, Value};
use super::tiles::Inner;
use super::{BufferId, Kernel, KernelId, Meeting, Plan, Skeleton, Step};
use crate::ir::Site;
use crate::ir::eval::{self, Failed};
use crate::scalar::Work;
use crate::scalar::{self, Leaf, Scalar};
use crate::sorted::SortedSet;
use frame::Frame;
pub use patience::{Meter, run_counted, run_within};
use std::cell::RefCell;
use std::rc::Rc;

/// The elements of a buffer.
pub type Memory = Rc<RefCell<Vec<Scalar>>>;

/// Runs a kernel on its buffers (each with whether it is written) and its scalars; gives its failures.
pub type Launch<'a> = dyn FnMut(KernelId, &[(Memory, bool)], &[Scalar]) -> Vec<Failed> + 'a;

/// The leaves of a fold.
type State = Vec<Scalar>;

/// Runs a plan on scalar parameter leaves and array parameters, both in order.
///
/// # Errors
/// The smallest failure; a failing check of the host ends the call at once.
pub fn run(
    plan: &Plan,
    scalars: &[Scalar],
    arrays: &[eval::Array],
) -> Result<Vec<eval::Output>, Failed> {
    let mut launch = |kernel: KernelId, buffers: &[(Memory, bool)], scalars: &[Scalar]| {
        launch(&plan.kernels[kernel.0 as usize], buffers, scalars)
    };
    run_with(plan, scalars, arrays, &mut launch)
}

/// Runs a plan whose kernels are run by `launch`, on a device for example.
///
/// # Errors
/// As [`run`].
pub fn run_with(
    plan: &Plan,
    scalars: &[Scalar],
    arrays: &[eval::Array],
    launch: &mut Launch<'_>,
) -> Result<Vec<eval::Output>, Failed> {
    run_metered(plan, scalars, arrays, launch).0
}

/// The same, with what the host has done.
fn run_metered(
    plan: &Plan,
    scalars: &[Scalar],
    arrays: &[eval::Array],
    launch: &mut Launch<'_>,
) -> (Result<Vec<eval::Output>, Failed>, Work) {
    let mut machine = Machine {
        plan,
        buffers: vec![None; plan.buffers.len()],
        host: Frame::new(&plan.types),
        failed: None,
        epochs: Epochs::default(),
        launch,
    };
    for (&value, &scalar) in plan.scalars.iter().zip(scalars) {
        machine.host.set(value, scalar);
    }
    if let Some(on_cuda) = plan.on_cuda {
        machine.host.set(on_cuda, Scalar::bool(false));
    }
    let leaves = arrays.iter().flat_map(|array| &array.leaves);
    for (k, leaf) in leaves.enumerate() {
        machine.buffers[k] = Some(Rc::new(RefCell::new(leaf.clone())));
    }
    for (values, array) in plan.extents.iter().zip(arrays) {
        for (&value, &extent) in values.iter().zip(&array.extents) {
            machine.host.set(value, Scalar::wrapped(Leaf::U64, extent));
        }
    }
    let ended = machine.steps(&plan.steps);
    let work = machine.host.meter.work;
    match machine.failed.take() {
        Some(failed) => return (Err(failed), work),
        None => assert!(ended.is_some(), "only a failure ends a call"),
    }
    let outputs = plan.outputs.iter();
    let outputs = outputs.map(|output| machine.output(output)).collect();
    (Ok(outputs), work)
}

struct Machine<'a, 'b> {
    plan: &'a Plan,
    buffers: Vec<Option<Memory>>,
    host: Frame,
    failed: Option<Failed>,
    epochs: Epochs,
    launch: &'a mut Launch<'b>,
}

/// A round of a loop that has failed is the loop's last: what later ones find counts for nothing. Devices have them queued
/// already, so rounds are numbered through the call, here as there; 0 is outside of loops.
#[derive(Default)]
struct Epochs {
    rounds: u32,
    now: u32,
    /// The first that failed, if one has.
    failed: u32,
}

/// What one thread sees while it runs.
struct Thread<'a> {
    frame: &'a mut Frame,
    /// Memory, and whether this launch writes it.
    buffers: &'a [(Memory, bool)],
    /// Arrays of the row.
    rooms: Vec<Memory>,
    failures: Vec<Failed>,
    /// A check of this point failed: it leaves its loops.
    stopped: bool,
}

impl Machine<'_, '_> {
    fn memory(&self, id: BufferId) -> Memory {
        let memory = self.buffers[id.0 as usize].clone();
        memory.unwrap_or_else(|| panic!("{} is not there", self.plan.buffers[id.0 as usize].name))
    }

    fn take(&mut self, id: BufferId) -> Memory {
        let memory = self.memory(id);
        self.buffers[id.0 as usize] = None;
        memory
    }

    fn size(&self, extents: &[Value]) -> usize {
        let sizes = extents.iter().map(|&value| self.host.get(value).bits);
        sizes.product::<u64>() as usize
    }

    fn fail(&mut self, failures: Vec<Failed>) {
        let epochs = &mut self.epochs;
        if failures.is_empty() || (epochs.failed != 0 && epochs.failed < epochs.now) {
            return;
        }
        if epochs.now != 0 {
            epochs.failed = epochs.now;
        }
        for failed in failures {
            if self.failed.as_ref().is_none_or(|other| failed < *other) {
                self.failed = Some(failed);
            }
        }
    }

    /// `None` if a check of the host failed.
    fn steps(&mut self, steps: &[Step]) -> Option<()> {
        steps.iter().try_for_each(|step| self.step(step))
    }

    fn step(&mut self, step: &Step) -> Option<()> {
        match step {
            Step::Compute(statement) => {
                let mut thread = Thread {
                    frame: &mut self.host,
                    buffers: &[],
                    rooms: Vec::new(),
                    failures: Vec::new(),
                    stopped: false,
                };
                thread.run(std::slice::from_ref(statement));
                let failures = thread.failures;
                let failed = !failures.is_empty();
                self.fail(failures);
                return (!failed).then_some(());
            }
            Step::Check {
                condition,
                site,
                values,
            } => {
                if !self.host.is(*condition) {
                    let failed = failure(&self.host, *site, values);
                    self.fail(vec![failed]);
                    return None;
                }
            }
            Step::Allocate(id) => {
                let buffer = &self.plan.buffers[id.0 as usize];
                let garbage = Scalar::wrapped(buffer.leaf, 0xa5a5_a5a5_a5a5_a5a5);
                let size = self.size(&buffer.extents);
                self.buffers[id.0 as usize] = Some(Rc::new(RefCell::new(vec![garbage; size])));
            }
            Step::Fill { buffer, value } => {
                let memory = self.memory(*buffer);
                memory.borrow_mut().fill(*value);
                self.host.meter.work.elements(memory.borrow().len());
            }
            Step::Copy { buffer, of, last } => {
                let memory = self.memory(*of);
                let copy = memory.borrow().clone();
                if *last {
                    self.take(*of);
                }
                // The only name of a memory moves.
                if !*last || Rc::strong_count(&memory) > 1 {
                    self.host.meter.work.elements(copy.len());
                }
                self.buffers[buffer.0 as usize] = Some(Rc::new(RefCell::new(copy)));
            }
            Step::Launch {
                kernel,
                buffers,
                scalars,
            } => {
                let accesses = &self.plan.kernels[kernel.0 as usize].buffers;
                let buffers: Vec<(Memory, bool)> = buffers
                    .iter()
                    .zip(accesses)
                    .map(|(&id, access)| (self.memory(id), access.writes))
                    .collect();
                let scalars: Vec<Scalar> =
                    scalars.iter().map(|&value| self.host.get(value)).collect();
                let failures = (self.launch)(*kernel, &buffers, &scalars);
                self.fail(failures);
            }
            Step::Routine { .. } => unreachable!("it is no CUDA device"),
            Step::Read { value, buffer } => {
                let scalar = self.memory(*buffer).borrow()[0];
                self.host.set(*value, scalar);
            }
            Step::Release(id) => {
                self.take(*id);
            }
            Step::Shrink { buffer, of } => {
                let memory = self.take(*of);
                let size = self.size(&self.plan.buffers[buffer.0 as usize].extents);
                memory.borrow_mut().truncate(size);
                self.buffers[buffer.0 as usize] = Some(memory);
            }
            Step::Share { buffer, of } => {
                self.buffers[buffer.0 as usize] = Some(self.memory(*of));
            }
            Step::If {
                condition,
                then,
                otherwise,
                values,
                buffers,
            } => {
                let taken = self.host.is(*condition);
                self.steps(if taken { then } else { otherwise })?;
                for join in values {
                    let from = if taken { join.then } else { join.otherwise };
                    let scalar = self.host.get(from);
                    self.host.set(join.result, scalar);
                }
                for join in buffers {
                    let from = if taken { join.then } else { join.otherwise };
                    self.buffers[join.result.0 as usize] = Some(self.take(from));
                }
            }
            Step::Loop {
                values,
                buffers,
                test,
                condition,
                body,
            } => {
                for carry in values {
                    let scalar = self.host.get(carry.initial);
                    self.host.set(carry.state, scalar);
                }
                for carry in buffers {
                    self.buffers[carry.state.0 as usize] = Some(self.take(carry.initial));
                }
                let around = self.epochs.now;
                loop {
                    self.epochs.rounds += 1;
                    self.epochs.now = self.epochs.rounds;
                    self.steps(test)?;
                    if !self.host.is(*condition) {
                        break;
                    }
                    self.steps(body)?;
                    let scalars: Vec<Scalar> = values
                        .iter()
                        .map(|carry| self.host.get(carry.next))
                        .collect();
                    for (carry, scalar) in values.iter().zip(scalars) {
                        self.host.set(carry.state, scalar);
                    }
                    let nexts: Vec<Memory> =
                        buffers.iter().map(|carry| self.take(carry.next)).collect();
                    for (carry, memory) in buffers.iter().zip(nexts) {
                        self.buffers[carry.state.0 as usize] = Some(memory);
                    }
                }
                self.epochs.now = around;
            }
        }
        Some(())
    }
}

/// Runs a kernel for every point or row, in order; gives its failures.
pub fn launch(kernel: &Kernel, buffers: &[(Memory, bool)], scalars: &[Scalar]) -> Vec<Failed> {
    launch_metered(kernel, buffers, scalars, &mut Meter::within(u64::MAX))
}

/// The same, within the patience of a meter, which counts.
fn launch_metered(
    kernel: &Kernel,
    buffers: &[(Memory, bool)],
    scalars: &[Scalar],
    meter: &mut Meter,
) -> Vec<Failed> {
    let mut frame = Frame::new(&kernel.types);
    frame.meter = *meter;
    for (&value, &scalar) in kernel.scalars.iter().zip(scalars) {
        frame.set(value, scalar);
    }
    let mut thread = Thread {
        frame: &mut frame,
        buffers,
        rooms: Vec::new(),
        failures: Vec::new(),
        stopped: false,
    };
    match &kernel.skeleton {
        Skeleton::Elementwise(parts) => {
            for part in parts {
                thread.domain(&part.extents, &part.vars, |thread| {
                    thread.stopped = false;
                    thread.run(&part.body);
                });
            }
        }
        Skeleton::Scatter {
            extents,
            vars,
            body,
            condition,
            index,
            fold,
            targets,
            meeting,
            size,
        } => {
            if thread.frame.get(*size).bits == 0 {
                // Nobody asks for an element of an empty result.
                return thread.failures;
            }
            let mut met = SortedSet::new();
            thread.domain(extents, vars, |thread| {
                thread.stopped = false;
                thread.run(body);
                if thread.frame.is(*condition) {
                    let index = thread.frame.get(*index).bits;
                    if let (Meeting::Once { site, .. }, false) = (meeting, met.insert(index)) {
                        let (site, values) = (*site, vec![index as i64]);
                        thread.failures.push(Failed { site, values });
                    }
                    thread.combine_at(fold, targets, index as usize);
                }
            });
        }
        Skeleton::Sort {
            extents,
            vars,
            body,
            length,
            read,
            parts,
            keys,
            by,
            items: _,
        } => {
            let mut elements: Vec<State> = Vec::new();
            thread.domain(extents, vars, |thread| {
                thread.stopped = false;
                thread.run(body);
                let leaves = parts.iter().map(|part| thread.frame.get(part.element));
                elements.push(leaves.collect());
                thread.frame.meter.work.elements(parts.len());
            });
            let length = thread.frame.get(*length).bits.max(1) as usize;
            let read = read.map_or([0, length], |places| {
                places.map(|place| thread.frame.get(place).bits as usize)
            });
            for row in elements.chunks_mut(length) {
                thread.sort(*keys, by.as_deref(), row);
                // The rest of a partial sort is undefined: as zeros, a read of it gives a wrong result in every test.
                for (at, state) in row.iter_mut().enumerate() {
                    if !(read[0]..read[1]).contains(&at) {
                        state.iter_mut().for_each(|x| x.bits = 0);
                    }
                }
            }
            for (k, part) in parts.iter().enumerate().filter(|(_, part)| part.wanted) {
                let (memory, _) = &buffers[part.buffers[0].expect("a result's buffer")];
                let sorted = elements.iter().map(|element| element[k]);
                *memory.borrow_mut() = sorted.collect();
            }
        }
        Skeleton::Staged {
            extents,
            vars,
            rooms,
            stages,
            points: _,
        } => thread.domain(extents, vars, |thread| {
            thread.rooms = stages::memories(rooms);
            let _ = thread.stages(stages);
        }),
        Skeleton::Rowwise {
            extents,
            vars,
            phases,
            tiles,
            products: _,
        } => {
            let sorted =
                (tiles.as_ref().zip(Inner::of(phases))).map(|(tiles, inner)| tiles.phases(inner));
            let phases = sorted.as_ref().unwrap_or(phases);
            thread.domain(extents, vars, |thread| thread.phases(phases));
        }
    }
    let failures = thread.failures;
    *meter = frame.meter;
    failures
}

fn failure(frame: &Frame, site: Site, values: &[Value]) -> Failed {
    Failed {
        site,
        values: values
            .iter()
            .map(|&value| frame.get(value).as_i64())
            .collect(),
    }
}

impl Thread<'_> {
    fn domain(&mut self, extents: &[Value], vars: &[Value], mut each: impl FnMut(&mut Self)) {
        let extents: Vec<u64> = extents.iter().map(|&e| self.frame.get(e).bits).collect();
        if extents.contains(&0) {
            return;
        }
        let mut point = vec![0; extents.len()];
        loop {
            for (&var, &at) in vars.iter().zip(&point) {
                self.frame.set(var, Scalar::wrapped(Leaf::U64, at));
            }
            each(self);
            let mut axis = extents.len();
            loop {
                if axis == 0 {
                    return;
                }
                axis -= 1;
                point[axis] += 1;
                if point[axis] < extents[axis] {
                    break;
                }
                point[axis] = 0;
            }
        }
    }

    fn run(&mut self, statements: &[Statement]) {
        self.frame.meter.spend(1 + statements.len());
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Let { value, op } => {
                self.frame.charge(op);
                let result = self.op(op, self.frame.types[value.0 as usize]);
                self.frame.set(*value, result);
            }
            Statement::Load {
                value,
                buffer,
                index,
                guard,
            } => {
                let reads = guard.is_none_or(|guard| self.frame.is(guard));
                self.frame.meter.work.elements(usize::from(reads));
                let memory = self.memory(*buffer, false);
                let scalar = if reads {
                    memory.borrow()[self.frame.get(*index).bits as usize]
                } else {
                    Scalar::zero(self.frame.types[value.0 as usize])
                };
                self.frame.set(*value, scalar);
            }
            Statement::Store {
                buffer,
                index,
                value,
            } => {
                self.frame.meter.work.elements(1);
                let memory = self.memory(*buffer, true);
                let at = self.frame.get(*index).bits as usize;
                memory.borrow_mut()[at] = self.frame.get(*value);
            }
            Statement::Check {
                condition,
                site,
                values,
            } => {
                if !self.frame.is(*condition) {
                    self.failures.push(failure(self.frame, *site, values));
                    self.stopped = true;
                }
            }
            Statement::If {
                condition,
                then,
                otherwise,
                results,
            } => {
                let taken = self.frame.is(*condition);
                self.run(if taken { then } else { otherwise });
                for join in results {
                    let from = if taken { join.then } else { join.otherwise };
                    let scalar = self.frame.get(from);
                    self.frame.set(join.result, scalar);
                }
            }
            Statement::Loop {
                state,
                test,
                condition,
                body,
            } => {
                self.frame.first_round(state);
                loop {
                    self.run(test);
                    if self.stopped || !self.frame.is(*condition) {
                        break;
                    }
                    self.run(body);
                    if self.stopped {
                        break;
                    }
                    self.frame.next_round(state);
                }
            }
            Statement::Fold {
                extents,
                vars,
                body,
                folds,
            } => self.fold(extents, vars, body, folds),
        }
    }

    fn op(&self, op: &Op, leaf: Leaf) -> Scalar {
        let get = |value: &Value| self.frame.get(*value);
        match op {
            Op::Constant(scalar) => *scalar,
            Op::Unary(op, a) => scalar::unary(*op, get(a)),
            Op::Binary(op, a, b) => scalar::binary(*op, get(a), get(b)),
            Op::Select(c, a, b) => get(if self.frame.is(*c) { a } else { b }),
            Op::Cast(to, a) => scalar::cast(*to, get(a)),
            Op::Bitcast(to, a) => scalar::bitcast(*to, get(a)),
            Op::Math(f, arguments) => {
                let result = scalar::math(*f, &arguments.iter().map(get).collect::<Vec<_>>());
                assert_eq!(result.leaf, leaf, "the type of {f:?}");
                result
            }
            Op::Foreign(_, values) => get(values.last().expect("what the body says")),
        }
    }
}
