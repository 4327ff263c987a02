//! Calls of Rust functions of the user's: their arguments are in memory, and so are their results.
//!
//! A call stands on one side of a branch, and what the body of the foreign function says on the other one; both read the same
//! arguments, which are computed before.

use crate::fuse::body::sources::Sources;
use crate::fuse::item::Item;
use crate::fuse::planner::Planner;
use crate::fuse::steps::needs::Needs;
use crate::ir::{Id, IdSet, Node, Program, Type};
use crate::plan::{Argument, Step};
use crate::scalar::Scalar;
use crate::sorted::SortedSet;
use std::sync::Arc;

impl Needs {
    /// What the calls among some arrays need.
    pub(in crate::fuse) fn passed(
        &mut self,
        program: &Program,
        sources: &Sources,
        arrays: &[Id],
        user: &mut SortedSet<usize>,
    ) {
        let mut seen = IdSet::default();
        for &array in arrays {
            if let Node::Project(bundle, _) = *program.node(array)
                && matches!(program.node(bundle), Node::Routine { .. })
                && seen.insert(bundle)
            {
                self.parts_of_routine(program, sources, bundle, user);
            }
        }
    }

    /// A call.
    pub(in crate::fuse) fn routine(
        &mut self,
        program: &Program,
        sources: &Sources,
        id: Id,
        user: &mut SortedSet<usize>,
    ) {
        self.item(Item::Routine(id), user, |needs, user| {
            needs.parts_of_routine(program, sources, id, user);
        });
    }

    fn parts_of_routine(
        &mut self,
        program: &Program,
        sources: &Sources,
        id: Id,
        user: &mut SortedSet<usize>,
    ) {
        let Node::Routine {
            extents, arguments, ..
        } = program.node(id)
        else {
            unreachable!("a routine");
        };
        for &part in extents.iter().chain(arguments) {
            match program.ty(part) {
                Type::Array(..) => self.array(program, sources, part, user),
                _ => self.host(program, sources, part, user),
            }
        }
    }
}

impl Planner<'_> {
    /// Emits a call; its results have slots afterwards.
    pub(in crate::fuse) fn routine(&mut self, id: Id, steps: &mut Vec<Step>) {
        let Node::Routine {
            routine, arguments, ..
        } = self.program.node(id).clone()
        else {
            unreachable!("a routine");
        };
        let mut passed = Vec::new();
        for argument in arguments {
            passed.push(match self.program.ty(argument) {
                Type::Array(..) => Argument::Array(self.sources.slot(&self.program, argument)),
                _ => Argument::Scalar(self.host_value(argument, steps)),
            });
        }
        let mut results = Vec::new();
        for k in 0..routine.results.len() as u32 {
            let component = self.program.add(Node::Project(id, k));
            let buffer = self.allocate(component, steps);
            // A function that leaves some of it alone must not give what was there before.
            let value = Scalar::zero(self.program.leaf(component));
            steps.push(Step::Fill { buffer, value });
            self.sources.slots.insert(component, buffer);
            results.push(buffer);
        }
        steps.push(Step::Routine {
            routine: Arc::clone(&routine),
            arguments: passed,
            results,
        });
    }
}
