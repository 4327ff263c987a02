//! Assignments to several variables at once: the state of a loop, and what a branch leaves.

use super::body::Code;
use super::scalar::Expr;
use crate::codegen::names::mentions;
use crate::plan::Value;

impl Code<'_> {
    /// Assigns to variables all at once.
    pub(super) fn assign(&mut self, moves: &[(Value, Expr)]) {
        let mut texts = Vec::new();
        for (position, (target, expr)) in moves.iter().enumerate() {
            // Safe in place if no variable assigned before stands in it.
            let before: Vec<String> = moves[..position]
                .iter()
                .map(|(target, _)| self.text(*target))
                .collect();
            if before.iter().any(|name| mentions(&expr.text, name)) {
                let repr = self.repr(*target).name();
                let name = self.text(*target);
                let next = self.names.fresh(&format!("next_{name}"));
                self.line(format!("const {repr} {next} = {};", expr.text));
                texts.push(next);
            } else {
                texts.push(expr.text.clone());
            }
        }
        for ((target, _), text) in moves.iter().zip(texts) {
            let name = self.text(*target);
            self.line(format!("{name} = {text};"));
        }
    }
}
