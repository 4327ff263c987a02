//! Branches and loops that the host runs: over arrays, or with reductions inside.

use crate::fuse::analysis::control::{is_apart, is_call};
use crate::fuse::analysis::reads;
use crate::fuse::body::sources::Sources;
use crate::fuse::kernels::{scatters, short_rows};
use crate::fuse::planner::Planner;
use crate::fuse::steps::host::{compared_invariants, host_states, on_host_after};
use crate::fuse::steps::needs::{Demand, Needs, host_tells, operands};
use crate::ir::walk::{self, fallible};
use crate::ir::{Id, IdSet, Node, Program, QuickMap, Type, Var};
use crate::plan::body::{Carry, Join};
use crate::plan::{BufferCarry, BufferId, BufferJoin, Step, Value};
use crate::scalar::Binary;
use crate::sorted::SortedSet;

impl Needs {
    /// What a branch or loop needs before it starts.
    pub(in crate::fuse) fn control_parts(
        &mut self,
        program: &Program,
        sources: &Sources,
        id: Id,
        user: &mut SortedSet<usize>,
    ) {
        match program.node(id) {
            Node::If {
                condition, then, ..
            } => {
                self.host(program, sources, *condition, user);
                self.passed(program, sources, then, user);
            }
            Node::Loop { .. } if short_rows::rows(program, sources, id).is_some() => {
                self.stage_parts(program, sources, id, user);
            }
            Node::Loop {
                state,
                initial,
                condition,
                next,
            } => {
                let wanted = sources.wanted(id, next.len());
                let host = host_states(program, sources, id);
                let is_on_device = |var: Var| {
                    let k = state.iter().position(|&own| own == var);
                    k.is_some_and(|k| !host.contains(&(k as u32)))
                };
                for id in compared_invariants(program, sources, *condition, is_on_device) {
                    self.host(program, sources, id, user);
                }
                let next = wanted.iter().map(|&k| next[k as usize]);
                for part in [*condition].into_iter().chain(next) {
                    self.invariants(program, sources, part, user);
                }
                for k in wanted {
                    let initial = initial[k as usize];
                    if host.contains(&k) {
                        self.host(program, sources, initial, user);
                    } else {
                        self.device(program, sources, initial, user);
                    }
                }
            }
            other => unreachable!("no control: {other:?}"),
        }
    }

    /// What the rounds of a loop need and do not change: computed before it, unless it can fail.
    fn invariants(
        &mut self,
        program: &Program,
        sources: &Sources,
        id: Id,
        user: &mut SortedSet<usize>,
    ) {
        let (mut seen, mut open) = (IdSet::default(), vec![id]);
        while let Some(id) = open.pop() {
            let there = sources.slots.contains_key(&id) || sources.host.contains_key(&id);
            if there || !seen.insert(id) {
                continue;
            }
            let node = program.node(id);
            if sources.closed(program, id) {
                match (node, program.ty(id)) {
                    (Node::Materialize(generate), _) if !fallible_array(program, *generate) => {
                        self.array(program, sources, id, user);
                        continue;
                    }
                    (_, Type::Scalar(_)) if host_tells(program, sources, id) => {
                        self.host(program, sources, id, user);
                        continue;
                    }
                    (_, Type::Scalar(_))
                        if is_apart(program, id)
                            && !fallible(program, id)
                            && reads::own_in_bounds(
                                program,
                                &mut sources.ranges.borrow_mut(),
                                id,
                                &SortedSet::new(),
                            ) =>
                    {
                        self.scalar(program, sources, id, user);
                        continue;
                    }
                    (&Node::Project(bundle, _), _)
                        if matches!(
                            program.node(bundle),
                            Node::Scatter { .. } | Node::Compact { .. } | Node::Sort { .. }
                        ) && !crate::fuse::analysis::control::fails(program, bundle) =>
                    {
                        self.array(program, sources, id, user);
                        continue;
                    }
                    // It may fail, so it is called here if the text says so.
                    (&Node::Project(bundle, _), _)
                        if is_call(program, bundle) && sources.anticipated.contains(&bundle) =>
                    {
                        self.control(program, sources, bundle, user);
                        continue;
                    }
                    _ => {}
                }
            }
            match node {
                // What a body says is computed where it is needed.
                Node::If {
                    condition, then, ..
                } if is_call(program, id) => open.extend(then.iter().chain([condition])),
                // What a scatter begins with is filled in, or all of it is written.
                Node::Scatter { defaults, .. } => {
                    let is_filled = |&array: &Id| {
                        scatters::filling(program, array).is_some() || scatters::covers(program, id)
                    };
                    let begins = |operand: Id| defaults.contains(&operand) && is_filled(&operand);
                    node.operands(|operand| match begins(operand) {
                        true => open.extend(program.extents(operand)),
                        false => open.push(operand),
                    });
                }
                _ => operands(program, sources, id, &mut open),
            }
        }
    }

    pub(in crate::fuse) fn device(
        &mut self,
        program: &Program,
        sources: &Sources,
        id: Id,
        user: &mut SortedSet<usize>,
    ) {
        match program.ty(id) {
            Type::Array(..) => self.array(program, sources, id, user),
            _ => self.scalar(program, sources, id, user),
        }
    }
}

impl Planner<'_> {
    /// Emits a branch or a loop; its components have slots or host values afterwards.
    pub(in crate::fuse) fn control(&mut self, id: Id, steps: &mut Vec<Step>) {
        if let Some(rank) = short_rows::rows(&self.program, &self.sources, id) {
            return self.staged(id, rank, steps);
        }
        match self.program.node(id).clone() {
            Node::If {
                condition,
                then,
                otherwise,
            } => self.branch(id, condition, &then, &otherwise, steps),
            Node::Loop {
                state,
                initial,
                condition,
                next,
            } => self.rounds(id, &state, &initial, condition, &next, steps),
            other => unreachable!("no control: {other:?}"),
        }
    }

    fn branch(
        &mut self,
        id: Id,
        condition: Id,
        then: &[Id],
        otherwise: &[Id],
        steps: &mut Vec<Step>,
    ) {
        let wanted = self.sources.wanted(id, then.len());
        let host: SortedSet<u32> = wanted
            .iter()
            .copied()
            .filter(|&k| on_host_after(&self.program, &self.sources, id, k))
            .collect();
        let condition = self.host_value(condition, steps);
        let mut sides = Vec::new();
        for (part, side) in [then, otherwise].into_iter().enumerate() {
            let demands: Vec<Demand> = wanted
                .iter()
                .map(|&k| match host.contains(&k) {
                    true => Demand::Host(side[k as usize]),
                    false => Demand::Device(side[k as usize]),
                })
                .collect();
            let mut inner = Vec::new();
            self.around.push((id, part));
            let results = self.scoped(|planner| planner.region(&demands, &mut inner));
            self.around.pop();
            sides.push((inner, results));
        }
        let (otherwise, b) = sides.pop().expect("two sides");
        let (then, a) = sides.pop().expect("two sides");
        let (mut values, mut buffers) = (Vec::new(), Vec::new());
        let (mut then, mut otherwise) = (then, otherwise);
        // Values first: arrays have them for extents.
        let value = |&n: &usize| matches!(a[n], Found::Value(_));
        let (first, rest): (Vec<usize>, Vec<usize>) = (0..wanted.len()).partition(value);
        for n in first.into_iter().chain(rest) {
            let component = self.program.add(Node::Project(id, wanted[n]));
            match (a[n], b[n]) {
                (Found::Value(then), Found::Value(otherwise)) => {
                    let result = self.fresh(self.program.leaf(component));
                    values.push(Join {
                        result,
                        then,
                        otherwise,
                    });
                    self.sources.host.insert(component, result);
                }
                (Found::Buffer(x), Found::Buffer(y)) => {
                    let result = self.buffer_like(component, steps);
                    let x = self.share(x, &mut then);
                    let y = self.share(y, &mut otherwise);
                    buffers.push(BufferJoin {
                        result,
                        then: x,
                        otherwise: y,
                    });
                    self.sources.slots.insert(component, result);
                }
                _ => unreachable!("both sides stand in one place"),
            }
        }
        steps.push(Step::If {
            condition,
            then,
            otherwise,
            values,
            buffers,
        });
    }

    fn rounds(
        &mut self,
        id: Id,
        state: &[Var],
        initial: &[Id],
        condition: Id,
        next: &[Id],
        steps: &mut Vec<Step>,
    ) {
        for invariant in invariant_loops(&self.program, &self.sources, condition, next) {
            self.host_value(invariant, steps);
        }
        let wanted = self.sources.wanted(id, state.len());
        let host = host_states(&self.program, &self.sources, id);
        let mut starts = Vec::new();
        for &k in &wanted {
            let part = initial[k as usize];
            starts.push(if host.contains(&k) {
                Found::Value(self.host_value(part, steps))
            } else {
                let buffer = self.sources.slot(&self.program, part);
                Found::Buffer(self.share(buffer, steps))
            });
        }
        // The state has values and slots inside the loop and after it.
        let mut states = Vec::new();
        let (outer_slots, outer_host) = (self.sources.slots.clone(), self.sources.host.clone());
        self.sources.states.extend(state);
        for &k in &wanted {
            let var = state[k as usize];
            let read = self.program.add(Node::Variable(var));
            if host.contains(&k) {
                let value = self.fresh(self.program.leaf(read));
                self.plan_name(value, self.program.var_names.get(&var).cloned());
                self.sources.host.insert(read, value);
                states.push(Found::Value(value));
            } else {
                let buffer = self.buffer_like(read, steps);
                self.sources.slots.insert(read, buffer);
                states.push(Found::Buffer(buffer));
            }
        }
        let (mut test, mut body) = (Vec::new(), Vec::new());
        self.around.push((id, 0));
        let held = self.scoped(|planner| planner.region(&[Demand::Host(condition)], &mut test));
        let Found::Value(holds) = held[0] else {
            unreachable!("asked for a host value");
        };
        self.around.pop();
        self.around.push((id, 1));
        let around = self.sources.equal.clone();
        self.equate_extents(state, initial, condition);
        let ends = self.scoped(|planner| {
            let next = wanted.iter().map(|&k| next[k as usize]).collect();
            let next = planner.checked(next, &mut body).into_iter();
            let demands: Vec<Demand> = (wanted.iter().zip(next))
                .map(|(k, next)| match host.contains(k) {
                    true => Demand::Host(next),
                    false => Demand::Device(next),
                })
                .collect();
            planner.region(&demands, &mut body)
        });
        self.sources.equal = around;
        self.around.pop();
        let (mut values, mut buffers) = (Vec::new(), Vec::new());
        let mut shared: QuickMap<BufferId, ()> = QuickMap::default();
        self.sources.slots = outer_slots;
        self.sources.host = outer_host;
        for var in state {
            self.sources.states.remove(var);
        }
        for (n, &k) in wanted.iter().enumerate() {
            let component = self.program.add(Node::Project(id, k));
            match (starts[n], states[n], ends[n]) {
                (Found::Value(initial), Found::Value(state), Found::Value(next)) => {
                    values.push(Carry {
                        state,
                        initial,
                        next,
                    });
                    self.sources.host.insert(component, state);
                }
                (Found::Buffer(initial), Found::Buffer(state), Found::Buffer(next)) => {
                    let next = match shared.insert(next, ()) {
                        None if !self.is_old(next, &states) => next,
                        _ => self.share(next, &mut body),
                    };
                    buffers.push(BufferCarry {
                        state,
                        initial,
                        next,
                    });
                    self.sources.slots.insert(component, state);
                }
                _ => unreachable!("a state stands in one place"),
            }
        }
        steps.push(Step::Loop {
            values,
            buffers,
            test,
            condition: holds,
            body,
        });
    }

    /// Equates extents in the body of a loop that a check compares unless the loop has no round.
    fn equate_extents(&mut self, state: &[Var], initial: &[Id], condition: Id) {
        let map: QuickMap<Var, Id> = state.iter().copied().zip(initial.iter().copied()).collect();
        let first = self.program.substitute(condition, &map);
        let holds = parts_of(&self.program, first, Binary::And);
        for check in self.program.checks.clone() {
            let ways = parts_of(&self.program, check.condition, Binary::Or);
            let open = ways
                .iter()
                .filter(|&&way| !excluded(&self.program, &holds, way));
            if let [only] = open.collect::<Vec<&Id>>()[..]
                && let Node::Binary(Binary::Eq, a, b) = *self.program.node(*only)
            {
                self.sources.equate(a, b);
            }
        }
    }

    /// Whether a buffer is a state of the loop, or was there before it.
    fn is_old(&self, buffer: BufferId, states: &[Found]) -> bool {
        let state = states
            .iter()
            .any(|state| matches!(state, Found::Buffer(other) if *other == buffer));
        state || self.sources.slots.values().any(|&other| other == buffer)
    }

    /// Another name for a buffer, so that this one can move.
    fn share(&mut self, of: BufferId, steps: &mut Vec<Step>) -> BufferId {
        let mut copy = self.sources.buffers[of.0 as usize].clone();
        copy.name = self.unique_buffer(&copy.name);
        let buffer = BufferId(self.sources.buffers.len() as u32);
        self.sources.buffers.push(copy);
        steps.push(Step::Share { buffer, of });
        buffer
    }
}

/// Where something was left.
#[derive(Clone, Copy, Debug)]
pub(in crate::fuse) enum Found {
    Value(Value),
    Buffer(BufferId),
}

/// What an `and` or an `or` is made of.
fn parts_of(program: &Program, id: Id, op: Binary) -> Vec<Id> {
    let (mut parts, mut open) = (Vec::new(), vec![id]);
    while let Some(id) = open.pop() {
        match *program.node(id) {
            Node::Binary(own, a, b) if own == op => open.extend([a, b]),
            _ => parts.push(id),
        }
    }
    parts
}

/// Whether a comparison is false where others hold.
fn excluded(program: &Program, holds: &[Id], way: Id) -> bool {
    let opposite = match *program.node(way) {
        Node::Binary(Binary::Le, a, b) => Node::Binary(Binary::Lt, b, a),
        Node::Binary(Binary::Lt, a, b) => Node::Binary(Binary::Le, b, a),
        _ => return false,
    };
    holds.iter().any(|&id| *program.node(id) == opposite)
}

fn fallible_array(program: &Program, generate: Id) -> bool {
    match program.node(generate) {
        Node::Generate { element, .. } => fallible(program, *element),
        _ => false,
    }
}

/// What scalar loops give that the host runs, and that the rounds of a loop around them do not change.
fn invariant_loops(program: &Program, sources: &Sources, condition: Id, next: &[Id]) -> Vec<Id> {
    let of_loop = |&id: &Id| match *program.node(id) {
        Node::Project(bundle, _) => {
            matches!(program.node(bundle), Node::Loop { .. }) && sources.passable(program, id)
        }
        _ => false,
    };
    let roots = next.iter().copied().chain([condition]);
    let inside = walk::reachable(program, roots).into_iter();
    inside.filter(of_loop).collect()
}
