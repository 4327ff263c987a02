//! Loops over arrays in one kernel, where each row of the arrays goes its own way and is short.
//!
//! In: a loop of the host whose arrays have a few constant axes after the axes of rows, and whose rounds read no row but
//! the one that they compute. Out: a kernel of stages, in which a block keeps a row's arrays for all rounds, those of
//! inner loops as well. An array of the state has a room; what it becomes is computed into a second one, and the two
//! change names. Other loops stay the host's.

use crate::fuse::analysis::control::is_array_loop;
use crate::fuse::body::stores::Store;
use crate::fuse::body::{Body, Kind};
use crate::fuse::kernels::short_rows::{length, taken_over};
use crate::fuse::planner::Planner;
use crate::ir::walk;
use crate::ir::{Id, Node, Program, QuickMap, Type, Var};
use crate::plan::body::Carry;
use crate::plan::{Buffer, BufferId, Room, Skeleton, Stage, Statement, Step, Value};
use crate::sorted::SortedSet;

impl Planner<'_> {
    /// Emits the kernel of a loop; its arrays have slots afterwards.
    pub(in crate::fuse) fn staged(&mut self, id: Id, rank: usize, steps: &mut Vec<Step>) {
        let Node::Loop { state, .. } = self.program.node(id).clone() else {
            unreachable!("asked of a loop");
        };
        let arrays: Vec<u32> = (self.sources.wanted(id, state.len()).into_iter())
            .filter(|&k| matches!(self.program.var_type(state[k as usize]), Type::Array(..)))
            .collect();
        let mut results = Vec::new();
        for k in arrays {
            let component = self.program.add(Node::Project(id, k));
            results.push((component, self.allocate(component, steps)));
        }
        let extents = self.program.extents(results[0].0)[..rank].to_vec();
        let (vars, reads) = self.domain(&extents, &[]);
        let name = self.unique_kernel("stages");
        let slots = self.sources.slots.clone();
        let first = self.sources.buffers.len();
        let mut stager = Stager {
            body: Body::new(&mut self.program, &mut self.sources, self.options),
            first,
            reads,
            rooms: Vec::new(),
            lists: vec![Vec::new()],
            points: 1,
            bound: SortedSet::new(),
            given: QuickMap::default(),
        };
        stager.body.rooms = Some((first as u32, rank));
        stager.body.open(Kind::Root, Vec::new(), &[]);
        let extents = stager.body.extents(&extents);
        let vars: Vec<Value> = vars.iter().map(|&var| stager.body.bind(var)).collect();
        stager.looped(id);
        let stores = results.iter().map(|&(array, buffer)| (buffer, array));
        stager.each(stores.collect());
        let Stager {
            body,
            rooms,
            mut lists,
            points,
            ..
        } = stager;
        let mut stages = lists.pop().unwrap_or_default();
        renumber(&mut stages, body.buffers.len());
        let names: Vec<String> = (results.iter())
            .map(|&(_, buffer)| body.sources.buffer(buffer).0)
            .collect();
        let summary = format!("staged: {}", names.join(", "));
        let skeleton = Skeleton::Staged {
            extents,
            vars,
            rooms,
            stages,
            points,
        };
        let built = body.finish(name, summary, skeleton);
        self.sources.buffers.truncate(first);
        self.sources.slots = slots;
        self.sources.slots.extend(results);
        self.launch(built, steps);
    }
}

/// The stages of a row under construction.
struct Stager<'b> {
    body: Body<'b>,
    /// The number of buffers before the rooms.
    first: usize,
    /// The row.
    reads: Vec<Id>,
    rooms: Vec<Room>,
    /// A list for each loop around and one for the row; the scope of the body at the same level is the list's.
    lists: Vec<Vec<Stage>>,
    points: u64,
    /// States of the loops around.
    bound: SortedSet<Var>,
    /// Rooms that inner loops have from outer ones, by part of their state.
    given: QuickMap<(Id, usize), BufferId>,
}

impl Stager<'_> {
    /// A new room for an array like this one.
    fn room(&mut self, array: Id, name: Option<String>) -> BufferId {
        let own = self.body.program.extents(array)[self.reads.len()..].to_vec();
        let length = length(self.body.program, &own).expect("a short row");
        let leaf = self.body.program.leaf(array);
        let wanted = name.unwrap_or_else(|| "row".to_owned());
        let mut names =
            std::iter::once(wanted.clone()).chain((2..).map(|k: u32| format!("{wanted}_{k}")));
        let free = |name: &String| self.rooms.iter().all(|room| room.name != *name);
        let name = names.find(free).unwrap_or(wanted);
        self.rooms.push(Room {
            name: name.clone(),
            leaf,
            length,
        });
        self.body.sources.buffers.push(Buffer {
            name,
            leaf,
            extents: Vec::new(),
        });
        BufferId(self.body.sources.buffers.len() as u32 - 1)
    }

    fn is_room(&self, buffer: BufferId) -> bool {
        buffer.0 as usize >= self.first
    }

    /// The position of a room in statements, until [`renumber`].
    fn position(&self, room: BufferId) -> usize {
        usize::MAX - (room.0 as usize - self.first)
    }

    /// What has been placed in the innermost list becomes a stage of it.
    fn flush(&mut self) {
        let at = self.lists.len() - 1;
        let statements = self.body.take(at);
        if !statements.is_empty() {
            self.lists[at].push(Stage::Uniform(statements));
        }
    }

    /// A loop; afterwards its arrays are where those of its state were.
    fn looped(&mut self, id: Id) {
        let Node::Loop {
            state,
            initial,
            condition,
            next,
        } = self.body.program.node(id).clone()
        else {
            unreachable!("asked of a loop");
        };
        let wanted = self.body.sources.wanted(id, state.len());
        let is_array =
            |program: &Program, k: &usize| matches!(program.var_type(state[*k]), Type::Array(..));
        let (arrays, scalars): (Vec<usize>, Vec<usize>) =
            (wanted.into_iter().map(|k| k as usize)).partition(|k| is_array(self.body.program, k));
        self.inner(&arrays.iter().map(|&k| initial[k]).collect::<Vec<_>>());
        let mut rooms = QuickMap::default();
        let mut stores = Vec::new();
        for &k in &arrays {
            if let Some(room) = self.given.remove(&(id, k)) {
                rooms.insert(k, room);
                continue;
            }
            let read = self.body.program.add(Node::Variable(state[k]));
            let name = self.body.program.var_names.get(&state[k]).cloned();
            let room = self.room(read, name);
            rooms.insert(k, room);
            stores.push((room, initial[k]));
        }
        self.each(stores);
        let starts: Vec<Id> = scalars.iter().map(|&k| initial[k]).collect();
        self.body.want(&starts);
        let starts = self.body.values(&starts);

        self.bound.extend(&state);
        for &k in &arrays {
            let read = self.body.program.add(Node::Variable(state[k]));
            self.body.sources.slots.insert(read, rooms[&k]);
        }
        self.body.want(&[condition]);
        self.body.open(Kind::Round, Vec::new(), &[condition]);
        let states: Vec<Value> = scalars.iter().map(|&k| self.body.bind(state[k])).collect();
        let holds = self.body.value(condition);
        let test = self.body.close();

        let ends: Vec<Id> = scalars.iter().map(|&k| next[k]).collect();
        self.body.want(&ends);
        self.body.open(Kind::Round, Vec::new(), &ends);
        self.lists.push(Vec::new());
        for (&k, &value) in scalars.iter().zip(&states) {
            self.body.bind_to(state[k], value);
        }
        for &k in &arrays {
            self.body.hold(state[k]);
        }
        let nexts: Vec<Id> = arrays.iter().map(|&k| next[k]).collect();
        for &k in &arrays {
            if let Some(inner) = self.passed_on(state[k], next[k], &nexts) {
                self.given.insert(inner, rooms[&k]);
            }
        }
        self.inner(&nexts);
        let (mut stores, mut swaps) = (Vec::new(), Vec::new());
        for &k in &arrays {
            let read = self.body.program.add(Node::Variable(state[k]));
            let from = match self.body.sources.slots.get(&next[k]) {
                Some(inner) if *inner == rooms[&k] => continue,
                Some(&inner) if self.is_room(inner) && taken_over(self.body.program, &next, k) => {
                    inner
                }
                _ => {
                    let name = self.body.program.var_names.get(&state[k]).cloned();
                    let name = name.map(|name| format!("next_{name}"));
                    let room = self.room(read, name);
                    stores.push((room, next[k]));
                    room
                }
            };
            swaps.push((rooms[&k], from));
        }
        self.each(stores);
        let ends = self.body.values(&ends);
        self.flush();
        self.body.close();
        let mut body = self.lists.pop().expect("the list of the round");
        for (a, b) in swaps {
            body.push(Stage::Swap(self.position(a), self.position(b)));
        }
        self.flush();
        let mut carries = Vec::new();
        for (n, &initial) in starts.iter().enumerate() {
            carries.push(Carry {
                state: states[n],
                initial,
                next: ends[n],
            });
        }
        let at = self.lists.len() - 1;
        self.lists[at].push(Stage::Rounds {
            state: carries,
            test,
            condition: holds,
            body,
        });
        for &k in &arrays {
            let component = self.body.program.add(Node::Project(id, k as u32));
            self.body.sources.slots.insert(component, rooms[&k]);
        }
    }

    /// The inner loop, and which part of its state, that begins with an array of the state, gives what it becomes, and is
    /// all that reads it: one room does for both.
    fn passed_on(&self, var: Var, next: Id, nexts: &[Id]) -> Option<(Id, usize)> {
        let program = &*self.body.program;
        let Node::Project(bundle, k) = *program.node(next) else {
            return None;
        };
        let Node::Loop { initial, .. } = program.node(bundle) else {
            return None;
        };
        let read = initial[k as usize];
        let mut uses = nexts.iter().filter(|&&other| other == read).count();
        for user in walk::reachable(program, nexts.iter().copied()) {
            program
                .node(user)
                .operands(|operand| uses += usize::from(operand == read));
        }
        let alone = nexts.iter().filter(|&&other| other == next).count() == 1;
        let begins = *program.node(read) == Node::Variable(var);
        (begins && alone && uses == 1).then_some((bundle, k as usize))
    }

    /// The loops that these parts need, as far as nothing is missing for them.
    fn inner(&mut self, parts: &[Id]) {
        let program = &*self.body.program;
        let mut found = Vec::new();
        for id in walk::reachable(program, parts.iter().copied()) {
            let free = program.free(id);
            let known = free
                .iter()
                .all(|var| self.bound.contains(var) || self.body.sources.states.contains(var));
            let own = free.iter().any(|var| self.bound.contains(var));
            if is_array_loop(program, id) && known && own {
                found.push(id);
            }
        }
        for id in found {
            let done = (0..).map_while(|k| match self.body.program.node(id) {
                Node::Loop { state, .. } if k < state.len() => {
                    self.body.program.find(&Node::Project(id, k as u32))
                }
                _ => None,
            });
            let slots = &self.body.sources.slots;
            if !{ done }.any(|component| slots.contains_key(&component)) {
                self.looped(id);
            }
        }
    }

    /// Stages that store arrays, those of equal extents together.
    fn each(&mut self, stores: Vec<(BufferId, Id)>) {
        let rank = self.reads.len();
        let extents = |array| &self.body.program.extents(array)[rank..];
        let mut groups: Vec<Vec<(BufferId, Id)>> = Vec::new();
        for store in stores {
            let alike = |group: &&mut Vec<(_, Id)>| extents(group[0].1) == extents(store.1);
            match groups.iter_mut().find(alike) {
                Some(group) => group.push(store),
                None => groups.push(vec![store]),
            }
        }
        for group in groups {
            let extents = self.body.program.extents(group[0].1)[rank..].to_vec();
            let vars: Vec<Var> = (extents.iter())
                .map(|&extent| {
                    let (var, _) = self.body.program.index_var();
                    self.body.sources.index.domain(var, extent);
                    var
                })
                .collect();
            let own = vars
                .iter()
                .map(|&var| self.body.program.add(Node::Variable(var)));
            let indices: Vec<Id> = self.reads.clone().into_iter().chain(own).collect();
            let mut all = Vec::new();
            for (buffer, array) in group {
                let element = self.element(array, &indices);
                let index = self.body.flat_in(buffer, array, &indices);
                all.push(Store {
                    buffer,
                    index,
                    element,
                });
            }
            let roots: Vec<Id> = (all.iter())
                .flat_map(|store| [store.element, store.index])
                .collect();
            self.body.want(&roots);
            self.points = self
                .points
                .max(length(self.body.program, &extents).unwrap_or(1));
            let extents = self.body.values(&extents);
            self.body.open(Kind::Domain, extents.clone(), &roots);
            let vars = vars.iter().map(|&var| self.body.bind(var)).collect();
            for store in &all {
                self.body.store(store);
            }
            let body = self.body.close();
            self.flush();
            let at = self.lists.len() - 1;
            self.lists[at].push(Stage::Each {
                extents,
                vars,
                body,
            });
        }
    }

    /// An element of an array that is stored somewhere, or computed here.
    fn element(&mut self, array: Id, indices: &[Id]) -> Id {
        let stored = self.body.sources.slots.contains_key(&array);
        match self.body.program.node(array).clone() {
            Node::Materialize(array) if !stored => self.element(array, indices),
            Node::Generate { vars, element, .. } => {
                let map = vars.into_iter().zip(indices.iter().copied()).collect();
                self.body.program.substitute(element, &map)
            }
            _ => self.body.program.add(Node::Index {
                array,
                indices: indices.to_vec(),
            }),
        }
    }
}

/// Gives rooms their positions after the buffers.
fn renumber(stages: &mut [Stage], buffers: usize) {
    let to = |at: &mut usize| {
        if *at > usize::MAX / 2 {
            *at = buffers + (usize::MAX - *at);
        }
    };
    for stage in stages {
        match stage {
            Stage::Uniform(body) | Stage::Each { body, .. } => accesses(body, &to),
            Stage::Swap(a, b) => [a, b].into_iter().for_each(to),
            Stage::Rounds { test, body, .. } => {
                accesses(test, &to);
                renumber(body, buffers);
            }
        }
    }
}

fn accesses(statements: &mut [Statement], to: &impl Fn(&mut usize)) {
    for statement in statements {
        match statement {
            Statement::Load { buffer, .. } | Statement::Store { buffer, .. } => to(buffer),
            Statement::Let { .. } | Statement::Check { .. } => {}
            Statement::If {
                then, otherwise, ..
            } => {
                accesses(then, to);
                accesses(otherwise, to);
            }
            Statement::Loop { test, body, .. } => {
                accesses(test, to);
                accesses(body, to);
            }
            Statement::Fold { body, .. } => accesses(body, to),
        }
    }
}
