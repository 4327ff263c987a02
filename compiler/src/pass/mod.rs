//! Program to program: the same results, less work.
//!
//! Every pass of `SIMPLIFY` rebuilds the program (`rebuild`), so unreachable nodes are gone afterwards and equal ones are one.
//! These passes are run in rounds until nothing changes. Each rule strictly decreases weight or follows a fixed order, so this
//! ends; `MOST_ROUNDS` is a bound on compile time. `contract` comes last, in `fuse::PREPARE`.
//!
//! What holds afterwards: a node is right in the innermost region that contains all its uses in the program, and may
//! rely on the conditions around it there: reads and divisions must not leave branches, guards and loop bodies.

pub(crate) mod anywhere;
pub(crate) mod contract;
mod eliminate;
mod forward;
pub mod index;
mod permute;
mod prune;
mod rebuild;
mod rules;
mod simplify;
#[cfg(test)]
mod tests;

use crate::ir::{Id, Program};
pub use crate::options::Options;
use crate::plan::Note;
use crate::sorted::{SortedMap, SortedSet};

/// One pass: the same function, in another form.
pub struct Pass {
    /// A verb of the field: for [`Options`], dumps and times.
    pub name: &'static str,
    /// Whether programs are right without it.
    pub optional: bool,
    pub(crate) run: fn(Program, &mut State) -> Program,
}

/// The passes that make a program smaller, in order.
pub const SIMPLIFY: &[Pass] = &[
    Pass {
        name: "simplify",
        optional: true,
        run: simplify::run,
    },
    Pass {
        name: "forward",
        optional: true,
        run: forward::run,
    },
    Pass {
        name: "eliminate",
        optional: true,
        run: eliminate::run,
    },
    Pass {
        name: "prune",
        optional: true,
        run: prune::run,
    },
];

/// The passes are run at most this often.
const MOST_ROUNDS: usize = 5;

/// Told what runs, as it runs. Whoever wants to know how long that takes brings the clock.
pub trait Watch {
    /// A pass or another stage begins, and the one before it has ended.
    fn begin(&mut self, stage: &'static str);

    /// What a pass has made of a program, and how often it has applied each of its rules.
    fn after(&mut self, _pass: &'static str, _program: &Program, _fired: &Fired) {}
}

/// Nobody watches.
impl Watch for () {
    fn begin(&mut self, _stage: &'static str) {}
}

/// How often rules were applied.
#[derive(Clone, Debug, Default)]
pub struct Fired(SortedMap<String, usize>);

impl Fired {
    /// By the rules' equations.
    pub fn rules(&self) -> impl Iterator<Item = (&str, usize)> {
        self.0.iter().map(|(rule, &count)| (&rule[..], count))
    }

    fn all(&self) -> usize {
        self.0.values().sum()
    }

    pub(crate) fn count(&mut self, rule: &str) {
        match self.0.get_mut(rule) {
            Some(count) => *count += 1,
            None => {
                self.0.insert(rule.to_owned(), 1);
            }
        }
    }
}

/// What passes know besides the program, and leave for those after them and for the planner.
#[derive(Default)]
pub(crate) struct State {
    pub(crate) options: Options,
    /// Rules that the pass that runs has applied.
    pub(crate) fired: Fired,
    /// Decisions worth telling.
    pub(crate) notes: Vec<Note>,
    /// Conditions that were made up to tell whether something is demanded.
    pub(crate) conditions: SortedSet<Id>,
    /// Scalars that leave bodies though they can fail.
    pub(crate) hoisted: SortedSet<Id>,
    /// Variables may be bound by several nodes.
    pub(crate) copies: bool,
}

impl State {
    /// Runs a pass, if it is not switched off; how often it applied a rule.
    ///
    /// # Panics
    /// If it breaks an invariant of the program, and the options ask for that to be looked at.
    pub(crate) fn run(
        &mut self,
        pass: &Pass,
        program: &mut Program,
        watch: &mut dyn Watch,
    ) -> usize {
        if self.options.disabled.contains(pass.name) {
            return 0;
        }
        watch.begin(pass.name);
        self.fired = Fired::default();
        *program = (pass.run)(std::mem::take(program), self);
        if self.options.verify {
            verify(program, pass.name, self.copies);
        }
        watch.after(pass.name, program, &self.fired);
        self.fired.all()
    }
}

/// The simplified program, without nodes that nothing needs.
pub fn run(program: Program, options: &Options) -> Program {
    run_watched(program, options, &mut ())
}

/// See [`run`].
///
/// # Panics
/// If a pass breaks an invariant of the program, and the options ask for that to be looked at.
pub fn run_watched(mut program: Program, options: &Options, watch: &mut dyn Watch) -> Program {
    let mut state = State {
        options: options.clone(),
        ..State::default()
    };
    if options.verify {
        verify(&program, "lower", false);
    }
    watch.after("lower", &program, &Fired::default());
    // How many rules had fired when a pass had nothing to do: until another one fires it still has nothing to do.
    let mut idle = [None; SIMPLIFY.len()];
    let mut all = 0;
    for _ in 0..MOST_ROUNDS {
        let (before, roots, hashes) = (all, program.roots(), program.hashes.clone());
        for (pass, idle) in SIMPLIFY.iter().zip(&mut idle) {
            if *idle != Some(all) {
                let fired = state.run(pass, &mut program, watch);
                all += fired;
                *idle = (fired == 0).then_some(all);
            }
        }
        // A rule may make anew what another one takes away.
        if all == before || program.roots() == roots && program.hashes == hashes {
            break;
        }
    }
    program
}

fn verify(program: &Program, after: &str, copies: bool) {
    if let Err(message) = program.verify_with(copies) {
        panic!(
            "after pass `{after}`: {message}\n{program}\nthis is a bug in accelerate: please report it"
        );
    }
}
