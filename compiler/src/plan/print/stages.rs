//! The text of stages.

use super::code::Code;
use super::indent;
use crate::plan::{Access, Stage};
use std::fmt::Write;

impl Code<'_> {
    pub(super) fn count_stages(&mut self, stages: &[Stage]) {
        for stage in stages {
            match stage {
                Stage::Uniform(body) => self.count_all(body),
                Stage::Each { extents, body, .. } => {
                    self.count(extents);
                    self.count_repeated(|code| code.count_all(body));
                }
                Stage::Swap(..) => {}
                Stage::Rounds {
                    state,
                    test,
                    condition,
                    body,
                } => {
                    self.count_round(state, |code| {
                        code.count_all(test);
                        code.count(&[*condition]);
                        code.count_stages(body);
                    });
                }
            }
        }
    }

    pub(super) fn stages(
        &mut self,
        stages: &[Stage],
        memories: &[Access],
        depth: usize,
        text: &mut String,
    ) {
        let space = indent(depth);
        for stage in stages {
            match stage {
                Stage::Uniform(body) => self.statements(body, depth, text),
                Stage::Each {
                    extents,
                    vars,
                    body,
                } => {
                    let over = self.domain(vars, extents);
                    let _ = writeln!(text, "{space}together for each {over} {{");
                    self.statements(body, depth + 1, text);
                    let _ = writeln!(text, "{space}}}");
                }
                Stage::Swap(a, b) => {
                    let (a, b) = (&memories[*a].name, &memories[*b].name);
                    let _ = writeln!(text, "{space}swap {a}, {b}");
                }
                Stage::Rounds {
                    state,
                    test,
                    condition,
                    body,
                } => {
                    for carry in state {
                        let line = self.assign(carry.state, carry.initial);
                        let _ = writeln!(text, "{space}{line}");
                    }
                    let _ = writeln!(text, "{space}together loop {{");
                    self.statements(test, depth + 1, text);
                    let inner = indent(depth + 1);
                    let _ = writeln!(text, "{inner}while {}", self.use_of(*condition, 0));
                    self.stages(body, memories, depth + 1, text);
                    for carry in state {
                        let line = self.assign(carry.state, carry.next);
                        let _ = writeln!(text, "{inner}{line}");
                    }
                    let _ = writeln!(text, "{space}}}");
                }
            }
        }
    }
}
