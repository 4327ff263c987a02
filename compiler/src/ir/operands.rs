//! The one place that knows the operands of each node.

use super::{Id, Node, Var};

impl Node {
    /// Calls `f` on every operand in order, those inside regions included.
    pub fn operands(&self, mut f: impl FnMut(Id)) {
        let mut copy = self.clone();
        copy.map_operands(|id| {
            f(id);
            id
        });
    }

    /// Replaces every operand.
    pub fn map_operands(&mut self, mut f: impl FnMut(Id) -> Id) {
        let mut each = |id: &mut Id| *id = f(*id);
        match self {
            Node::Constant(_)
            | Node::Parameter(_)
            | Node::Input { .. }
            | Node::Extent { .. }
            | Node::Variable(_) => {}
            Node::Unary(_, a)
            | Node::Cast(_, a)
            | Node::Bitcast(_, a)
            | Node::Project(a, _)
            | Node::Materialize(a) => each(a),
            Node::Binary(_, a, b) => [a, b].into_iter().for_each(each),
            Node::Select(a, b, c) => [a, b, c].into_iter().for_each(each),
            Node::Math(_, arguments) => arguments.iter_mut().for_each(each),
            Node::Index { array, indices } => {
                each(array);
                indices.iter_mut().for_each(each);
            }
            Node::Guard {
                condition,
                site: _,
                values,
                value,
            } => {
                each(condition);
                values.iter_mut().for_each(&mut each);
                each(value);
            }
            Node::Demand { effect, value } => [effect, value].into_iter().for_each(each),
            Node::If {
                condition,
                then,
                otherwise,
            } => {
                each(condition);
                then.iter_mut().chain(otherwise).for_each(each);
            }
            Node::Loop {
                state: _,
                initial,
                condition,
                next,
            } => {
                initial.iter_mut().for_each(&mut each);
                each(condition);
                next.iter_mut().for_each(each);
            }
            Node::Generate {
                extents,
                vars: _,
                element,
            } => {
                extents.iter_mut().for_each(&mut each);
                each(element);
            }
            Node::Reduce {
                extents,
                vars: _,
                elements,
                left: _,
                right: _,
                combined,
                initial,
                commutes: _,
            } => {
                extents.iter_mut().for_each(&mut each);
                elements.iter_mut().for_each(&mut each);
                combined.iter_mut().for_each(&mut each);
                initial.iter_mut().flatten().for_each(each);
            }
            Node::Scan {
                extents,
                vars: _,
                elements,
                left: _,
                right: _,
                combined,
            } => {
                extents.iter_mut().for_each(&mut each);
                elements.iter_mut().for_each(&mut each);
                combined.iter_mut().for_each(each);
            }
            Node::Scatter {
                defaults,
                extents,
                vars: _,
                condition,
                at,
                elements,
                left: _,
                right: _,
                combined,
                once: _,
            } => {
                defaults.iter_mut().for_each(&mut each);
                extents.iter_mut().for_each(&mut each);
                each(condition);
                at.iter_mut().for_each(&mut each);
                elements.iter_mut().for_each(&mut each);
                combined.iter_mut().for_each(each);
            }
            Node::Compact {
                count,
                extents,
                vars: _,
                condition,
                elements,
            } => {
                each(count);
                extents.iter_mut().for_each(&mut each);
                each(condition);
                elements.iter_mut().for_each(each);
            }
            Node::Sort {
                extents,
                vars: _,
                elements,
                keys: _,
                left: _,
                right: _,
                less,
            } => {
                extents.iter_mut().for_each(&mut each);
                elements.iter_mut().for_each(&mut each);
                less.iter_mut().for_each(each);
            }
        }
    }

    /// The variables this node binds: indices first, then left and right operands, or the state of a loop.
    pub fn bound(&self) -> Vec<Var> {
        match self {
            Node::Loop { state, .. } => state.clone(),
            Node::Generate { vars, .. } | Node::Compact { vars, .. } => vars.clone(),
            Node::Reduce {
                vars, left, right, ..
            }
            | Node::Scan {
                vars, left, right, ..
            }
            | Node::Scatter {
                vars, left, right, ..
            }
            | Node::Sort {
                vars, left, right, ..
            } => [&vars[..], left, right].concat(),
            _ => Vec::new(),
        }
    }

    /// Replaces the bound variables, in the order of [`Node::bound`].
    pub(crate) fn map_bound(&mut self, mut f: impl FnMut(Var) -> Var) {
        let mut each = |var: &mut Var| *var = f(*var);
        match self {
            Node::Loop { state, .. } => state.iter_mut().for_each(each),
            Node::Generate { vars, .. } | Node::Compact { vars, .. } => {
                vars.iter_mut().for_each(each);
            }
            Node::Reduce {
                vars, left, right, ..
            }
            | Node::Scan {
                vars, left, right, ..
            }
            | Node::Scatter {
                vars, left, right, ..
            }
            | Node::Sort {
                vars, left, right, ..
            } => {
                vars.iter_mut().for_each(&mut each);
                left.iter_mut().for_each(&mut each);
                right.iter_mut().for_each(each);
            }
            _ => {}
        }
    }
}
