//! Runs whose work is counted, and that may be given up: without passes, and with decisions by chance, a plan repeats work,
//! so that a few points can take minutes.

use super::{KernelId, Memory, launch_metered, run_metered};
use crate::ir::eval::{self, Failed};
use crate::plan::Plan;
use crate::scalar::Scalar;
use crate::scalar::Work;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// What a run unwinds with that is given up.
struct GivenUp;

/// What a run has done, and may still do.
#[derive(Clone, Copy)]
pub struct Meter {
    /// How many statements may still be run.
    patience: u64,
    pub(super) work: Work,
}

impl Meter {
    pub(super) fn within(patience: u64) -> Meter {
        Meter {
            patience,
            work: Work::default(),
        }
    }

    /// Counts statements, and ends the run if these are too many.
    pub(super) fn spend(&mut self, statements: usize) {
        match self.patience.checked_sub(statements as u64) {
            Some(left) => self.patience = left,
            None => resume_unwind(Box::new(GivenUp)),
        }
    }
}

/// Runs a plan as [`super::run`], for at most so many statements of its kernels; none if it takes more.
pub fn run_within(
    plan: &Plan,
    scalars: &[Scalar],
    arrays: &[eval::Array],
    patience: u64,
) -> Option<Result<Vec<eval::Output>, Failed>> {
    run_counted(plan, scalars, arrays, patience).map(|(result, _)| result)
}

/// The same, with the work of the host and of all kernels: what their statements do, whatever threads do besides.
pub fn run_counted(
    plan: &Plan,
    scalars: &[Scalar],
    arrays: &[eval::Array],
    patience: u64,
) -> Option<(Result<Vec<eval::Output>, Failed>, Work)> {
    let mut meter = Meter::within(patience);
    let mut launch = |kernel: KernelId, buffers: &[(Memory, bool)], scalars: &[Scalar]| {
        let kernel = &plan.kernels[kernel.0 as usize];
        launch_metered(kernel, buffers, scalars, &mut meter)
    };
    let run = AssertUnwindSafe(|| run_metered(plan, scalars, arrays, &mut launch));
    match catch_unwind(run) {
        Ok((result, host)) => {
            meter.work += host;
            Some((result, meter.work))
        }
        Err(panic) if panic.is::<GivenUp>() => None,
        Err(panic) => resume_unwind(panic),
    }
}

#[cfg(test)]
mod tests {
    use super::super::run;
    use super::*;
    use crate::scalar::Leaf;

    #[test]
    fn a_run_ends_as_it_would_have_or_is_given_up() {
        let block = "pub fn first(xs: &Vector<u32>) -> u32 { xs.map(|x| x * x).sum() + xs[0] }";
        let unit = crate::compile(block.parse().expect("tokens"), &crate::Options::default());
        let plan = &unit.functions[0].plan;
        let ask = |numbers: &[i64], patience: u64| {
            let leaf = numbers.iter().map(|&x| Scalar::number(Leaf::U32, x));
            let array = eval::Array {
                extents: vec![numbers.len() as u64],
                leaves: vec![leaf.collect()],
            };
            let arrays = [array];
            let within = run_within(plan, &[], &arrays, patience);
            (
                within.map(|result| format!("{result:?}")),
                format!("{:?}", run(plan, &[], &arrays)),
            )
        };
        for numbers in [&[][..], &[3, 4, 5]] {
            let (within, whole) = ask(numbers, 1000);
            assert_eq!(within, Some(whole));
        }
        assert_eq!(ask(&[3, 4, 5], 2).0, None);
    }
}
