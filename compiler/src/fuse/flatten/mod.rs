//! Loops over arrays, scatters and sorts leave the closures over rows that they stand in.
//!
//! In: a program after the passes. Out: the same function, where `generate(n, |i| (loop over xs, for i)[..])` has become
//! one loop over arrays that have the rows as axes of their own, as long as all rows go through the same rounds: neither
//! the loop's condition nor what it counts depends on a row or on elements. A scatter for each row has become one scatter
//! whose target has the rows as its first axes, a sort one of all rows, if they are of one size. Others stay where they are,
//! and `supported` tells the user about them.

mod loops;
mod path;
mod scatters;
mod sorts;

use crate::fuse::analysis::control::is_array_loop;
use crate::fuse::analysis::domains::around;
use crate::fuse::analysis::estimate::{self, Binder};
use crate::fuse::analysis::reads;
use crate::fuse::rewrite::{Replacing, replaced};
use crate::ir::walk;
use crate::ir::{Id, Node, Program, QuickMap, Type, Var};
use crate::pass::index::Index;
use crate::scalar::Binary;
use crate::sorted::SortedSet;
use path::Path;

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
        let made = match program.node(rows.of) {
            Node::Loop { .. } => loops::over(&mut program, &rows),
            Node::Sort { .. } => sorts::over(&mut program, &rows),
            _ => scatters::over(&mut program, &rows),
        };
        if let Some(made) = made {
            program.keep_labels(id, made);
            let components = components(&mut program, id, made, &rows);
            program = replaced(program, components);
        }
    }
}

/// What a loop, a scatter or a sort depends on.
struct Rows {
    /// Where the rows are, outside of it.
    at: Vec<Id>,
    extents: Vec<Id>,
    /// Stand for them inside.
    vars: Vec<Var>,
    /// The loop, scatter or sort, which depends on `vars`.
    of: Id,
    /// Under which it is evaluated in a row, if that matters; depends on `vars`, too.
    path: Path,
}

/// The rows of a loop, a scatter or a sort.
fn rows(program: &mut Program, id: Id) -> Option<Rows> {
    let paths = match is_safe(program, id) {
        true => vec![Path::new()],
        false => path::to(program, id, fails(program, id)),
    };
    let binders = estimate::binders(program);
    let (found, outer) = around(program, &binders, id, &[])?;
    if found.is_empty() {
        return None;
    }
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
    let paths: Vec<Path> = (paths.into_iter())
        .map(|path| {
            let steps = path.into_iter();
            steps
                .map(|(condition, holds)| (inside(condition), holds))
                .collect()
        })
        .collect();
    // What differs within a row is no condition of the whole.
    let of_rows = |var: &Var| {
        let state = |binder: &Binder| is_array_loop(program, binder.node);
        vars.contains(var) || binders.get(var).is_some_and(state)
    };
    let uniform = |path: &Path| {
        let mut steps = path.iter();
        steps.all(|(condition, _)| program.free(*condition).iter().all(of_rows))
    };
    let path = paths.into_iter().find(uniform)?;
    let path = path::without_rows(program, path, &mut extents);
    let rows = Rows {
        at,
        extents,
        vars,
        of,
        path,
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
fn components(program: &mut Program, id: Id, made: Id, rows: &Rows) -> QuickMap<Id, Id> {
    let mut found = QuickMap::default();
    for (k, all) in program.components(made).into_iter().enumerate() {
        if let Some(from) = program.find(&Node::Project(id, k as u32)) {
            found.insert(from, row(program, all, &rows.at));
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
    let mut element = program.add(Node::Index {
        array,
        indices: own.to_vec(),
    });
    if !rows.path.is_empty() && !is_safe(program, part) {
        let path: Path = (rows.path.iter())
            .map(|&(condition, holds)| (program.substitute(condition, &map), holds))
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
