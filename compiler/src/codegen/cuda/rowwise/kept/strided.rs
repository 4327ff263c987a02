//! Phases that go through a domain in strides.

use crate::codegen::cuda::body::Code;
use crate::codegen::cuda::fold;
use crate::codegen::cuda::walk::operands;
use crate::ir::QuickSet;
use crate::plan::{Phase, Statement, Value};

/// A phase whose threads stride through a domain, with simple code at each point.
pub(super) struct Strided<'a> {
    pub(super) position: usize,
    pub(super) extents: &'a [Value],
    pub(super) vars: &'a [Value],
    pub(super) body: &'a [Statement],
    /// What folds need of the body.
    pub(super) roots: Vec<Value>,
}

impl<'a> Strided<'a> {
    pub(super) fn of(
        code: &Code<'_>,
        (position, phase): (usize, &'a Phase),
    ) -> Option<Strided<'a>> {
        let (extents, vars, body, folds) = match phase {
            Phase::Fold {
                extents,
                vars,
                body,
                folds,
            } if folds.iter().all(|fold| fold.known.is_some()) => (extents, vars, body, &folds[..]),
            Phase::Each {
                extents,
                vars,
                body,
            } => (extents, vars, body, &[][..]),
            _ => return None,
        };
        let simple = |statement: &Statement| {
            matches!(
                statement,
                Statement::Let { .. } | Statement::Load { .. } | Statement::Store { .. }
            )
        };
        let mut roots = Vec::new();
        for fold in folds {
            for (position, element) in fold.elements.iter().enumerate() {
                match fold::factors(code, fold, position) {
                    Some((a, b)) => roots.extend([a, b]),
                    None => roots.push(*element),
                }
            }
        }
        let strided = Strided {
            position,
            extents,
            vars,
            body,
            roots,
        };
        (!extents.is_empty() && body.iter().all(simple)).then_some(strided)
    }

    /// Goes from what the phase stores and folds back to what that is made of, as far as it is asked to.
    pub(super) fn trace(&self, goes_on: &mut impl FnMut(Value) -> bool) {
        let mut seen = QuickSet::default();
        let mut open: Vec<Value> = self.roots.clone();
        open.extend(self.body.iter().flat_map(|statement| match statement {
            Statement::Store { index, value, .. } => vec![*index, *value],
            _ => Vec::new(),
        }));
        while let Some(value) = open.pop() {
            if !seen.insert(value) || !goes_on(value) {
                continue;
            }
            for statement in self.body {
                match statement {
                    Statement::Let { value: own, op } if *own == value => {
                        open.extend(operands(op));
                    }
                    Statement::Load {
                        value: own,
                        index,
                        guard,
                        ..
                    } if *own == value => open.extend([*index].into_iter().chain(*guard)),
                    _ => {}
                }
            }
        }
    }
}
