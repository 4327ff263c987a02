//! Where a node stands: as far out as its variables, its failures and its reads allow, if that pays.
//!
//! A read that leaves domains is switched off where one of them is empty, and so is known to what demands it within these
//! only.

use crate::fuse::analysis::bounds::anticipated;
use crate::fuse::analysis::{estimate, reads};
use crate::fuse::body::{Body, Kind, Scope};
use crate::fuse::demand::conditions::is_predicated;
use crate::ir::walk::{CHEAP, evaluated};
use crate::ir::{Id, IdSet, Node, QuickMap, trips};
use crate::plan::{Op, Value};
use crate::scalar::{Binary, Leaf};

/// Of expressions, a part each that may fail, not end or read, and was not there.
pub(in crate::fuse) type Obstacles = QuickMap<Id, Id>;

/// Work that may be speculated where a branch of each round of a loop might have done it.
const SPECULATED: f64 = 64.0;

/// What a node leaves on its way out.
struct Crossing {
    /// Where it would stand.
    scope: usize,
    /// Domains alone.
    domains: bool,
    /// No branch, unless in something that repeats: what is in bounds may be read.
    reads: bool,
    /// How much work there may be.
    most: f64,
}

impl Body<'_> {
    /// Whether something is read for a node that a scope would not read anyway, and that may be out of bounds there.
    pub(in crate::fuse) fn reads(&mut self, id: Id, at: usize) -> bool {
        let (mut seen, mut open) = (IdSet::default(), vec![id]);
        while let Some(id) = open.pop() {
            let of =
                |scope: &Scope| scope.values.contains_key(&id) && !scope.nonempty.contains_key(&id);
            let there = self.scopes[..=at].iter().any(of)
                || self.scopes[at].certain.contains(id)
                || self.sources.is_outside(self.program, id);
            if there || !seen.insert(id) {
                continue;
            }
            if matches!(self.program.node(id), Node::Index { .. }) && !self.in_bounds(id) {
                return true;
            }
            evaluated(self.program.node(id), |operand| open.push(operand));
        }
        false
    }

    /// Where to put a node that is demanded at scope `at`.
    pub(in crate::fuse) fn scope_for(&mut self, id: Id, at: usize) -> usize {
        let free = self.program.free(id);
        let bound = |scope: &Scope| scope.vars.iter().any(|var| free.contains(var));
        let lowest = self.scopes[..=at].iter().rposition(bound).unwrap_or(0);
        if matches!(self.program.node(id), Node::Constant(_)) {
            return 0;
        }
        (lowest..at)
            .find(|&scope| self.may_stand(id, scope, at))
            .unwrap_or(at)
    }

    fn may_stand(&mut self, id: Id, scope: usize, at: usize) -> bool {
        if self.scopes[scope].certain.contains(id) {
            return true;
        }
        let crossed = &self.scopes[scope + 1..=at];
        let repeats = |scope: &Scope| matches!(scope.kind, Kind::Domain | Kind::Round);
        let pays = crossed.iter().any(repeats);
        let guarded = crossed.iter().all(|scope| scope.kind == Kind::Guarded);
        if !self.hoist || !(pays || guarded) {
            return false;
        }
        let all = |holds: &dyn Fn(&Scope) -> bool| crossed.iter().all(holds);
        let from_repeated = crossed.first().is_some_and(repeats);
        let crossing = Crossing {
            scope,
            domains: all(&|scope| scope.kind == Kind::Domain),
            reads: from_repeated || all(&|scope| scope.kind != Kind::Branch),
            most: match from_repeated {
                // Nothing that may not run at all, but for domains that may be empty.
                true if all(&repeats) => f64::INFINITY,
                true => SPECULATED,
                false => f64::from(CHEAP),
            },
        };
        self.brings_little(id, &crossing)
    }

    /// Whether a node is hoisted to a scope without failures and reads, and, where it is speculated, without much work, beside
    /// those of the scope.
    fn brings_little(&mut self, id: Id, crossing: &Crossing) -> bool {
        let known = self.scopes[crossing.scope].obstacles.get(&id).copied();
        if let Some(obstacle) = known
            && !self.is_there(obstacle, crossing.scope)
            && self.is_obstacle(obstacle, crossing)
        {
            return false;
        }
        // What demands each part, and how much there is to do.
        let (mut users, mut open, mut work) = (QuickMap::default(), vec![(id, id)], 0.0);
        while let Some((id, user)) = open.pop() {
            if users.contains_key(&id) || self.is_there(id, crossing.scope) {
                continue;
            }
            users.insert(id, user);
            if self.is_obstacle(id, crossing) {
                let mut at = id;
                while users[&at] != at {
                    at = users[&at];
                    self.scopes[crossing.scope].obstacles.insert(at, id);
                }
                return false;
            }
            let node = self.program.node(id);
            work += estimate::own(self.program, id);
            match node {
                Node::If { .. } => work += f64::from(CHEAP),
                // Without bounds it may not be evaluated before it is demanded; lengths of segments are within those of arrays.
                Node::Reduce { extents, .. }
                    if !(extents.iter()).all(|&extent| {
                        self.program.reads(extent)
                            || self.sources.bounds.bounded(self.program, extent)
                    }) =>
                {
                    return false;
                }
                // However cheap its elements or rounds are, there may be many.
                Node::Reduce { .. } | Node::Loop { .. } => work += 2.0 * f64::from(CHEAP),
                _ => {}
            }
            if work > crossing.most {
                return false;
            }
            match node {
                Node::Index { indices, .. } => open.extend(indices.iter().map(|&of| (of, id))),
                _ => evaluated(node, |operand| open.push((operand, id))),
            }
        }
        true
    }

    /// Whether a node is to be had at a scope anyway.
    fn is_there(&self, id: Id, scope: usize) -> bool {
        self.known(id, scope).is_some()
            || self.scopes[scope].certain.contains(id)
            || self.sources.is_outside(self.program, id)
    }

    /// Whether a node may not be speculated.
    fn is_obstacle(&mut self, id: Id, crossing: &Crossing) -> bool {
        match self.program.node(id) {
            Node::Guard { .. } => true,
            node @ Node::Loop { .. } => !trips::ends(self.program, node),
            // In bounds by its own variables, because of a domain that it leaves, or of a condition. The last cannot be tested
            // again outside, and out of a branch nothing is read that may not be needed.
            Node::Index { .. } => {
                // Of all domains that are open, wherever within them it is demanded.
                let mut extents = self.scopes[crossing.scope + 2..]
                    .iter()
                    .flat_map(|scope| &scope.extents);
                let tested =
                    crossing.domains && extents.all(|&extent| self.stands(extent, crossing.scope));
                !(tested || crossing.reads && self.in_bounds(id))
            }
            // Proved not to divide by zero where it stands, which may not hold outside.
            Node::Binary(Binary::Div | Binary::Rem, a, b) => {
                !self.program.leaf(*a).is_float()
                    && !matches!(self.program.node(*b), Node::Constant(_))
            }
            _ => false,
        }
    }

    /// Whether a read is in bounds wherever its variables are bound.
    pub(in crate::fuse) fn in_bounds(&mut self, id: Id) -> bool {
        reads::read_in_bounds(self.program, &mut self.sources.index, id)
    }

    /// Whether a value is one of the host's, or was found at a scope.
    fn stands(&self, value: Value, at: usize) -> bool {
        let found = |scope: &Scope| scope.values.values().any(|&known| known == value);
        self.scalars.iter().any(|&(known, _)| known == value)
            || self.scopes[..=at].iter().any(found)
    }

    /// Evaluates what is predicated by a domain having elements, before that is opened.
    pub(in crate::fuse) fn before(&mut self, extents: &[Id], roots: &[Id]) {
        let at = self.scopes.len() - 1;
        let program = &*self.program;
        let mut found = anticipated(program, roots.iter().copied());
        found.retain(|&id| {
            is_predicated(program, extents, id) && self.bound_at(id, at) && self.is_wanted(id)
        });
        for id in found {
            self.value(id);
        }
    }

    /// What must hold for a read that leaves the domains between `at` and the innermost scope.
    pub(in crate::fuse) fn nonempty(&mut self, at: usize) -> Option<Value> {
        let mut guard = self.scopes[at].guard;
        for scope in at + 1..self.scopes.len() {
            for extent in self.scopes[scope].extents.clone() {
                let zero = self.usize(0, 0);
                let holds = self.op(at, Leaf::Bool, Op::Binary(Binary::Ne, extent, zero));
                guard = Some(match guard {
                    Some(guard) => self.op(at, Leaf::Bool, Op::Binary(Binary::And, guard, holds)),
                    None => holds,
                });
            }
        }
        guard
    }
}
