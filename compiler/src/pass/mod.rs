//! Program to program: the same results, less work.
//!
//! Every pass rebuilds the program (`rebuild`), so unreachable nodes are gone afterwards and equal ones are one. The
//! list of passes is run in rounds until nothing changes. Each rule strictly decreases weight or follows a fixed
//! order, so this ends; `MOST_ROUNDS` is a bound on compile time.
//!
//! What holds afterwards: a node is right in the innermost region that contains all its uses in the program, and may
//! rely on the conditions around it there: reads and divisions must not leave branches, guards and loop bodies.

mod algebra;
pub(crate) mod anywhere;
pub(crate) mod contract;
mod control;
pub mod index;
mod ranges;
mod rebuild;
mod rules;
#[cfg(test)]
mod tests;
mod views;

use crate::ir::Program;
use std::collections::{BTreeMap, BTreeSet};

/// One pass.
pub struct Pass {
    /// For [`Options::disabled`] and dumps.
    pub name: &'static str,
    run: fn(Program, &Options, &mut Report) -> Program,
}

/// All passes, in order.
pub const LIST: &[Pass] = &[
    Pass {
        name: "algebra",
        run: algebra::run,
    },
    Pass {
        name: "views",
        run: views::run,
    },
    Pass {
        name: "index",
        run: ranges::run,
    },
    Pass {
        name: "control",
        run: control::run,
    },
];

/// The list is run at most this often.
const MOST_ROUNDS: usize = 5;

/// What to run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Names of passes to leave out.
    pub disabled: BTreeSet<String>,
    /// Keep the text after each pass that changed something.
    pub dump: bool,
}

/// What happened.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// How often each rule fired.
    pub fired: BTreeMap<String, usize>,
    /// The text after each pass, if asked for.
    pub dumps: Vec<(String, String)>,
}

impl Report {
    fn count_all(&self) -> usize {
        self.fired.values().sum()
    }

    fn count(&mut self, rule: &str) {
        match self.fired.get_mut(rule) {
            Some(count) => *count += 1,
            None => {
                self.fired.insert(rule.to_owned(), 1);
            }
        }
    }
}

/// The simplified program, without nodes that nothing needs.
pub fn run(program: Program, options: &Options) -> Program {
    run_with_report(program, options).0
}

/// See [`run`].
///
/// # Panics
/// In debug builds, if a pass breaks an invariant of the program.
pub fn run_with_report(program: Program, options: &Options) -> (Program, Report) {
    run_observed(program, options, &mut |_| {})
}

/// See [`run`]; `begins` is told the name of each pass before it runs.
///
/// # Panics
/// In debug builds, if a pass breaks an invariant of the program.
pub fn run_observed(
    program: Program,
    options: &Options,
    begins: &mut dyn FnMut(&'static str),
) -> (Program, Report) {
    let mut report = Report::default();
    begins("copy");
    let mut program = rebuild::copy(&program);
    verify(&program, "lower");
    // How many rules had fired when a pass had nothing to do: until another one fires it still has nothing to do.
    let mut idle = [None; LIST.len()];
    for _ in 0..MOST_ROUNDS {
        let before = report.count_all();
        for (pass, idle) in LIST.iter().zip(&mut idle) {
            let fired = report.count_all();
            if options.disabled.contains(pass.name) || *idle == Some(fired) {
                continue;
            }
            begins(pass.name);
            program = (pass.run)(program, options, &mut report);
            verify(&program, pass.name);
            let changed = report.count_all() > fired;
            *idle = (!changed).then_some(fired);
            if options.dump && changed {
                let dump = (pass.name.to_owned(), program.to_string());
                report.dumps.push(dump);
            }
        }
        if report.count_all() == before {
            break;
        }
    }
    (program, report)
}

fn verify(program: &Program, after: &str) {
    if cfg!(debug_assertions)
        && let Err(message) = program.verify()
    {
        panic!(
            "after pass `{after}`: {message}\n{program}\nthis is a bug in accelerate: please report it"
        );
    }
}
