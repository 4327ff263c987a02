//! Where the lines of the CUDA C come from in the source: for readers, apart from the text that is compiled.
//!
//! [`Code`](super::body::Code) marks the lines of statements that have a place; [`taken`] takes the marks out of the
//! finished text. What becomes PTX never depends on the lines of the source.

use super::Module;
use crate::plan::{Statement, Value};
use crate::spans::{SpanId, Spans};
use std::fmt::Write as _;

/// Around the number of a place, at the beginning of a line.
const MARK: char = '\u{3}';

/// What a line that comes from a place begins with.
pub(super) fn mark(place: SpanId) -> String {
    format!("{MARK}{}{MARK}", place.0)
}

/// A text without its marks, and the places of its lines, which have the numbers from `first` on.
pub(super) fn taken(text: &str, first: usize) -> (String, Vec<(usize, SpanId)>) {
    let mut plain = String::with_capacity(text.len());
    let mut places = Vec::new();
    for (number, line) in (first..).zip(text.split_inclusive('\n')) {
        let marked = line
            .strip_prefix(MARK)
            .and_then(|line| line.split_once(MARK));
        let line = match marked {
            Some((place, line)) => {
                let place = place.parse().expect("the number of a place");
                places.push((number, SpanId(place)));
                line
            }
            None => line,
        };
        plain.push_str(line);
    }
    (plain, places)
}

/// The value whose place is the statement's.
pub(super) fn value_of(statement: &Statement) -> Option<Value> {
    match statement {
        Statement::Let { value, .. }
        | Statement::Load { value, .. }
        | Statement::Store { value, .. }
        | Statement::Check {
            condition: value, ..
        } => Some(*value),
        Statement::If { results, .. } => results.first().map(|join| join.result),
        Statement::Loop { state, .. } => state.first().map(|carry| carry.state),
        Statement::Fold { folds, .. } => {
            let mut results = folds.iter().flat_map(|fold| &fold.results);
            results.next().copied()
        }
    }
}

impl Module {
    /// The kernels, without the prelude, with a `#line` wherever what follows comes from another line of `file` than what stands before.
    pub fn readable(&self, file: &str, spans: &Spans) -> String {
        let mut text = String::new();
        let mut places = self.places.iter().peekable();
        let mut last = None;
        for (number, line) in self.own().split_inclusive('\n').enumerate() {
            if let Some((_, place)) = places.next_if(|(at, _)| *at == number) {
                let from = spans.get(*place).start().line;
                if last != Some(from) {
                    let _ = writeln!(text, "#line {from} {file:?}");
                }
                last = Some(from);
            }
            text.push_str(line);
            // The next kernel starts anew.
            if line == "}\n" {
                last = None;
            }
        }
        text
    }
}
