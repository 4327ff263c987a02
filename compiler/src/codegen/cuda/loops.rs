//! Loops that carry a state.

use super::body::Code;
use super::scalar::{ATOM, Expr};
use crate::plan::body::Carry;
use crate::plan::{Statement, Value};

impl Code<'_> {
    /// A loop of one thread.
    pub(super) fn repeat(
        &mut self,
        state: &[Carry],
        test: &[Statement],
        condition: Value,
        body: &[Statement],
    ) {
        self.first_round(state);
        self.depth += 1;
        let tested = self.apart(|code| code.list(test));
        self.depth -= 1;
        let going = if self.facts.checks { "!failed" } else { "true" };
        let condition = self.expr(condition);
        if tested.is_empty() {
            let also = if self.facts.checks {
                format!("!failed && {}", condition.at(ATOM))
            } else {
                condition.text
            };
            self.open(format!("while ({also}) {{"));
        } else {
            self.open(format!("while ({going}) {{"));
            self.out.push_str(&tested);
            self.line(format!("if (!{}) break;", condition.at(ATOM)));
        }
        self.list(body);
        self.next_round(state);
    }

    /// Rounds that all threads go through together, whatever has failed.
    pub(super) fn rounds(
        &mut self,
        state: &[Carry],
        test: &[Statement],
        condition: Value,
        body: impl FnOnce(&mut Self),
    ) {
        self.first_round(state);
        self.open("while (true) {");
        self.list(test);
        let condition = self.expr(condition);
        self.line(format!("if (!{}) break;", condition.at(ATOM)));
        body(self);
        self.next_round(state);
    }

    /// Declares the state of a loop.
    fn first_round(&mut self, state: &[Carry]) {
        for carry in state {
            let initial = self.as_type_of(carry.state, carry.initial).text;
            let repr = self.repr(carry.state).name();
            let name = self.name(carry.state);
            self.line(format!("{repr} {name} = {initial};"));
        }
    }

    /// Ends a round.
    fn next_round(&mut self, state: &[Carry]) {
        let moves: Vec<(Value, Expr)> = state
            .iter()
            .filter(|carry| carry.next != carry.state)
            .map(|carry| (carry.state, self.as_type_of(carry.state, carry.next)))
            .collect();
        self.assign(&moves);
        self.close("}");
    }
}
