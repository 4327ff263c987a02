//! Checks that hold in no call: where extents, indices and divisors are known, a program fails when it is compiled.

use crate::diag::Diagnostic;
use crate::ir::{Check, Id, Node, Parameter, Program};
use crate::scalar::Scalar;
use crate::spans::Spans;

/// Whether some call of a program, after the passes, can succeed.
///
/// # Errors
/// The checks that every call meets and fails, each where it stands.
pub(crate) fn hold(program: &Program, spans: &Spans) -> Result<(), Vec<Diagnostic>> {
    let fails = |check: &&Check| match program.node(check.condition) {
        Node::Constant(holds) => !holds.is_true(),
        _ => false,
    };
    let failing = program.checks.iter().filter(fails);
    let diagnostic = |check: &Check| {
        let place = &program.sites[check.site.0 as usize];
        let mut message = place.message.clone();
        for (k, &value) in check.values.iter().enumerate() {
            let text = shown(program, value);
            message = message
                .replace(&format!("{{{k}}}"), &text)
                .replace(&format!("{{{k}:i}}"), &text);
        }
        Diagnostic::new(
            spans.get(place.span),
            format!("this fails in every call: {message}"),
        )
    };
    let failing: Vec<Diagnostic> = failing.map(diagnostic).collect();
    match failing.is_empty() {
        true => Ok(()),
        false => Err(failing),
    }
}

/// A value as the user knows it.
fn shown(program: &Program, id: Id) -> String {
    match program.node(id) {
        Node::Constant(Scalar { leaf, bits }) if leaf.is_signed() => {
            let unused = 64 - leaf.bits();
            ((*bits as i64) << unused >> unused).to_string()
        }
        Node::Constant(scalar) => scalar.bits.to_string(),
        Node::Extent { array, axis } => {
            let arrays = program
                .parameters
                .iter()
                .filter_map(|parameter| match parameter {
                    Parameter::Array { name, rank, .. } => Some((name, *rank)),
                    Parameter::Scalars { .. } => None,
                });
            match arrays.into_iter().nth(*array as usize) {
                Some((name, 1)) => format!("`{name}.len()`"),
                Some((name, _)) => format!("`{name}.shape().{axis}`"),
                None => "..".to_owned(),
            }
        }
        _ => match program.names.get(&id) {
            Some(name) => format!("`{name}`"),
            None => "..".to_owned(),
        },
    }
}
