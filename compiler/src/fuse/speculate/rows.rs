//! Reductions of other rows: computed once for all rows, not for each element that reads around its own.
//!
//! In: a program after inlining. Out: the same program, in which a reduction over row `e` of an array, that elements of a stored
//! array demand in a branch (the one that keeps `e` in bounds, as that of a stencil does), and that does not depend on all of their
//! indices, is read of a stored array of the reductions of all rows. There are as many as the array that is read has rows.

use crate::fuse::analysis::bounds::anticipated;
use crate::fuse::analysis::reads;
use crate::fuse::rewrite::Rewrite;
use crate::ir::{Id, Node, Program, Type, Var, walk};
use crate::pass::index::Index;
use crate::scalar::Leaf;
use std::collections::{BTreeSet, HashMap};

/// See the module.
pub(super) fn share(mut program: Program) -> Program {
    let found = found(&mut program);
    if found.is_empty() {
        return program;
    }
    let mut sharer = Sharer {
        program,
        found,
        states: HashMap::new(),
        done: HashMap::new(),
    };
    sharer.roots(Sharer::rewrite);
    sharer.program
}

/// The reductions of other rows, and what their components are of stored arrays.
fn found(program: &mut Program) -> HashMap<Id, Vec<Id>> {
    let mut candidates = BTreeSet::new();
    for id in walk::reachable(program, program.roots()) {
        let Node::Materialize(array) = *program.node(id) else {
            continue;
        };
        let Node::Generate { vars, element, .. } = program.node(array) else {
            continue;
        };
        if vars.len() < 2 || !program.free(array).is_empty() {
            continue;
        }
        let certain = anticipated(program, [*element]);
        candidates.extend(walk::inside(program, *element).filter(|id| {
            let free = program.free(*id);
            matches!(program.node(*id), Node::Reduce { .. })
                && (1..vars.len()).contains(&free.len())
                && free.iter().all(|var| vars.contains(var))
                && !walk::fallible(program, *id)
                && !certain.contains(id)
        }));
    }
    let mut ranges = Index::with_checks(program);
    let mut found = HashMap::new();
    for id in candidates {
        if reads::in_bounds(program, &mut ranges, id) {
            continue;
        }
        let Some((row, extent)) = row(program, id) else {
            continue;
        };
        let var = program.var(Type::Scalar(Leaf::U64));
        let any = program.add(Node::Variable(var));
        let of_any = replaced(program, id, &mut HashMap::from([(row, any)]));
        if *program.free(of_any) != BTreeSet::from([var]) {
            continue;
        }
        let mut components = Vec::new();
        for component in program.components(of_any) {
            let array = program.generate(vec![extent], |program, indices| {
                let map = HashMap::from([(var, indices[0])]);
                program.substitute(component, &map)
            });
            let stored = program.add(Node::Materialize(array));
            let reason = "elements around it demand the reduction of a row".to_owned();
            program.reasons.insert(stored, reason);
            let indices = vec![row];
            components.push(program.add(Node::Index {
                array: stored,
                indices,
            }));
        }
        found.insert(id, components);
    }
    found
}

/// The row that a reduction is of: the first index of all of its reads, and their extent.
fn row(program: &Program, id: Id) -> Option<(Id, Id)> {
    let free: Vec<Var> = program.free(id).iter().copied().collect();
    let depends = |id: Id| free.iter().any(|var| program.free(id).contains(var));
    let mut found = None;
    for id in walk::inside(program, id) {
        let Node::Index { array, indices } = program.node(id) else {
            continue;
        };
        let own = (indices[0], program.extents(*array)[0]);
        if depends(indices[0]) && *found.get_or_insert(own) != own {
            return None;
        }
    }
    found
}

/// An expression with others in the place of some.
fn replaced(program: &mut Program, id: Id, done: &mut HashMap<Id, Id>) -> Id {
    if let Some(&to) = done.get(&id) {
        return to;
    }
    if matches!(program.ty(id), Type::Array(..)) {
        return id;
    }
    let mut node = program.node(id).clone();
    node.map_operands(|operand| replaced(program, operand, done));
    let to = program.add(node);
    program.keep_labels(id, to);
    done.insert(id, to);
    to
}

/// Writes a program with reads in the place of reductions.
struct Sharer {
    program: Program,
    found: HashMap<Id, Vec<Id>>,
    states: HashMap<Var, Var>,
    done: HashMap<Id, Id>,
}

impl Rewrite for Sharer {
    fn program(&mut self) -> &mut Program {
        &mut self.program
    }

    fn states(&mut self) -> &mut HashMap<Var, Var> {
        &mut self.states
    }

    fn extent(&mut self, id: Id) -> Id {
        self.rewrite(id)
    }
}

impl Sharer {
    fn rewrite(&mut self, id: Id) -> Id {
        if let Some(&to) = self.done.get(&id) {
            return to;
        }
        let read = match *self.program.node(id) {
            Node::Project(bundle, k) => self.found.get(&bundle).map(|read| read[k as usize]),
            _ => None,
        };
        let to = match read {
            Some(read) => self.rewrite(read),
            None => {
                let mut node = self.node(id);
                node.map_operands(|operand| self.rewrite(operand));
                self.program.add(node)
            }
        };
        self.program.keep_labels(id, to);
        self.done.insert(id, to);
        to
    }
}
