//! Loops over the arrays of all rows.

use super::{Rows, all, fails, row};
use crate::ir::{Id, Node, Program, QuickMap, Type, Var};
use crate::scalar::{Binary, Unary};

/// The parts of a loop, which depend on `rows.vars`.
struct Rounds<'a> {
    rows: &'a Rows,
    state: Vec<Var>,
    initial: Vec<Id>,
    condition: Id,
    next: Vec<Id>,
}

impl Rounds<'_> {
    /// Whether a component of the state is the same for all rows.
    fn uniform(&self, program: &Program, k: usize) -> bool {
        matches!(program.var_type(self.state[k]), Type::Scalar(_))
            && self.is_uniform(program, self.initial[k])
            && self.is_uniform(program, self.next[k])
    }

    fn is_uniform(&self, program: &Program, id: Id) -> bool {
        let array = |var: &Var| matches!(program.var_type(*var), Type::Array(..));
        let mut free = program.free(id).iter();
        self.rows.is_uniform(program, id) && !free.any(|var| array(var) && self.state.contains(var))
    }

    /// Whether all rows go through the same rounds.
    fn alike(&self, program: &Program) -> bool {
        let scalars = (0..self.state.len())
            .filter(|&k| matches!(program.var_type(self.state[k]), Type::Scalar(_)));
        let closed = |&extent: &Id| {
            let extent = self.rows.unguarded(program, extent);
            self.is_uniform(program, extent) && !self.own(program, extent)
        };
        let regular = self.state.iter().all(|&var| match program.var_type(var) {
            Type::Array(_, extents) => extents.iter().all(closed),
            _ => true,
        });
        self.is_uniform(program, self.condition)
            && !fails(program, self.condition)
            && regular
            && self.rows.extents.iter().all(closed)
            && { scalars }.all(|k| self.uniform(program, k))
    }

    fn own(&self, program: &Program, id: Id) -> bool {
        program.free(id).iter().any(|var| self.state.contains(var))
    }

    /// Whether the rounds end whatever the elements are: `while k < n { k = k + 1 }`.
    fn counts(&self, program: &Program) -> bool {
        let Node::Binary(Binary::Lt, counted, end) = program.node(self.condition) else {
            return false;
        };
        let Node::Variable(var) = program.node(*counted) else {
            return false;
        };
        let Some(k) = self.state.iter().position(|other| other == var) else {
            return false;
        };
        let one = |id: &Id| matches!(program.node(*id), Node::Constant(one) if one.bits == 1);
        let steps = match program.node(self.next[k]) {
            Node::Binary(Binary::Add, a, b) => (a == counted && one(b)) || (b == counted && one(a)),
            _ => false,
        };
        steps && !self.own(program, *end)
    }
}

/// Makes the loop over all rows, if they go through the same rounds.
pub(super) fn over(program: &mut Program, rows: &Rows) -> Option<Id> {
    let Node::Loop {
        state,
        initial,
        condition,
        next,
    } = program.node(rows.of).clone()
    else {
        return None;
    };
    let rounds = Rounds {
        rows,
        state,
        initial,
        condition,
        next,
    };
    if !rounds.alike(program) {
        return None;
    }
    let inside: Vec<Id> = (rows.vars.iter())
        .map(|&var| program.add(Node::Variable(var)))
        .collect();
    let (mut state, mut map) = (Vec::new(), QuickMap::default());
    for &var in &rounds.state {
        let ty = match program.var_type(var).clone() {
            Type::Array(leaf, own) => {
                let own = own.iter().map(|&extent| rows.unguarded(program, extent));
                Type::Array(leaf, rows.extents.iter().copied().chain(own).collect())
            }
            ty => ty,
        };
        let all = program.var(ty);
        if let Some(name) = program.var_names.get(&var).cloned() {
            program.name_var(all, &name);
        }
        state.push(all);
        let all = program.add(Node::Variable(all));
        let row = row(program, all, &inside);
        map.insert(var, row);
    }
    let next = program.substitute_all(&rounds.next, &map);
    let mut condition = program.substitute(rounds.condition, &map);
    if !rounds.counts(program) {
        // Without rows there are no rounds, which need not end.
        for &extent in &rows.extents {
            let none = program.usize(0);
            let empty = program.binary(Binary::Eq, extent, none);
            let some = program.unary(Unary::Not, empty);
            condition = program.binary(Binary::And, some, condition);
        }
    }
    let mut every = |parts: &[Id]| -> Vec<Id> {
        let parts = parts.iter();
        parts.map(|&part| all(program, part, rows)).collect()
    };
    let (initial, next) = (every(&rounds.initial), every(&next));
    Some(program.add(Node::Loop {
        state,
        initial,
        condition,
        next,
    }))
}
