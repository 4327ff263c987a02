//! The invariants of a plan, checked in tests and in debug builds.
//!
//! 1. A value is defined once, before its uses and in a scope around them; operands have the types that operations
//!    want. Operators of folds touch no memory, the host's code neither.
//! 2. A kernel reads or writes each of its buffers, never both; a launch passes one buffer and one scalar of the right
//!    type for each parameter, and no memory that is written under two names.
//! 3. A name is used between its allocation and its release (or its move) only, and read after it was written.
//! 4. The sides of a branch leave the same names, and so do the rounds of a loop.
//! 5. Results are there at the end, and of the memory that the plan has allocated nothing else is.

mod code;
mod kernel;
mod stages;
mod tiles;
mod windows;

use super::{Argument, BufferId, Meeting, Output, Plan, Skeleton, Step, Value};
use crate::ir::{Parameter, Routine};
use crate::scalar::Leaf;
use crate::sorted::{SortedMap, SortedSet};
use code::Code;

/// What is wrong, and where.
type Wrong = String;

impl Plan {
    /// Checks every invariant.
    ///
    /// # Errors
    /// The first violation, with its place.
    pub fn verify(&self) -> Result<(), String> {
        for kernel in &self.kernels {
            kernel::kernel(kernel, self.sites.len())
                .map_err(|wrong| format!("kernel `{}`: {wrong}", kernel.name))?;
        }
        let mut host = Host {
            plan: self,
            code: Code::new(&self.types, None, self.sites.len()),
            live: SortedMap::new(),
            memories: 0,
            kept: SortedSet::new(),
        };
        host.parameters()?;
        host.steps(&self.steps, "step")?;
        host.outputs()
    }
}

/// A name of memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Name {
    memory: u32,
    written: bool,
}

struct Host<'a> {
    plan: &'a Plan,
    code: Code<'a>,
    live: SortedMap<BufferId, Name>,
    memories: u32,
    /// Parameters: those passed by reference are never released, no one has to be.
    kept: SortedSet<BufferId>,
}

impl Host<'_> {
    fn parameters(&mut self) -> Result<(), Wrong> {
        for &value in self
            .plan
            .scalars
            .iter()
            .chain(self.plan.extents.iter().flatten())
            .chain(&self.plan.on_cuda)
        {
            self.code.define(value)?;
        }
        let leaves = self
            .plan
            .parameters
            .iter()
            .map(|parameter| match parameter {
                Parameter::Array { leaves, .. } => leaves.len() as u32,
                Parameter::Scalars { .. } => 0,
            });
        for k in 0..leaves.sum() {
            self.begin(BufferId(k), true)?;
            self.kept.insert(BufferId(k));
        }
        Ok(())
    }

    fn name(&self, id: BufferId) -> String {
        match self.plan.buffers.get(id.0 as usize) {
            Some(buffer) => format!("`{}`", buffer.name),
            None => format!("{id:?}, which the plan does not have"),
        }
    }

    fn leaf(&self, id: BufferId) -> Result<Leaf, Wrong> {
        let buffer = self.plan.buffers.get(id.0 as usize);
        buffer
            .map(|buffer| buffer.leaf)
            .ok_or_else(|| self.name(id))
    }

    /// A name comes to be.
    fn begin(&mut self, id: BufferId, written: bool) -> Result<(), Wrong> {
        let memory = self.memories;
        self.memories += 1;
        self.leaf(id)?;
        self.code
            .lengths(&self.plan.buffers[id.0 as usize].extents)?;
        match self.live.insert(id, Name { memory, written }) {
            None => Ok(()),
            Some(_) => Err(format!("{} is there already", self.name(id))),
        }
    }

    fn used(&self, id: BufferId) -> Result<Name, Wrong> {
        let found = self.live.get(&id).copied();
        found.ok_or_else(|| format!("{} is used while it is not there", self.name(id)))
    }

    fn read(&self, id: BufferId) -> Result<Name, Wrong> {
        match self.used(id)? {
            name if name.written => Ok(name),
            _ => Err(format!(
                "{} is read before anything was written",
                self.name(id)
            )),
        }
    }

    fn end(&mut self, id: BufferId) -> Result<(), Wrong> {
        self.used(id)?;
        self.live.remove(&id);
        Ok(())
    }

    fn steps(&mut self, steps: &[Step], place: &str) -> Result<(), Wrong> {
        for (k, step) in steps.iter().enumerate() {
            let place = format!("{place} {k}");
            self.step(step, &place)
                .map_err(|wrong| match wrong.starts_with("step") {
                    true => wrong,
                    false => format!("{place}: {wrong}"),
                })?;
        }
        Ok(())
    }

    fn step(&mut self, step: &Step, place: &str) -> Result<(), Wrong> {
        match step {
            Step::Compute(statement) => self.code.statement(statement),
            Step::Check {
                condition,
                site,
                values,
            } => {
                self.code.is(*condition, Leaf::Bool)?;
                self.code.site(site.0 as usize)?;
                values
                    .iter()
                    .try_for_each(|&value| self.code.leaf(value).map(drop))
            }
            Step::Allocate(id) => self.begin(*id, false),
            Step::Fill { buffer, value } => {
                let name = self.used(*buffer)?;
                if value.leaf != self.leaf(*buffer)? || value.repeated_byte().is_none() {
                    return Err(format!("{} cannot be filled so", self.name(*buffer)));
                }
                let written = Name {
                    written: true,
                    ..name
                };
                self.live.insert(*buffer, written);
                Ok(())
            }
            Step::Copy { buffer, of, last } => {
                self.read(*of)?;
                self.alike(*buffer, *of)?;
                if *last {
                    self.end(*of)?;
                }
                self.begin(*buffer, true)
            }
            Step::Launch {
                kernel,
                buffers,
                scalars,
            } => self.launch(kernel.0 as usize, buffers, scalars),
            Step::Routine {
                routine,
                arguments,
                results,
            } => self.routine(routine, arguments, results),
            Step::Read { value, buffer } => {
                self.read(*buffer)?;
                if !self.plan.buffers[buffer.0 as usize].extents.is_empty() {
                    return Err(format!("{} is no scalar", self.name(*buffer)));
                }
                self.code.define(*value)?;
                self.code.is(*value, self.leaf(*buffer)?)
            }
            Step::Release(id) => self.end(*id),
            Step::Shrink { buffer, of } => {
                self.moved(*of, *buffer)?;
                self.begin(*buffer, true)
            }
            Step::Share { buffer, of } => {
                let name = self.read(*of)?;
                self.alike(*buffer, *of)?;
                self.begin(*buffer, true)?;
                self.live.insert(*buffer, name);
                Ok(())
            }
            Step::If {
                condition,
                then,
                otherwise,
                values,
                buffers,
            } => {
                self.code.is(*condition, Leaf::Bool)?;
                let before = self.live.clone();
                let place_of = |side: &str| format!("{place}, {side}, step");
                self.code_scope(|host| {
                    host.steps(then, &place_of("then"))?;
                    for join in values {
                        host.code
                            .is(join.then, host.code.types[join.result.0 as usize])?;
                    }
                    buffers
                        .iter()
                        .try_for_each(|join| host.moved(join.then, join.result))
                })?;
                let after = std::mem::replace(&mut self.live, before);
                self.code_scope(|host| {
                    host.steps(otherwise, &place_of("else"))?;
                    for join in values {
                        host.code
                            .is(join.otherwise, host.code.types[join.result.0 as usize])?;
                    }
                    buffers
                        .iter()
                        .try_for_each(|join| host.moved(join.otherwise, join.result))
                })?;
                self.same(&after, "the sides of a branch leave")?;
                values
                    .iter()
                    .try_for_each(|join| self.code.define(join.result))?;
                buffers
                    .iter()
                    .try_for_each(|join| self.begin(join.result, true))
            }
            Step::Loop {
                values,
                buffers,
                test,
                condition,
                body,
            } => {
                for carry in values {
                    self.code
                        .is(carry.initial, self.code.types[carry.state.0 as usize])?;
                    self.code.define(carry.state)?;
                }
                for carry in buffers {
                    self.moved(carry.initial, carry.state)?;
                }
                for carry in buffers {
                    self.begin(carry.state, true)?;
                }
                let before = self.live.clone();
                self.code_scope(|host| {
                    host.steps(test, &format!("{place}, test, step"))?;
                    host.code.is(*condition, Leaf::Bool)
                })?;
                self.same(&before, "the test of a loop leaves")?;
                self.code_scope(|host| {
                    host.steps(body, &format!("{place}, round, step"))?;
                    for carry in values {
                        host.code
                            .is(carry.next, host.code.types[carry.state.0 as usize])?;
                    }
                    buffers.iter().try_for_each(|carry| {
                        host.moved(carry.next, carry.state)?;
                        host.live.insert(carry.state, before[&carry.state]);
                        Ok(())
                    })
                })?;
                self.same(&before, "a round of a loop leaves")
            }
        }
    }

    fn code_scope(
        &mut self,
        run: impl FnOnce(&mut Self) -> Result<(), Wrong>,
    ) -> Result<(), Wrong> {
        self.code.open();
        let result = run(self);
        self.code.close();
        result
    }

    /// A name becomes another one.
    fn moved(&mut self, from: BufferId, to: BufferId) -> Result<(), Wrong> {
        self.read(from)?;
        self.alike(from, to)?;
        self.end(from)
    }

    /// Names of memory of one kind.
    fn alike(&self, a: BufferId, b: BufferId) -> Result<(), Wrong> {
        match self.leaf(a)? == self.leaf(b)? {
            true => Ok(()),
            false => Err(format!(
                "{} and {} are of two types",
                self.name(a),
                self.name(b)
            )),
        }
    }

    fn same(&self, other: &SortedMap<BufferId, Name>, what: &str) -> Result<(), Wrong> {
        let here: SortedSet<&BufferId> = self.live.keys().collect();
        let there: SortedSet<&BufferId> = other.keys().collect();
        let mut in_one = here.difference(&there).chain(there.difference(&here));
        match in_one.next() {
            None => Ok(()),
            Some(&&id) => Err(format!("{what} {} in doubt", self.name(id))),
        }
    }

    fn launch(
        &mut self,
        kernel: usize,
        buffers: &[BufferId],
        scalars: &[Value],
    ) -> Result<(), Wrong> {
        let Some(kernel) = self.plan.kernels.get(kernel) else {
            return Err(format!("no kernel {kernel}"));
        };
        let counts = (buffers.len(), scalars.len());
        if counts != (kernel.buffers.len(), kernel.scalars.len()) {
            return Err(format!("a wrong number of arguments for `{}`", kernel.name));
        }
        for (&scalar, &parameter) in scalars.iter().zip(&kernel.scalars) {
            self.code.is(scalar, kernel.types[parameter.0 as usize])?;
        }
        let (scatters, combines) = match kernel.skeleton {
            Skeleton::Scatter { meeting, .. } => {
                let stores = matches!(meeting, Meeting::Once { .. } | Meeting::Never);
                (true, !stores)
            }
            Skeleton::Elementwise(_)
            | Skeleton::Rowwise { .. }
            | Skeleton::Staged { .. }
            | Skeleton::Sort { .. } => (false, false),
        };
        let mut memories: Vec<(u32, bool)> = Vec::new();
        for (&id, access) in buffers.iter().zip(&kernel.buffers) {
            let name = if access.writes && !combines {
                self.used(id)?
            } else {
                self.read(id)?
            };
            if self.leaf(id)? != access.leaf {
                return Err(format!(
                    "{} is not of the type of `{}`",
                    self.name(id),
                    access.name
                ));
            }
            let twice = memories
                .iter()
                .any(|&(memory, writes)| memory == name.memory && (writes || access.writes));
            if twice {
                return Err(format!("{} is written under two names", self.name(id)));
            }
            let shared = self
                .live
                .iter()
                .any(|(&other, live)| other != id && live.memory == name.memory);
            if access.writes && ((name.written && !scatters) || shared) {
                return Err(format!(
                    "{} is written, but somebody may read it",
                    self.name(id)
                ));
            }
            memories.push((name.memory, access.writes));
        }
        for (&id, access) in buffers.iter().zip(&kernel.buffers) {
            if let Some(name) = self.live.get_mut(&id).filter(|_| access.writes) {
                name.written = true;
            }
        }
        Ok(())
    }

    fn routine(
        &mut self,
        routine: &Routine,
        arguments: &[Argument],
        results: &[BufferId],
    ) -> Result<(), Wrong> {
        for argument in arguments {
            match *argument {
                Argument::Array(id) => drop(self.read(id)?),
                Argument::Scalar(value) => drop(self.code.leaf(value)?),
            }
        }
        if results.len() != routine.results.len() {
            return Err(format!("a wrong number of results of `{}`", routine.path));
        }
        for (&id, &(leaf, rank)) in results.iter().zip(&routine.results) {
            let name = self.used(id)?;
            let extents = &self.plan.buffers[id.0 as usize].extents;
            if (self.leaf(id)?, extents.len()) != (leaf, rank) {
                return Err(format!(
                    "{} is no result of `{}`",
                    self.name(id),
                    routine.path
                ));
            }
            let shared =
                |(&other, live): (&BufferId, &Name)| other != id && live.memory == name.memory;
            if self.live.iter().any(shared) {
                return Err(format!(
                    "{} is written, but somebody may read it",
                    self.name(id)
                ));
            }
            self.read(id)?;
        }
        Ok(())
    }

    fn outputs(&mut self) -> Result<(), Wrong> {
        let mut results = self.kept.clone();
        for output in &self.plan.outputs {
            match output {
                Output::Host(values) => {
                    values
                        .iter()
                        .try_for_each(|&value| self.code.leaf(value).map(drop))?;
                }
                Output::Device(leaves) | Output::Array { leaves, .. } => {
                    for &leaf in leaves {
                        self.read(leaf)?;
                        results.insert(leaf);
                    }
                }
            }
            if let Output::Array { extents, .. } = output {
                self.code.lengths(extents)?;
            }
        }
        match self.live.keys().find(|id| !results.contains(id)) {
            None => Ok(()),
            Some(&id) => Err(format!("{} is never released", self.name(id))),
        }
    }
}
