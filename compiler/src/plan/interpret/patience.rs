//! Runs that may be given up: without passes, and with decisions by chance, a plan repeats work, so that a few points can
//! take minutes.

use super::{KernelId, Memory, launch_within, run_with};
use crate::ir::eval::{self, Failed};
use crate::plan::Plan;
use crate::scalar::Scalar;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// What a run unwinds with that is given up.
struct GivenUp;

/// Runs a plan as [`super::run`], for at most so many statements of its kernels; none if it takes more.
pub fn run_within(
    plan: &Plan,
    scalars: &[Scalar],
    arrays: &[eval::Array],
    mut patience: u64,
) -> Option<Result<Vec<eval::Output>, Failed>> {
    let mut launch = |kernel: KernelId, buffers: &[(Memory, bool)], scalars: &[Scalar]| {
        let kernel = &plan.kernels[kernel.0 as usize];
        launch_within(kernel, buffers, scalars, &mut patience)
    };
    let run = AssertUnwindSafe(|| run_with(plan, scalars, arrays, &mut launch));
    match catch_unwind(run) {
        Ok(result) => Some(result),
        Err(panic) if panic.is::<GivenUp>() => None,
        Err(panic) => resume_unwind(panic),
    }
}

/// Gives a run up, without a message.
pub(super) fn end() -> ! {
    resume_unwind(Box::new(GivenUp))
}
