//! The one place that knows the operands of each node.

use super::{Id, Node, Var};
use std::mem::{Discriminant, discriminant};

/// What a node is besides its operands and the variables that it binds: the same for no two nodes that differ in it.
pub(super) type Kind = (Discriminant<Node>, [u64; 5]);

/// Calls `each` on the operands of a node in order, by shared or by mutable references.
macro_rules! operands {
    ($node:expr, $each:ident) => {
        match $node {
            Node::Constant(_)
            | Node::Parameter(_)
            | Node::Input { .. }
            | Node::Extent { .. }
            | Node::Variable(_)
            | Node::OnCuda => {}
            Node::Unary(_, a)
            | Node::Cast(_, a)
            | Node::Bitcast(_, a)
            | Node::Project(a, _)
            | Node::Materialize(a) => $each(a),
            Node::Binary(_, a, b) => [a, b].into_iter().for_each($each),
            Node::Select(a, b, c) => [a, b, c].into_iter().for_each($each),
            Node::Math(_, arguments) | Node::Foreign(_, arguments) => {
                arguments.into_iter().for_each($each)
            }
            Node::Routine {
                routine: _,
                extents,
                arguments,
            } => extents.into_iter().chain(arguments).for_each($each),
            Node::Index { array, indices } => {
                $each(array);
                indices.into_iter().for_each($each);
            }
            Node::Guard {
                condition,
                site: _,
                values,
                value,
            } => {
                $each(condition);
                values.into_iter().for_each(&mut $each);
                $each(value);
            }
            Node::Demand {
                effect,
                value,
                required: _,
            } => [effect, value].into_iter().for_each($each),
            Node::If {
                condition,
                then,
                otherwise,
            } => {
                $each(condition);
                then.into_iter().chain(otherwise).for_each($each);
            }
            Node::Loop {
                state: _,
                initial,
                condition,
                next,
            } => {
                initial.into_iter().for_each(&mut $each);
                $each(condition);
                next.into_iter().for_each($each);
            }
            Node::Generate {
                extents,
                vars: _,
                element,
            } => {
                extents.into_iter().for_each(&mut $each);
                $each(element);
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
                let parts = extents.into_iter().chain(elements).chain(combined);
                parts.chain(initial.into_iter().flatten()).for_each($each);
            }
            Node::Scan {
                extents,
                vars: _,
                elements,
                left: _,
                right: _,
                combined,
            } => {
                let parts = extents.into_iter().chain(elements).chain(combined);
                parts.for_each($each);
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
                defaults.into_iter().chain(extents).for_each(&mut $each);
                $each(condition);
                let points = at.into_iter().chain(elements);
                points.chain(combined).for_each($each);
            }
            Node::Compact {
                count,
                extents,
                vars: _,
                condition,
                elements,
            } => {
                $each(count);
                extents.into_iter().for_each(&mut $each);
                $each(condition);
                elements.into_iter().for_each($each);
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
                let parts = extents.into_iter().chain(elements);
                parts.chain(less).for_each($each);
            }
        }
    };
}

impl Node {
    pub(super) fn kind(&self) -> Kind {
        let count = |list: &[Id]| list.len() as u64;
        let words = match self {
            Node::Constant(scalar) => [scalar.leaf as u64, scalar.bits, 0, 0, 0],
            Node::Parameter(k) => [u64::from(*k), 0, 0, 0, 0],
            Node::Input { array, leaf } => [u64::from(*array), u64::from(*leaf), 0, 0, 0],
            Node::Extent { array, axis } => [u64::from(*array), u64::from(*axis), 0, 0, 0],
            Node::Variable(var) => [u64::from(var.0), 0, 0, 0, 0],
            Node::Unary(op, _) => [*op as u64, 0, 0, 0, 0],
            Node::Binary(op, _, _) => [*op as u64, 0, 0, 0, 0],
            Node::Cast(leaf, _) | Node::Bitcast(leaf, _) => [*leaf as u64, 0, 0, 0, 0],
            Node::Math(f, arguments) => [*f as u64, count(arguments), 0, 0, 0],
            Node::Foreign(f, arguments) => [f.id(), count(arguments), 0, 0, 0],
            Node::Routine {
                routine,
                extents,
                arguments,
            } => {
                let function = routine.function as u64;
                [function, count(extents), count(arguments), 0, 0]
            }
            Node::Index { array: _, indices } => [count(indices), 0, 0, 0, 0],
            Node::Guard {
                condition: _,
                site,
                values,
                value: _,
            } => [u64::from(site.0), count(values), 0, 0, 0],
            Node::Demand {
                effect: _,
                value: _,
                required,
            } => [u64::from(*required), 0, 0, 0, 0],
            Node::If {
                condition: _,
                then,
                otherwise,
            } => [count(then), count(otherwise), 0, 0, 0],
            Node::Loop {
                state: _,
                initial,
                condition: _,
                next,
            } => [count(initial), count(next), 0, 0, 0],
            Node::Generate {
                extents,
                vars: _,
                element: _,
            } => [count(extents), 0, 0, 0, 0],
            Node::Reduce {
                extents,
                vars: _,
                elements,
                left: _,
                right: _,
                combined,
                initial,
                commutes,
            } => {
                let initial = initial.as_deref().map_or(0, |initial| 1 + count(initial));
                let (elements, combined) = (count(elements), count(combined));
                let commutes = u64::from(*commutes);
                [count(extents), elements, combined, initial, commutes]
            }
            Node::Scan {
                extents,
                vars: _,
                elements,
                left: _,
                right: _,
                combined,
            } => [count(extents), count(elements), count(combined), 0, 0],
            Node::Scatter {
                defaults,
                extents,
                vars: _,
                condition: _,
                at,
                elements,
                left: _,
                right: _,
                combined,
                once,
            } => {
                let once = once.map_or(0, |site| 1 + u64::from(site.0));
                let (at, elements) = (count(at), count(elements) << 32 | count(combined));
                [count(defaults), count(extents), at, elements, once]
            }
            Node::Compact {
                count: _,
                extents,
                vars: _,
                condition: _,
                elements,
            } => [count(extents), count(elements), 0, 0, 0],
            Node::Sort {
                extents,
                vars: _,
                elements,
                keys,
                left: _,
                right: _,
                less,
            } => {
                let keys = u64::from(*keys);
                [
                    count(extents),
                    count(elements),
                    keys,
                    less.is_some().into(),
                    0,
                ]
            }
            Node::Project(_, k) => [u64::from(*k), 0, 0, 0, 0],
            Node::OnCuda | Node::Select(..) | Node::Materialize(_) => [0; 5],
        };
        (discriminant(self), words)
    }

    /// Calls `f` on every operand in order, those inside regions included.
    pub fn operands(&self, mut f: impl FnMut(Id)) {
        self.visit_operands(&mut f);
    }

    /// Replaces every operand.
    pub fn map_operands(&mut self, mut f: impl FnMut(Id) -> Id) {
        self.replace_operands(&mut f);
    }

    // The matches are compiled once, not for each of a hundred closures: they would be a tenth of this crate's code.
    fn visit_operands(&self, f: &mut dyn FnMut(Id)) {
        let mut each = |id: &Id| f(*id);
        operands!(self, each);
    }

    fn replace_operands(&mut self, f: &mut dyn FnMut(Id) -> Id) {
        let mut each = |id: &mut Id| *id = f(*id);
        operands!(self, each);
    }

    /// Whether this node binds variables.
    pub fn binds(&self) -> bool {
        match self {
            Node::Loop { .. }
            | Node::Generate { .. }
            | Node::Reduce { .. }
            | Node::Scan { .. }
            | Node::Scatter { .. }
            | Node::Compact { .. }
            | Node::Sort { .. } => true,
            Node::Constant(_)
            | Node::Parameter(_)
            | Node::Input { .. }
            | Node::Extent { .. }
            | Node::Variable(_)
            | Node::Unary(..)
            | Node::Binary(..)
            | Node::Select(..)
            | Node::Cast(..)
            | Node::Bitcast(..)
            | Node::Math(..)
            | Node::Foreign(..)
            | Node::OnCuda
            | Node::Routine { .. }
            | Node::Index { .. }
            | Node::Guard { .. }
            | Node::Demand { .. }
            | Node::If { .. }
            | Node::Project(..)
            | Node::Materialize(_) => false,
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
