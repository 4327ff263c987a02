//! Loops over arrays leave the closures over rows that they stand in.
//!
//! In: a program after the passes. Out: the same function, where `generate(n, |i| (loop over xs, for i)[..])` has become
//! one loop over arrays that have the rows as axes of their own, as long as all rows go through the same rounds: neither
//! the loop's condition nor what it counts depends on a row or on elements. Other loops stay where they are, and
//! `supported` tells the user about them.

use super::estimate;
use super::inline::{around, is_array_loop};
use crate::ir::{Id, Node, Output, Program, Type, Var};
use crate::scalar::{Binary, Unary};
use std::collections::{BTreeSet, HashMap};

/// See the module.
pub(super) fn spread(mut program: Program) -> Program {
    let mut done = BTreeSet::new();
    loop {
        let live = estimate::reachable(&program, program.roots());
        let loops: BTreeSet<Var> = (live.iter())
            .filter(|&&id| is_array_loop(&program, id))
            .flat_map(|&id| program.node(id).bound())
            .collect();
        // Outer loops first, so that what differs in the row's variable only becomes one loop before its parts change.
        let states = |id: &Id| {
            let array_loop = |var: &&Var| loops.contains(*var);
            program.free(*id).iter().filter(array_loop).count()
        };
        let next = (live.into_iter())
            .filter(|id| {
                let own = program.free(*id).iter().any(|var| !loops.contains(var));
                own && is_array_loop(&program, *id) && !done.contains(id)
            })
            .min_by_key(|id| (states(id), *id));
        let Some(id) = next else {
            return program;
        };
        done.insert(id);
        if let Some(rows) = rows(&mut program, id) {
            let components = over(&mut program, id, &rows);
            program = replaced(program, components);
        }
    }
}

/// What is evaluated wherever the domains around it have points and the loops over arrays around it have rounds.
fn certain(program: &Program) -> BTreeSet<Id> {
    let (mut found, mut open) = (BTreeSet::new(), program.roots());
    while let Some(id) = open.pop() {
        if !found.insert(id) {
            continue;
        }
        match program.node(id) {
            Node::If { condition, .. } | Node::Guard { condition, .. } => open.push(*condition),
            Node::Loop { initial, .. } if !is_array_loop(program, id) => open.extend(initial),
            node => node.operands(|operand| open.push(operand)),
        }
    }
    found
}

/// What a loop depends on.
struct Rows {
    /// Where the rows are, outside of the loop.
    at: Vec<Id>,
    extents: Vec<Id>,
    /// Stand for them inside.
    vars: Vec<Var>,
    /// The loop's parts, which depend on `vars`.
    state: Vec<Var>,
    initial: Vec<Id>,
    condition: Id,
    next: Vec<Id>,
}

/// The rows of a loop, if it can be spread over them.
fn rows(program: &mut Program, id: Id) -> Option<Rows> {
    let certain = certain(program).contains(&id);
    let binders = estimate::binders(program);
    let (found, outer) = around(program, &binders, id, &[])?;
    if found.is_empty() {
        return None;
    }
    let (mut at, mut extents, mut vars) = (Vec::new(), Vec::new(), Vec::new());
    let mut map = HashMap::new();
    let mut quotients = HashMap::new();
    for (var, extent) in found.into_iter().zip(outer) {
        let (fresh, read) = program.index_var();
        if let Some(name) = program.var_names.get(&var).cloned() {
            program.name_var(fresh, &name);
        }
        vars.push(fresh);
        match quotient(program, id, var, extent) {
            Some((row, count)) => {
                at.push(row);
                extents.push(count);
                quotients.insert(row, read);
            }
            None => {
                at.push(program.add(Node::Variable(var)));
                extents.push(extent);
                map.insert(var, read);
            }
        }
    }
    let id = Replacing { done: quotients }.rewrite(program, id);
    let id = program.substitute(id, &map);
    let Node::Loop {
        state,
        initial,
        condition,
        next,
    } = program.node(id).clone()
    else {
        return None;
    };
    let rows = Rows {
        at,
        extents,
        vars,
        state,
        initial,
        condition,
        next,
    };
    (rows.alike(program) && (certain || !fails(program, id))).then_some(rows)
}

/// A loop that depends on `var` by `var / n` only, where n divides the extent: that quotient, and how many there are.
fn quotient(program: &Program, id: Id, var: Var, extent: Id) -> Option<(Id, Id)> {
    let mut found = None;
    for user in estimate::reachable(program, [id]) {
        let mut own = false;
        program.node(user).operands(|operand| {
            own |= matches!(program.node(operand), Node::Variable(other) if *other == var);
        });
        if !own {
            continue;
        }
        match program.node(user) {
            Node::Binary(Binary::Div, _, _) if found.is_none() => found = Some(user),
            _ => return None,
        }
    }
    let Node::Binary(_, _, by) = program.node(found?) else {
        return None;
    };
    match program.node(extent) {
        Node::Binary(Binary::Mul, a, b) if a == by => Some((found?, *b)),
        Node::Binary(Binary::Mul, a, b) if b == by => Some((found?, *a)),
        _ => None,
    }
}

impl Rows {
    /// Whether a component of the state is the same for all rows.
    fn uniform(&self, program: &Program, k: usize) -> bool {
        matches!(program.var_type(self.state[k]), Type::Scalar(_))
            && self.is_uniform(program, self.initial[k])
            && self.is_uniform(program, self.next[k])
    }

    fn is_uniform(&self, program: &Program, id: Id) -> bool {
        let array = |var: &Var| matches!(program.var_type(*var), Type::Array(..));
        let mut free = program.free(id).iter();
        !free.any(|var| self.vars.contains(var) || array(var) && self.state.contains(var))
    }

    /// Whether all rows go through the same rounds.
    fn alike(&self, program: &Program) -> bool {
        let scalars = (0..self.state.len())
            .filter(|&k| matches!(program.var_type(self.state[k]), Type::Scalar(_)));
        let closed = |&extent: &Id| self.is_uniform(program, extent) && !self.own(program, extent);
        let regular = self.state.iter().all(|&var| match program.var_type(var) {
            Type::Array(_, extents) => extents.iter().all(closed),
            _ => true,
        });
        self.is_uniform(program, self.condition)
            && !fails(program, self.condition)
            && regular
            && self.extents.iter().all(closed)
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

/// Whether anything in an expression or in the arrays that it needs can fail.
fn fails(program: &Program, id: Id) -> bool {
    estimate::reachable(program, [id]).into_iter().any(|id| {
        matches!(program.node(id), Node::Guard { .. })
            || matches!(program.node(id), Node::Loop { .. } if !is_array_loop(program, id))
    })
}

/// Makes the loop over all rows; gives what its components and those of the loop for a row are.
fn over(program: &mut Program, id: Id, rows: &Rows) -> HashMap<Id, Id> {
    let inside: Vec<Id> = (rows.vars.iter())
        .map(|&var| program.add(Node::Variable(var)))
        .collect();
    let (mut state, mut map) = (Vec::new(), HashMap::new());
    for &var in &rows.state {
        let ty = match program.var_type(var).clone() {
            Type::Array(leaf, own) => Type::Array(leaf, [&rows.extents[..], &own].concat()),
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
    let next = program.substitute_all(&rows.next, &map);
    let mut condition = program.substitute(rows.condition, &map);
    if !rows.counts(program) {
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
    let (initial, next) = (every(&rows.initial), every(&next));
    let made = program.add(Node::Loop {
        state,
        initial,
        condition,
        next,
    });
    program.keep_labels(id, made);
    let mut components = HashMap::new();
    for k in 0..rows.state.len() as u32 {
        let (from, all) = (Node::Project(id, k), program.add(Node::Project(made, k)));
        if let Some(from) = program.find(&from) {
            components.insert(from, row(program, all, &rows.at));
        }
    }
    components
}

/// A row of an array; a scalar is the same for all.
fn row(program: &mut Program, array: Id, at: &[Id]) -> Id {
    if !matches!(program.ty(array), Type::Array(..)) {
        return array;
    }
    let extents = program.extents(array)[at.len()..].to_vec();
    let (vars, reads): (Vec<Var>, Vec<Id>) = extents.iter().map(|_| program.index_var()).unzip();
    let element = program.add(Node::Index {
        array,
        indices: [at, &reads].concat(),
    });
    program.add(Node::Generate {
        extents,
        vars,
        element,
    })
}

/// The array of all rows, of which `part` is one.
fn all(program: &mut Program, part: Id, rows: &Rows) -> Id {
    if !matches!(program.ty(part), Type::Array(..)) {
        return part;
    }
    let own = program.extents(part).to_vec();
    let extents = [&rows.extents[..], &own].concat();
    let (vars, reads): (Vec<Var>, Vec<Id>) = extents.iter().map(|_| program.index_var()).unzip();
    let (over, own) = reads.split_at(rows.vars.len());
    let map = rows
        .vars
        .iter()
        .copied()
        .zip(over.iter().copied())
        .collect();
    let array = program.substitute(part, &map);
    let element = program.add(Node::Index {
        array,
        indices: own.to_vec(),
    });
    let made = program.add(Node::Generate {
        extents,
        vars,
        element,
    });
    program.keep_labels(part, made);
    made
}

/// The program with some nodes in the place of others.
fn replaced(mut program: Program, done: HashMap<Id, Id>) -> Program {
    let mut replacing = Replacing { done };
    let (mut outputs, mut checks) = (program.outputs.clone(), program.checks.clone());
    for check in &mut checks {
        check.condition = replacing.rewrite(&mut program, check.condition);
        for value in &mut check.values {
            *value = replacing.rewrite(&mut program, *value);
        }
    }
    for output in &mut outputs {
        let (extents, leaves) = match output {
            Output::Scalar(leaves) => (&mut Vec::new(), leaves),
            Output::Array { extents, leaves } => (extents, leaves),
        };
        for id in extents.iter_mut().chain(leaves) {
            *id = replacing.rewrite(&mut program, *id);
        }
    }
    (program.outputs, program.checks) = (outputs, checks);
    if cfg!(debug_assertions)
        && let Err(message) = program.verify()
    {
        panic!(
            "after spreading: {message}\n{program}\nthis is a bug in accelerate: please report it"
        );
    }
    program
}

struct Replacing {
    done: HashMap<Id, Id>,
}

impl Replacing {
    fn rewrite(&mut self, program: &mut Program, id: Id) -> Id {
        if let Some(&to) = self.done.get(&id) {
            return to;
        }
        let mut node = program.node(id).clone();
        node.map_operands(|operand| self.rewrite(program, operand));
        let to = program.add(node);
        program.keep_labels(id, to);
        self.done.insert(id, to);
        to
    }
}
