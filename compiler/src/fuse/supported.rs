//! What cannot be planned yet.
//!
//! In: a program after the passes. Out: an error for each loop over arrays inside a closure over elements or rows whose
//! rounds depend on the element: its arrays would have to live in one thread.

use super::estimate::{self, Binder};
use super::needs::is_control;
use crate::diag::Diagnostic;
use crate::ir::{Node, Program, Type};
use proc_macro2::Span;
use std::collections::BTreeMap;

/// Whether [`super::fuse`] has a plan for the program; `place` is underlined where nothing better is known.
///
/// # Errors
/// One for each construct that has none.
pub fn supported(program: &Program, place: Span) -> Result<(), Vec<Diagnostic>> {
    let binders = estimate::binders(program);
    let mut errors: BTreeMap<String, Diagnostic> = BTreeMap::new();
    for id in estimate::reachable(program, estimate::roots(program)) {
        let Node::Loop { state, .. } = program.node(id) else {
            continue;
        };
        let array = |var: &crate::ir::Var| matches!(program.var_type(*var), Type::Array(..));
        let Some(var) = state.iter().find(|var| array(var)) else {
            continue;
        };
        let by_host = |binder: &Binder| {
            matches!(program.node(binder.node), Node::Loop { .. })
                && is_control(program, binder.node)
        };
        let mut free = program.free(id).iter();
        if free.all(|var| binders.get(var).is_some_and(by_host)) {
            continue;
        }
        let name = match program.var_names.get(var) {
            Some(name) => format!("`{name}`"),
            None => "an array".to_owned(),
        };
        let message = format!("not supported yet: a loop over {name} for each element or row");
        let help = "write the loop outside of the closure, over the whole array";
        let span = program.spans.get(&id).copied().unwrap_or(place);
        let error = Diagnostic::new(span, message.clone()).help(help);
        errors.insert(message, error);
    }
    match errors.is_empty() {
        true => Ok(()),
        false => Err(errors.into_values().collect()),
    }
}
