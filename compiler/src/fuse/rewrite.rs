//! States of loops in programs that are written anew, from their roots.

use crate::fuse::analysis::estimate::Binder;
use crate::ir::{Id, Node, Program, QuickMap, Type, Var};

/// What writes a program anew, each node once or more.
///
/// A variable's type mentions extents, which are no operands of any node: an array that is the state of a loop must have
/// those that everything else has in the new program, or the old ones would be computed as well.
pub(super) trait Rewrite {
    /// The old program and what there is of the new one.
    fn program(&mut self) -> &mut Program;

    /// Where the states of loops that are others now are kept.
    fn states(&mut self) -> &mut QuickMap<Var, Var>;

    /// By which nodes variables are bound, if it is kept.
    fn binders(&mut self) -> Option<&mut QuickMap<Var, Binder>> {
        None
    }

    /// An extent of the old program in the new one.
    fn extent(&mut self, id: Id) -> Id;

    /// Writes checks and results anew, and with them all that they need.
    fn roots(&mut self, rewrite: impl Fn(&mut Self, Id) -> Id)
    where
        Self: Sized,
    {
        let mut checks = std::mem::take(&mut self.program().checks);
        let mut outputs = std::mem::take(&mut self.program().outputs);
        for check in &mut checks {
            check.map_roots(|id| rewrite(self, id));
        }
        for output in &mut outputs {
            output.map_roots(|id| rewrite(self, id));
        }
        self.program().checks = checks;
        self.program().outputs = outputs;
    }

    /// A node to write anew, of the states that there are in the new program.
    fn node(&mut self, id: Id) -> Node {
        let mut node = self.program().node(id).clone();
        match &mut node {
            Node::Loop { state, .. } => state.iter_mut().for_each(|var| *var = self.state(*var)),
            Node::Variable(var) => *var = *self.states().get(var).unwrap_or(var),
            _ => {}
        }
        node
    }

    /// A state of a loop, another one if it is an array whose extents are written in another way now.
    fn state(&mut self, var: Var) -> Var {
        if let Some(&to) = self.states().get(&var) {
            return to;
        }
        let Type::Array(leaf, old) = self.program().var_type(var).clone() else {
            return var;
        };
        let extents: Vec<Id> = old.iter().map(|&extent| self.extent(extent)).collect();
        if extents == old {
            return var;
        }
        let program = self.program();
        let to = program.var(Type::Array(leaf, extents));
        if let Some(name) = program.var_names.get(&var).cloned() {
            program.name_var(to, &name);
        }
        if let Some(binders) = self.binders()
            && let Some(&binder) = binders.get(&var)
        {
            binders.insert(to, binder);
        }
        self.states().insert(var, to);
        to
    }
}

/// The program with some nodes in the place of others.
pub(super) fn replaced(mut program: Program, done: QuickMap<Id, Id>) -> Program {
    Replacing::new(&mut program, done).roots(Replacing::rewrite);
    program
}

/// Writes a program with some nodes in the place of others.
pub(super) struct Replacing<'a> {
    pub(super) program: &'a mut Program,
    states: QuickMap<Var, Var>,
    done: QuickMap<Id, Id>,
}

impl Rewrite for Replacing<'_> {
    fn program(&mut self) -> &mut Program {
        self.program
    }

    fn states(&mut self) -> &mut QuickMap<Var, Var> {
        &mut self.states
    }

    fn extent(&mut self, id: Id) -> Id {
        self.rewrite(id)
    }
}

impl Replacing<'_> {
    pub(super) fn new(program: &mut Program, done: QuickMap<Id, Id>) -> Replacing<'_> {
        Replacing {
            program,
            states: QuickMap::default(),
            done,
        }
    }

    pub(super) fn rewrite(&mut self, id: Id) -> Id {
        if let Some(&to) = self.done.get(&id) {
            return to;
        }
        let mut node = self.node(id);
        node.map_operands(|operand| self.rewrite(operand));
        let to = self.program.add(node);
        self.program.keep_labels(id, to);
        self.done.insert(id, to);
        to
    }

    /// Has `to` in the place of a node from now on.
    pub(super) fn replace(&mut self, id: Id, to: Id) {
        self.done.insert(id, to);
    }
}
