//! Whether a lost check is noticed: each check of each plan is taken out, one at a time, and where that changes what the plan
//! gives on some inputs, the comparison with the oracle (`interval`) must refuse it on one of them; unless it only tells another failure, of those that may be told.

use crate::questions::{Outcome, Question, agree, outcome};
use crate::report::Report;
use accelerate_compiler::Compiled;
use accelerate_compiler::ir::Site;
use accelerate_compiler::plan::{
    Fold, Meeting, Phase, Plan, Skeleton, Stage, Statement, Step, interpret,
};
use harness::corpus::Driver;
use std::panic::{AssertUnwindSafe, catch_unwind};

const MOST_ELEMENTS: u64 = 3000;
const MOST_COMPUTED: u64 = 30_000;
/// Statements that a plan may run for a question.
const STATEMENTS: u64 = 2_000_000;

pub(crate) const TIER: &str = "checks";

/// What becomes of the plans without a check.
#[derive(Default)]
struct Counts {
    /// The plan gave the same: another check tells it too, or nothing reaches it.
    same: usize,
    /// It tells another failure, which may be told as well.
    other: usize,
    missed: usize,
}

/// Takes out every check of a program.
pub(crate) fn run(
    report: &mut Report,
    driver: &Driver,
    compiled: &Compiled,
    questions: &[Question],
) {
    // What reads out of bounds makes the interpreter of a plan panic.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let mut counts = Counts::default();
    report.case(TIER, driver.program, || {
        each(compiled, questions, &mut counts)
    });
    report.count(TIER, "missed", counts.missed);
    report.count(TIER, "without effect", counts.same);
    report.count(TIER, "with another failure", counts.other);
    std::panic::set_hook(hook);
}

fn each(compiled: &Compiled, questions: &[Question], counts: &mut Counts) -> Result<(), String> {
    if without(&compiled.plan, 0).is_none() {
        return Ok(());
    }
    let small =
        |asked: &&Question| asked.elements < MOST_ELEMENTS && asked.computed < MOST_COMPUTED;
    // Where no check fails, none is missed.
    let failing = questions.iter().filter(small).filter_map(|question| {
        let answer = answer(compiled, &compiled.plan, question)?;
        answer.is_err().then_some((question, answer))
    });
    let failing: Vec<(&Question, Outcome)> = failing.collect();
    let mut number = 0;
    while let Some((plan, site)) = without(&compiled.plan, number) {
        match fate(compiled, &plan, &failing) {
            Fate::Missed => counts.missed += 1,
            Fate::Same => counts.same += 1,
            Fate::Other => counts.other += 1,
            Fate::Accepted(title) => {
                let message = &compiled.plan.sites[site.0 as usize].message;
                return Err(format!(
                    "nothing misses `{message}` (check {number}), {title}"
                ));
            }
        }
        number += 1;
    }
    Ok(())
}

enum Fate {
    Missed,
    Same,
    Other,
    /// On this question the plan gives a result, and nobody minds.
    Accepted(String),
}

fn fate(compiled: &Compiled, plan: &Plan, failing: &[(&Question, Outcome)]) -> Fate {
    let mut fate = Fate::Same;
    for (question, before) in failing {
        // It may read out of bounds now.
        let found = catch_unwind(AssertUnwindSafe(|| answer(compiled, plan, question)));
        let Ok(Some(found)) = found else {
            return Fate::Missed;
        };
        if found != *before {
            if agree(&found, question, "").is_err() {
                return Fate::Missed;
            }
            fate = match (found, fate) {
                (Ok(_), _) => Fate::Accepted(question.title.clone()),
                (Err(_), Fate::Same) => Fate::Other,
                (Err(_), fate) => fate,
            };
        }
    }
    fate
}

fn answer(compiled: &Compiled, plan: &Plan, question: &Question) -> Option<Outcome> {
    let (scalars, arrays) = (&question.scalars, &question.arrays);
    let result = interpret::run_within(plan, scalars, arrays, STATEMENTS)?;
    Some(outcome(compiled, result))
}

/// The plan without its check of this number, and the check's place; none if it has fewer.
fn without(plan: &Plan, number: usize) -> Option<(Plan, Site)> {
    let mut plan = plan.clone();
    let mut remover = Remover {
        before: number,
        removed: None,
    };
    remover.steps(&mut plan.steps);
    for kernel in &mut plan.kernels {
        remover.skeleton(&mut kernel.skeleton);
    }
    remover.removed.map(|site| (plan, site))
}

/// Takes out one check.
struct Remover {
    /// How many come before it.
    before: usize,
    removed: Option<Site>,
}

impl Remover {
    /// Whether it is this one.
    fn takes(&mut self, site: Site) -> bool {
        let it = self.removed.is_none() && self.before == 0;
        if it {
            self.removed = Some(site);
        }
        self.before = self.before.saturating_sub(1);
        it
    }

    fn steps(&mut self, steps: &mut Vec<Step>) {
        steps.retain_mut(|step| match step {
            Step::Check { site, .. } => !self.takes(*site),
            Step::Compute(statement) => self.keeps(statement),
            Step::If {
                then, otherwise, ..
            } => {
                self.steps(then);
                self.steps(otherwise);
                true
            }
            Step::Loop { test, body, .. } => {
                self.steps(test);
                self.steps(body);
                true
            }
            _ => true,
        });
    }

    fn skeleton(&mut self, skeleton: &mut Skeleton) {
        match skeleton {
            Skeleton::Elementwise(parts) => {
                parts.iter_mut().for_each(|part| self.block(&mut part.body));
            }
            Skeleton::Rowwise {
                phases,
                tiles: None,
                ..
            } => phases.iter_mut().for_each(|phase| self.phase(phase)),
            Skeleton::Rowwise {
                phases,
                tiles: Some(tiles),
                ..
            } => {
                let parts = [
                    &mut tiles.batch,
                    &mut tiles.of_row,
                    &mut tiles.of_column,
                    &mut tiles.left,
                    &mut tiles.right,
                ];
                let parts = parts.map(|part| &mut part.statements);
                let more = [&mut tiles.body, &mut tiles.after];
                parts
                    .into_iter()
                    .chain(more)
                    .for_each(|body| self.block(body));
                // The rest is said by the tiles.
                for phase in phases {
                    if let Phase::Fold { folds, .. } = phase {
                        self.folds(folds);
                    }
                }
            }
            Skeleton::Staged { stages, .. } => {
                stages.iter_mut().for_each(|stage| self.stage(stage));
            }
            Skeleton::Scatter {
                body,
                fold,
                meeting,
                ..
            } => {
                self.block(body);
                self.block(&mut fold.combine);
                if let Meeting::Once { site, .. } = *meeting
                    && self.takes(site)
                {
                    *meeting = Meeting::Never;
                }
            }
            Skeleton::Sort { body, by, .. } => {
                self.block(body);
                by.iter_mut().for_each(|by| self.block(&mut by.body));
            }
        }
    }

    fn phase(&mut self, phase: &mut Phase) {
        match phase {
            Phase::Uniform(body) | Phase::Each { body, .. } => self.block(body),
            Phase::Fold { body, folds, .. } => {
                self.block(body);
                self.folds(folds);
            }
            Phase::Scan {
                body,
                folds,
                each,
                after,
                ..
            } => {
                self.block(body);
                self.folds(folds);
                self.block(each);
                self.folds(after);
            }
        }
    }

    fn stage(&mut self, stage: &mut Stage) {
        match stage {
            Stage::Uniform(body) | Stage::Each { body, .. } => self.block(body),
            Stage::Swap(..) => {}
            Stage::Rounds { test, body, .. } => {
                self.block(test);
                body.iter_mut().for_each(|stage| self.stage(stage));
            }
        }
    }

    fn folds(&mut self, folds: &mut [Fold]) {
        folds
            .iter_mut()
            .for_each(|fold| self.block(&mut fold.combine));
    }

    fn block(&mut self, body: &mut Vec<Statement>) {
        body.retain_mut(|statement| self.keeps(statement));
    }

    fn keeps(&mut self, statement: &mut Statement) -> bool {
        match statement {
            Statement::Check { site, .. } => return !self.takes(*site),
            Statement::Let { .. } | Statement::Load { .. } | Statement::Store { .. } => {}
            Statement::If {
                then, otherwise, ..
            } => {
                self.block(then);
                self.block(otherwise);
            }
            Statement::Loop { test, body, .. } => {
                self.block(test);
                self.block(body);
            }
            Statement::Fold { body, folds, .. } => {
                self.block(body);
                self.folds(folds);
            }
        }
        true
    }
}
