//! Loops over arrays, scatters and sorts leave the closures over rows that they stand in.
//!
//! In: a program after the passes. Out: the same function, where `generate(n, |i| (loop over xs, for i)[..])` has become
//! one loop over arrays that have the rows as axes of their own, as long as all rows go through the same rounds: neither
//! the loop's condition nor what it counts depends on a row or on elements. A scatter for each row has become one scatter
//! whose target has the rows as its first axes, a sort one of all rows, or of those that demand it, if they are of one size.
//! Others stay where they are, and `supported` tells the user about them.

mod loops;
mod path;
mod scatters;
mod sorts;

use crate::fuse::analysis::control::is_array_loop;
use crate::fuse::analysis::domains::around;
use crate::fuse::analysis::estimate::{self, Binder};
use crate::fuse::analysis::reads;
use crate::fuse::rewrite::{Replacing, Rewrite};
use crate::ir::walk;
use crate::ir::{Id, Node, Program, QuickMap, Type, Var};
use crate::pass::index::Index;
use crate::scalar::Binary;
use crate::sorted::SortedSet;
use path::{Path, Step};

/// See the module.
pub(super) fn run(mut program: Program) -> Program {
    let mut done = SortedSet::new();
    loop {
        let live = walk::reachable(&program, program.roots());
        let loops: SortedSet<Var> = (live.iter())
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
                let whole = match program.node(*id) {
                    Node::Scatter { .. } | Node::Sort { .. } => true,
                    _ => is_array_loop(&program, *id),
                };
                own && whole && !done.contains(id)
            })
            .min_by_key(|id| (states(id), *id));
        let Some(id) = next else {
            return program;
        };
        done.insert(id);
        let Some(rows) = rows(&mut program, id) else {
            continue;
        };
        let each = |all| Made {
            all,
            at: rows.at.clone(),
            known: None,
            effects: Vec::new(),
        };
        let made = match program.node(rows.of) {
            Node::Loop { .. } => loops::over(&mut program, &rows).map(each),
            Node::Sort { .. } => sorts::over(&mut program, &rows),
            _ => scatters::over(&mut program, &rows).map(each),
        };
        if let Some(made) = made {
            program.keep_labels(id, made.all);
            let mut components = components(&mut program, id, &made);
            components.extend(made.known);
            program = demanded(program, components, &made.effects, rows.around);
        }
    }
}

/// What is one for many rows.
struct Made {
    all: Id,
    /// Where in it the row around is.
    at: Vec<Id>,
    /// A condition of the row around, if its value is known by a better name.
    known: Option<(Id, Id)>,
    /// What rows that demand it are found by, and it itself: what is around these rows demands it in any case.
    effects: Vec<Id>,
}

/// The program with some nodes in the place of others; evaluating `around` evaluates `effects` first.
fn demanded(mut program: Program, done: QuickMap<Id, Id>, effects: &[Id], around: Id) -> Program {
    let mut effects = effects.to_vec();
    effects.retain(|&effect| program.guards(effect));
    let arrays = match program.ty(around) {
        _ if effects.is_empty() => Vec::new(),
        Type::Bundle(_) => program.components(around),
        _ => vec![around],
    };
    let mut replacing = Replacing::new(&mut program, done);
    for array in arrays {
        let mut value = replacing.rewrite(array);
        for &effect in &effects {
            value = replacing.program.add(Node::Demand {
                effect,
                value,
                required: false,
            });
        }
        replacing.replace(array, value);
    }
    replacing.roots(Replacing::rewrite);
    program
}

/// What a loop, a scatter or a sort depends on.
struct Rows {
    /// Where the rows are, outside of it.
    at: Vec<Id>,
    extents: Vec<Id>,
    /// The same, whatever the host's conditions are.
    every: Vec<Id>,
    /// The outermost one whose elements they are.
    around: Id,
    /// Stand for them inside.
    vars: Vec<Var>,
    /// The loop, scatter or sort, which depends on `vars`.
    of: Id,
    /// Under which it is evaluated in a row, if that matters; depends on `vars`, too.
    path: Path,
    /// What the host knows of it: where that does not hold there are no rows.
    host: Path,
    /// The condition outside, if it is that of one branch.
    condition: Option<Step>,
}

/// The rows of a loop, a scatter or a sort.
fn rows(program: &mut Program, id: Id) -> Option<Rows> {
    let sorts = matches!(program.node(id), Node::Sort { .. });
    let paths = match !sorts && is_safe(program, id) {
        true => vec![Path::new()],
        false => path::to(program, id, fails(program, id)),
    };
    let binders = estimate::binders(program);
    let (found, outer) = around(program, &binders, id, &[])?;
    if found.is_empty() {
        return None;
    }
    let outermost = |id: &Id| found.iter().all(|var| !program.free(*id).contains(var));
    let mut around = found.iter().map(|var| binders[var].node);
    let around = around.find(outermost)?;
    let (mut at, mut extents, mut vars) = (Vec::new(), Vec::new(), Vec::new());
    let mut map = QuickMap::default();
    let mut quotients = QuickMap::default();
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
    let mut replacing = Replacing::new(program, quotients);
    let mut inside = |id: Id| {
        let id = replacing.rewrite(id);
        replacing.program.substitute(id, &map)
    };
    let of = inside(id);
    let paths: Vec<(Path, Path)> = (paths.into_iter())
        .map(|path| {
            let steps = path.iter();
            let own = steps.map(|step| Step {
                condition: inside(step.condition),
                ..*step
            });
            let own = own.collect();
            (path, own)
        })
        .collect();
    // What differs within a row is no condition of the whole.
    let of_rows = |var: &Var| {
        let state = |binder: &Binder| is_array_loop(program, binder.node);
        vars.contains(var) || binders.get(var).is_some_and(state)
    };
    let uniform = |(_, path): &(Path, Path)| {
        let mut steps = path.iter();
        steps.all(|step| program.free(step.condition).iter().all(of_rows))
    };
    let (outside, own) = paths.into_iter().find(uniform)?;
    let (path, host) = path::split(program, &own);
    let mut branches = path.iter().filter(|step| !step.check);
    let branch = branches.next().filter(|_| branches.next().is_none());
    let condition = branch.and_then(|step| own.iter().position(|other| other == step));
    let condition = condition.map(|k| outside[k]);
    let every = extents.clone();
    extents[0] = path::none_unless(program, &host, extents[0]);
    let rows = Rows {
        at,
        extents,
        every,
        around,
        vars,
        of,
        path,
        host,
        condition,
    };
    let varies = |var: &Var| rows.vars.contains(var);
    let regular = |&extent: &Id| !program.free(extent).iter().any(varies);
    rows.extents.iter().all(regular).then_some(rows)
}

/// A loop that depends on `var` by `var / n` only, where n divides the extent: that quotient, and how many there are.
fn quotient(program: &Program, id: Id, var: Var, extent: Id) -> Option<(Id, Id)> {
    let mut found = None;
    for user in walk::reachable(program, [id]) {
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
    /// An extent; without the checks before it, if these are of a row, which may not exist.
    fn unguarded(&self, program: &Program, extent: Id) -> Id {
        let mut free = program.free(extent).iter();
        match free.any(|var| self.vars.contains(var)) {
            true => program.unguarded(extent),
            false => extent,
        }
    }

    /// Values with the checks that `extents` have lost.
    fn guarded(&self, program: &mut Program, extents: &[Id], mut values: Vec<Id>) -> Vec<Id> {
        for &extent in extents {
            let (mut check, end) = (extent, self.unguarded(program, extent));
            while check != end
                && let Node::Guard { value: next, .. } | Node::Demand { value: next, .. } =
                    *program.node(check)
            {
                for checked in &mut values {
                    let mut node = program.node(check).clone();
                    if let Node::Guard { value, .. } | Node::Demand { value, .. } = &mut node {
                        *value = *checked;
                    }
                    *checked = program.add(node);
                }
                check = next;
            }
        }
        values
    }

    /// Whether something is the same for all rows, and may be evaluated whatever any of them is.
    fn is_uniform(&self, program: &Program, id: Id) -> bool {
        let mut free = program.free(id).iter();
        !free.any(|var| self.vars.contains(var)) && (self.path.is_empty() || is_safe(program, id))
    }
}

/// Whether it may be evaluated where nothing demands it: a branch's condition may be what keeps reads in bounds.
fn is_safe(program: &Program, id: Id) -> bool {
    !fails(program, id) && reads::is_speculatable(program, &mut Index::with_checks(program), id)
}

/// Whether anything in an expression or in the arrays that it needs can fail.
fn fails(program: &Program, id: Id) -> bool {
    walk::reachable(program, [id]).into_iter().any(|id| {
        matches!(program.node(id), Node::Guard { .. })
            || matches!(program.node(id), Node::Loop { .. } if !is_array_loop(program, id))
    })
}

/// What a row of each component of what was made for all of them is.
fn components(program: &mut Program, id: Id, made: &Made) -> QuickMap<Id, Id> {
    let mut found = QuickMap::default();
    for (k, all) in program.components(made.all).into_iter().enumerate() {
        if let Some(from) = program.find(&Node::Project(id, k as u32)) {
            found.insert(from, row(program, all, &made.at));
        }
    }
    found
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
    let bare = own.iter().map(|&extent| rows.unguarded(program, extent));
    let extents: Vec<Id> = rows.extents.iter().copied().chain(bare).collect();
    let (vars, reads): (Vec<Var>, Vec<Id>) = extents.iter().map(|_| program.index_var()).unzip();
    let (over, at) = reads.split_at(rows.vars.len());
    let map = rows
        .vars
        .iter()
        .copied()
        .zip(over.iter().copied())
        .collect();
    let element = program.add(Node::Index {
        array: part,
        indices: at.to_vec(),
    });
    let element = rows.guarded(program, &own, vec![element])[0];
    let mut element = program.substitute(element, &map);
    if !rows.path.is_empty() && !is_safe(program, part) {
        let path: Path = (rows.path.iter())
            .map(|step| Step {
                condition: program.substitute(step.condition, &map),
                ..*step
            })
            .collect();
        element = path::under(program, &path, vec![element])[0];
    }
    let made = program.add(Node::Generate {
        extents,
        vars,
        element,
    });
    program.keep_labels(part, made);
    made
}
