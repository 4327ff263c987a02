//! Failures that strict evaluation meets: of arrays that a program has and that the oracle, which evaluates what elements
//! ask for, need not meet.

use crate::questions::Question;
use accelerate_compiler::ir::eval::{self, Failed};
use accelerate_compiler::ir::{Id, Node, Output, Program, Type};

/// Whether an array, a reduction or a loop that depends on no variable fails so when it is evaluated as a whole.
pub(super) fn meets(program: &Program, question: &Question, failed: &Failed) -> bool {
    program.ids().any(|id| {
        let whole = matches!(
            program.node(id),
            Node::Generate { .. }
                | Node::Materialize(_)
                | Node::Reduce { .. }
                | Node::Scan { .. }
                | Node::Scatter { .. }
                | Node::Compact { .. }
                | Node::Sort { .. }
                | Node::Loop { .. }
        );
        whole && program.free(id).is_empty() && {
            let mut alone = program.clone();
            alone.outputs = outputs(&mut alone, id);
            let result = eval::eval(&alone, &question.scalars, &question.arrays);
            result.is_err_and(|found| found == *failed)
        }
    })
}

fn outputs(program: &mut Program, id: Id) -> Vec<Output> {
    let parts = match program.ty(id) {
        Type::Bundle(_) => program.components(id),
        _ => vec![id],
    };
    let output = |&part: &Id| match program.ty(part) {
        Type::Array(_, extents) => Output::Array {
            extents: extents.clone(),
            leaves: vec![part],
        },
        _ => Output::Scalar(vec![part]),
    };
    parts.iter().map(output).collect()
}
