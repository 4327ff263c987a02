//! Placement: a graph of expressions becomes structured statements.
//!
//! In: expressions demanded one after another, in scopes opened and closed by the skeleton. Out: statements. Every
//! node is emitted at the outermost open scope where its variables are bound, where executing it is safe, and where it
//! pays: what may fail or not end, and reads, stand only where they were certain to run; what is cheap and cannot fail
//! may leave a branch on its way out of a loop; what is expensive leaves loops but no branches. Statements appended to
//! an outer scope come before the construct that is still being built inside it, so definitions dominate their uses.

pub(in crate::fuse) mod collapse;
pub(in crate::fuse) mod components;
pub(in crate::fuse) mod control;
mod facts;
pub(in crate::fuse) mod hoist;
pub(in crate::fuse) mod sources;
pub(in crate::fuse) mod stores;
pub(in crate::fuse) mod values;

use crate::fuse::analysis::indices;
use crate::fuse::body::hoist::Obstacles;
use crate::fuse::body::sources::Sources;
use crate::fuse::body::values::Values;
use crate::ir::scopes::regions;
use crate::ir::{Id, IdSet, Node, Program, QuickMap, Site, Type, Var};
use crate::plan::{Access, BufferId, Op, Statement, Value};
use crate::scalar::{Leaf, Scalar};
use crate::sorted::SortedSet;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// What stands between a scope and the one around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::fuse) enum Kind {
    /// The whole kernel, or the host's code.
    Root,
    /// Runs once per element of a domain.
    Domain,
    /// Runs once per round of a loop, or per combination of a fold.
    Round,
    /// Runs if a condition holds.
    Branch,
    /// Runs always, but its reads and divisions are switched off where a guard has failed.
    Guarded,
}

pub(in crate::fuse) struct Scope {
    pub(in crate::fuse) kind: Kind,
    statements: Vec<Statement>,
    pub(in crate::fuse) values: QuickMap<Id, Value>,
    /// Of values that were demanded in domains within: the extents of these, if it was read only where none is zero.
    pub(in crate::fuse) nonempty: QuickMap<Id, Vec<Value>>,
    pub(in crate::fuse) vars: SortedSet<Var>,
    /// Nodes certain to be executed if this scope is.
    pub(in crate::fuse) certain: IdSet,
    /// Why expressions from within may not stand here.
    pub(in crate::fuse) obstacles: Obstacles,
    /// The extents of a domain.
    pub(in crate::fuse) extents: Vec<Value>,
    /// Of a branch's side: conditions, and whether they hold there.
    pub(in crate::fuse) facts: Vec<(Value, bool)>,
    /// What must hold for reads, from all guards around.
    pub(in crate::fuse) guard: Option<Value>,
    /// Conditions that have been checked, each with the guard around it.
    pub(in crate::fuse) checks: Vec<(Value, Site, Option<Value>)>,
}

/// Code under construction.
pub(in crate::fuse) struct Body<'a> {
    pub(in crate::fuse) program: &'a mut Program,
    pub(in crate::fuse) sources: &'a mut Sources,
    pub(in crate::fuse) values: Values,
    pub(in crate::fuse) buffers: Vec<Access>,
    pub(in crate::fuse) buffer_ids: Vec<BufferId>,
    /// Values passed from the host, and what they are there.
    pub(in crate::fuse) scalars: Vec<(Value, Id)>,
    /// Arrays of a row: the first of their buffers, and the number of axes that they do not have.
    pub(in crate::fuse) rooms: Option<(u32, usize)>,
    /// Whether this is the host's own code: then values known to the host are used as they are.
    pub(in crate::fuse) on_host: bool,
    /// Components that somebody reads, per bundle.
    pub(in crate::fuse) wanted: QuickMap<Id, SortedSet<u32>>,
    pub(in crate::fuse) hoist: bool,
    pub(in crate::fuse) collapse: bool,
    pub(in crate::fuse) split: bool,
    /// How contractions are tiled.
    pub(in crate::fuse) tiling: crate::fuse::Tiling,
    /// What both sides of a branch are certain to evaluate; without it, a chain of branches takes exponential time.
    pub(in crate::fuse) branches: RefCell<QuickMap<Id, Rc<[Id]>>>,
    /// Reductions of which the elements are being written.
    pub(in crate::fuse) folding: Vec<Id>,
    pub(in crate::fuse) scopes: Vec<Scope>,
}

impl Scope {
    /// What must hold for reads, from all guards around.
    pub(in crate::fuse) fn guard(&self) -> Option<Value> {
        self.guard
    }

    pub(in crate::fuse) fn set_guard(&mut self, guard: Value) {
        self.guard = Some(guard);
    }
}

impl Body<'_> {
    pub(in crate::fuse) fn fresh(&mut self, leaf: Leaf) -> Value {
        self.values.fresh(leaf)
    }

    /// Opens a scope whose roots are certain to run in it.
    pub(in crate::fuse) fn open(&mut self, kind: Kind, extents: Vec<Value>, roots: &[Id]) {
        let guard = self.scopes.last().and_then(|scope| scope.guard);
        let mut certain = IdSet::default();
        self.certain(roots, &mut certain);
        self.scopes.push(Scope {
            kind,
            statements: Vec::new(),
            values: QuickMap::default(),
            nonempty: QuickMap::default(),
            vars: SortedSet::new(),
            certain,
            obstacles: Obstacles::default(),
            extents,
            facts: Vec::new(),
            guard,
            checks: Vec::new(),
        });
    }

    /// Opens the scope of one side of a branch.
    pub(in crate::fuse) fn open_side(&mut self, facts: Vec<(Value, bool)>, roots: &[Id]) {
        self.open(Kind::Branch, Vec::new(), roots);
        let scope = self.scopes.last_mut().expect("an open scope");
        scope.facts = facts;
    }

    /// Closes the innermost scope.
    pub(in crate::fuse) fn close(&mut self) -> Vec<Statement> {
        self.scopes.pop().expect("an open scope").statements
    }

    /// Takes the statements of a scope that stays open.
    pub(in crate::fuse) fn take(&mut self, scope: usize) -> Vec<Statement> {
        std::mem::take(&mut self.scopes[scope].statements)
    }

    /// Binds a variable in the innermost scope to a new value.
    pub(in crate::fuse) fn bind(&mut self, var: Var) -> Value {
        let node = self.program.add(Node::Variable(var));
        let value = self.fresh(self.program.leaf(node));
        (self.values).set_name(value, self.program.var_names.get(&var));
        self.bind_to(var, value);
        value
    }

    /// What depends on an array that a variable stands for stays in the innermost scope.
    pub(in crate::fuse) fn hold(&mut self, var: Var) {
        let scope = self.scopes.last_mut().expect("an open scope");
        scope.vars.insert(var);
    }

    pub(in crate::fuse) fn bind_to(&mut self, var: Var, value: Value) {
        let node = self.program.add(Node::Variable(var));
        let scope = self.scopes.last_mut().expect("an open scope");
        scope.vars.insert(var);
        scope.values.insert(node, value);
    }

    /// All nodes that an evaluation of the roots is certain to evaluate; of arrays (what a loop over arrays begins
    /// with) nothing is, since their elements are computed where these are demanded, nor of what comes from outside.
    fn certain(&self, roots: &[Id], found: &mut IdSet) {
        let mut open = roots.to_vec();
        while let Some(id) = open.pop() {
            let there = matches!(self.program.ty(id), Type::Array(..))
                || !self.on_host && self.sources.is_outside(self.program, id);
            if !found.insert(id) || there {
                continue;
            }
            match self.program.node(id) {
                Node::Guard {
                    condition, values, ..
                } => {
                    open.push(*condition);
                    open.extend(values);
                }
                Node::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    open.push(*condition);
                    let known = self.branches.borrow().get(&id).cloned();
                    let both = known.unwrap_or_else(|| {
                        let wanted = self.wanted_of(id, then.len());
                        let pick = |from: &[Id]| -> Vec<Id> {
                            wanted.iter().map(|&k| from[k as usize]).collect()
                        };
                        let both: Rc<[Id]> = self.common(&pick(then), &pick(otherwise)).into();
                        self.branches.borrow_mut().insert(id, Rc::clone(&both));
                        both
                    });
                    open.extend(both.iter());
                }
                Node::Loop {
                    state,
                    initial,
                    condition,
                    ..
                } => {
                    let wanted = self.wanted_of(id, initial.len());
                    open.extend(wanted.iter().map(|&k| initial[k as usize]));
                    open.extend(self.invariants(state, *condition));
                }
                Node::Reduce {
                    extents, initial, ..
                } => {
                    open.extend(extents);
                    open.extend(initial.iter().flatten());
                }
                Node::Index { indices, .. } => open.extend(indices),
                Node::Demand {
                    effect,
                    value,
                    required: false,
                } => {
                    open.push(*value);
                    open.extend(Some(*effect).filter(|&effect| self.is_wanted(effect)));
                }
                node => node.operands(|operand| open.push(operand)),
            }
        }
    }

    /// What the condition of a loop, which is asked once at least, needs of no state.
    fn invariants(&self, state: &[Var], condition: Id) -> Vec<Id> {
        let (mut found, mut seen, mut open) = (Vec::new(), IdSet::default(), vec![condition]);
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            let free = self.program.free(id);
            match self.program.node(id) {
                _ if !state.iter().any(|var| free.contains(var)) => found.push(id),
                Node::Demand {
                    value,
                    required: false,
                    ..
                } => open.push(*value),
                node => open.extend(regions(node).0),
            }
        }
        found
    }

    /// Everything known in the outermost scope.
    pub(in crate::fuse) fn known_in_root(&self) -> Vec<(Id, Value)> {
        let Scope {
            values, nonempty, ..
        } = &self.scopes[0];
        let always = values.iter().filter(|(id, _)| !nonempty.contains_key(id));
        always.map(|(&id, &value)| (id, value)).collect()
    }

    /// What both sides of a branch are certain to evaluate, operands first.
    pub(in crate::fuse) fn common(&self, then: &[Id], otherwise: &[Id]) -> Vec<Id> {
        let (mut a, mut b) = (IdSet::default(), IdSet::default());
        self.certain(then, &mut a);
        self.certain(otherwise, &mut b);
        a.common(&b).iter().collect()
    }

    pub(in crate::fuse) fn certain_at(&self, at: usize) -> Vec<Id> {
        self.scopes[at].certain.iter().collect()
    }

    /// Whether all variables of an expression are bound at a scope.
    pub(in crate::fuse) fn bound_at(&self, id: Id, at: usize) -> bool {
        let bound = |var: &Var| {
            self.scopes[..=at]
                .iter()
                .any(|scope| scope.vars.contains(var))
        };
        self.program
            .free(id)
            .iter()
            .all(|var| bound(var) || self.sources.is_state(*var))
    }

    pub(in crate::fuse) fn push(&mut self, at: usize, statement: Statement) {
        self.scopes[at].statements.push(statement);
    }

    pub(in crate::fuse) fn define(&mut self, at: usize, id: Id, value: Value) {
        self.values.label(value, self.program, id);
        let left: Vec<Value> = (self.scopes[at + 1..].iter())
            .flat_map(|scope| scope.extents.iter().copied())
            .collect();
        match !left.is_empty() && self.reads(id, at) {
            true => self.scopes[at].nonempty.insert(id, left),
            false => self.scopes[at].nonempty.remove(&id),
        };
        self.scopes[at].values.insert(id, value);
    }

    /// `value = op` at a scope.
    pub(in crate::fuse) fn op(&mut self, at: usize, leaf: Leaf, op: Op) -> Value {
        let value = self.fresh(leaf);
        self.push(at, Statement::Let { value, op });
        value
    }

    pub(in crate::fuse) fn constant(&mut self, at: usize, leaf: Leaf, bits: u64) -> Value {
        let node = self.program.constant(Scalar { leaf, bits });
        self.value_at(node, at)
    }

    pub(in crate::fuse) fn usize(&mut self, at: usize, value: u64) -> Value {
        self.constant(at, Leaf::U64, value)
    }

    /// The value of an expression in the innermost scope.
    pub(in crate::fuse) fn value(&mut self, id: Id) -> Value {
        self.value_at(id, self.scopes.len() - 1)
    }

    pub(in crate::fuse) fn values(&mut self, ids: &[Id]) -> Vec<Value> {
        ids.iter().map(|&id| self.value(id)).collect()
    }

    pub(in crate::fuse) fn known(&self, id: Id, at: usize) -> Option<Value> {
        let scopes = self.scopes[..=at].iter().enumerate().rev();
        let mut found = scopes.filter_map(|(k, scope)| {
            let value = scope.values.get(&id)?;
            let within = |extent: &Value| {
                let mut inner = self.scopes[k + 1..].iter();
                inner.any(|scope| scope.extents.contains(extent))
            };
            let read = scope.nonempty.get(&id);
            read.is_none_or(|extents| extents.iter().all(within))
                .then_some(*value)
        });
        found.next()
    }

    /// The value of an expression, defined at scope `at` or further out.
    pub(in crate::fuse) fn value_at(&mut self, id: Id, at: usize) -> Value {
        if let Some(value) = self.known(id, at) {
            return value;
        }
        if self.on_host {
            if let Some(value) = self.sources.host_value(id) {
                return value;
            }
        } else if let Some(value) = self.outside(id) {
            return value;
        }
        let at = self.scope_for(id, at);
        match self.program.node(id).clone() {
            Node::Project(bundle, _) => {
                self.bundle(bundle, at);
                self.known(id, at).expect("a component that is wanted")
            }
            Node::Guard {
                condition,
                site,
                values,
                value,
            } => {
                let result = self.guard(at, condition, site, &values, value);
                self.define(at, id, result);
                result
            }
            Node::Demand {
                effect,
                value,
                required,
            } => {
                if required {
                    self.value_at(effect, at);
                }
                let result = self.value_at(value, at);
                self.define(at, id, result);
                result
            }
            Node::Index { array, indices } => {
                let result = self.load(at, id, array, &indices);
                self.define(at, id, result);
                result
            }
            node => {
                let op = self.plain(&node, at);
                let leaf = self.program.leaf(id);
                let result = self.op(at, leaf, op);
                self.define(at, id, result);
                result
            }
        }
    }

    /// A scalar that the kernel gets from outside: by value from the host, or from a buffer of one element.
    fn outside(&mut self, id: Id) -> Option<Value> {
        if matches!(self.program.node(id), Node::Constant(_)) {
            return None;
        }
        let known = self.sources.host.contains_key(&id);
        if let Some(buffer) = self
            .sources
            .scalar_slot(self.program, id)
            .filter(|_| !known)
        {
            let zero = self.usize(0, 0);
            let value = self.fresh(self.program.leaf(id));
            let buffer = self.access(buffer, false);
            self.push(
                0,
                Statement::Load {
                    value,
                    buffer,
                    index: zero,
                    guard: None,
                },
            );
            self.define(0, id, value);
            return Some(value);
        }
        if !self.sources.passable(self.program, id) {
            return None;
        }
        let value = self.fresh(self.program.leaf(id));
        self.scalars.push((value, id));
        self.define(0, id, value);
        Some(value)
    }

    /// The position of a buffer among the kernel's.
    pub(in crate::fuse) fn access(&mut self, buffer: BufferId, writes: bool) -> usize {
        if let Some(at) = self.buffer_ids.iter().position(|&other| other == buffer) {
            self.buffers[at].writes |= writes;
            return at;
        }
        if let Some((first, _)) = self.rooms
            && buffer.0 >= first
        {
            return usize::MAX - (buffer.0 - first) as usize;
        }
        let (name, leaf) = self.sources.buffer(buffer);
        self.buffer_ids.push(buffer);
        self.buffers.push(Access { name, leaf, writes });
        self.buffers.len() - 1
    }

    fn load(&mut self, at: usize, id: Id, array: Id, indices: &[Id]) -> Value {
        let buffer = self.sources.slot(self.program, array);
        let index = self.flat_in(buffer, array, indices);
        let index = self.value_at(index, at);
        let safe = self.scopes[at].certain.contains(id) || self.in_bounds(id);
        let guard = match safe {
            true => self.scopes[at].guard,
            false => self.nonempty(at),
        };
        let value = self.fresh(self.program.leaf(id));
        let buffer = self.access(buffer, false);
        self.push(
            at,
            Statement::Load {
                value,
                buffer,
                index,
                guard,
            },
        );
        value
    }

    /// The flat row-major index of an element.
    pub(in crate::fuse) fn flat(&mut self, array: Id, indices: &[Id]) -> Id {
        let extents = self.program.extents(array).to_vec();
        indices::flat(self.program, &mut self.sources.index, &extents, indices)
    }

    /// The same in a buffer, or in an array of the row.
    pub(in crate::fuse) fn flat_in(&mut self, buffer: BufferId, array: Id, indices: &[Id]) -> Id {
        match self.rooms {
            Some((first, rank)) if buffer.0 >= first => {
                let extents = self.program.extents(array)[rank..].to_vec();
                let ranges = &mut self.sources.index;
                indices::flat(self.program, ranges, &extents, &indices[rank..])
            }
            _ => self.flat(array, indices),
        }
    }

    fn plain(&mut self, node: &Node, at: usize) -> Op {
        let mut get = |id: Id| self.value_at(id, at);
        match node {
            Node::Constant(scalar) => Op::Constant(*scalar),
            Node::Unary(op, a) => Op::Unary(*op, get(*a)),
            Node::Binary(op, a, b) => Op::Binary(*op, get(*a), get(*b)),
            Node::Select(c, a, b) => Op::Select(get(*c), get(*a), get(*b)),
            Node::Cast(leaf, a) => Op::Cast(*leaf, get(*a)),
            Node::Bitcast(leaf, a) => Op::Bitcast(*leaf, get(*a)),
            Node::Math(f, arguments) => Op::Math(*f, arguments.iter().map(|&a| get(a)).collect()),
            Node::Foreign(f, values) => {
                Op::Foreign(Arc::clone(f), values.iter().map(|&a| get(a)).collect())
            }
            other => unreachable!("no scalar operation: {other:?}"),
        }
    }
}
