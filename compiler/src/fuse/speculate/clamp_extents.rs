//! Speculative extents can be allocated.
//!
//! In: a program after inlining. Out: the same program, in which a difference that is an extent of something stored, and
//! that no check keeps from wrapping, is 0 where it would wrap. A check in a closure holds where the closure is called:
//! `m.rows().map(|row| xs.slice(5..).cumsum())` stores one scan for all rows, and demands five elements only if there is
//! a row. Without rows and elements that scan would have 2^64 - 5 of them.

use crate::fuse::rewrite::Rewrite;
use crate::ir::walk;
use crate::ir::{Id, Node, Output, Program, QuickMap, Type, Var};
use crate::pass::index::Index;
use crate::scalar::{Binary, Leaf, Scalar};
use crate::sorted::SortedSet;

/// See the module.
pub(in crate::fuse) fn run(mut program: Program) -> Program {
    let wrapped = wrapped(&mut program);
    if wrapped.is_empty() {
        return program;
    }
    let mut outputs = std::mem::take(&mut program.outputs);
    let mut checks = std::mem::take(&mut program.checks);
    let mut rewriter = Rewriter {
        program,
        wrapped,
        states: QuickMap::default(),
        done: QuickMap::default(),
    };
    for check in &mut checks {
        let values = check.values.iter_mut();
        for id in values.chain([&mut check.condition]) {
            *id = rewriter.rewrite(*id);
        }
    }
    for output in &mut outputs {
        let (extents, leaves) = match output {
            Output::Scalar(leaves) => (&mut Vec::new(), leaves),
            Output::Array { extents, leaves } => (extents, leaves),
        };
        // Shapes of results stay as they are, as what has no rows is empty as well; unless they come out of a loop, which gives
        // the arrays, too.
        let of_loop = |id: &&mut Id| {
            let mut all = walk::reachable(&rewriter.program, [**id]).into_iter();
            all.any(|id| matches!(rewriter.program.node(id), Node::Loop { .. }))
        };
        let mut extents: Vec<&mut Id> = extents.iter_mut().filter(of_loop).collect();
        for id in extents.iter_mut().map(|id| &mut **id).chain(leaves) {
            *id = rewriter.rewrite(*id);
        }
    }
    rewriter.program.outputs = outputs;
    rewriter.program.checks = checks;
    rewriter.program
}

/// The differences that may wrap in extents of what is stored, where the other extents are not 0.
fn wrapped(program: &mut Program) -> SortedSet<Id> {
    let live = walk::reachable(program, program.roots());
    let stored: SortedSet<Vec<Id>> = (live.iter())
        .flat_map(|&id| match program.node(id) {
            Node::Materialize(array) => vec![program.extents(*array).to_vec()],
            Node::Scan { extents, .. }
            | Node::Sort { extents, .. }
            | Node::Scatter { extents, .. }
            | Node::Compact { extents, .. } => vec![extents.clone()],
            Node::Loop { state, .. } => (state.iter())
                .filter_map(|&var| match program.var_type(var) {
                    Type::Array(_, extents) => Some(extents.clone()),
                    _ => None,
                })
                .collect(),
            _ => Vec::new(),
        })
        .collect();
    let mut ranges = None;
    let mut wrapped = SortedSet::new();
    for extents in stored {
        let of = |extent: &Id| differences(program, *extent);
        let differences: Vec<Vec<(Id, Id, Id)>> = extents.iter().map(of).collect();
        if differences.iter().all(Vec::is_empty) {
            continue;
        }
        let ranges = ranges.get_or_insert_with(|| Index::with_checks(program));
        let others = extents.iter().zip(&differences);
        let others: Vec<Id> = others
            .filter(|(_, differences)| differences.is_empty())
            .map(|(&extent, _)| extent)
            .collect();
        let vars: Vec<Var> = (others.iter())
            .map(|_| program.var(Type::Scalar(Leaf::U64)))
            .collect();
        ranges.domains(&vars, &others);
        ranges.push();
        ranges.enter(program, vars);
        let may = |&(_, a, b): &(Id, Id, Id)| ranges.less_equal(program, b, a) != Some(true);
        let differences = differences.into_iter().flatten();
        wrapped.extend(differences.filter(may).map(|(id, ..)| id));
        ranges.pop();
    }
    wrapped
}

/// The differences in an extent that is the same everywhere, each with what is taken from what.
fn differences(program: &Program, extent: Id) -> Vec<(Id, Id, Id)> {
    if !program.free(extent).is_empty() {
        return Vec::new();
    }
    let (mut open, mut seen, mut found) = (vec![extent], SortedSet::new(), Vec::new());
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        // What is chosen among others is chosen for not wrapping, and a remainder is small whatever it is of.
        if let &Node::Binary(op, a, b) = program.node(id)
            && op != Binary::Rem
        {
            if op == Binary::Sub && program.leaf(id) == Leaf::U64 {
                found.push((id, a, b));
            }
            open.extend([a, b]);
        }
    }
    found
}

struct Rewriter {
    program: Program,
    wrapped: SortedSet<Id>,
    states: QuickMap<Var, Var>,
    done: QuickMap<Id, Id>,
}

impl Rewrite for Rewriter {
    fn program(&mut self) -> &mut Program {
        &mut self.program
    }

    fn states(&mut self) -> &mut QuickMap<Var, Var> {
        &mut self.states
    }

    fn extent(&mut self, id: Id) -> Id {
        self.rewrite(id)
    }
}

impl Rewriter {
    fn rewrite(&mut self, id: Id) -> Id {
        if let Some(&to) = self.done.get(&id) {
            return to;
        }
        let mut node = self.node(id);
        node.map_operands(|operand| self.rewrite(operand));
        let mut to = self.program.add(node.clone());
        self.program.keep_labels(id, to);
        if self.wrapped.contains(&id)
            && let Node::Binary(_, a, b) = node
        {
            let fits = self.program.add(Node::Binary(Binary::Le, b, a));
            let zero = Node::Constant(Scalar::wrapped(Leaf::U64, 0));
            let none = self.program.add(zero);
            to = self.program.add(Node::Select(fits, to, none));
        }
        self.done.insert(id, to);
        to
    }
}
