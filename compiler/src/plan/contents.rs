//! What kernels hold, counted: for contracts, and for the length of their code.

use super::body::Statement;
use super::stages::Stage;
use super::{Fold, Kernel, Meeting, Phase, Plan, Skeleton};
use crate::ir::Site;
use crate::sorted::SortedSet;

impl Plan {
    /// Checks of the source that kernels make. Those of the host, before and between launches, do not count.
    pub fn checks_in_kernels(&self) -> u32 {
        let of = |kernel: &Kernel| {
            let mut sites = SortedSet::new();
            of_skeleton(&kernel.skeleton, &mut |body| checks(body, &mut sites));
            sites.len() as u32
        };
        self.kernels.iter().map(of).sum()
    }

    /// Arrays that points of a kernel combine into atomically, or under a lock, since several may have one target.
    pub fn atomics(&self) -> u32 {
        let of = |skeleton: &Skeleton| match skeleton {
            Skeleton::Scatter {
                targets, meeting, ..
            } => match meeting {
                Meeting::Never => 0,
                Meeting::Apart | Meeting::Locked { .. } | Meeting::Once { .. } => {
                    targets.len() as u32
                }
            },
            Skeleton::Elementwise(_)
            | Skeleton::Rowwise { .. }
            | Skeleton::Staged { .. }
            | Skeleton::Sort { .. } => 0,
        };
        self.kernels.iter().map(|kernel| of(&kernel.skeleton)).sum()
    }
}

impl Kernel {
    /// Statements of its bodies. Its `types` may be many more: windows number the values of each neighbour.
    pub(crate) fn length(&self) -> usize {
        let mut sum = 0;
        of_skeleton(&self.skeleton, &mut |body| sum += length(body));
        sum
    }
}

fn of_skeleton(skeleton: &Skeleton, of: &mut dyn FnMut(&[Statement])) {
    match skeleton {
        Skeleton::Elementwise(parts) => parts.iter().for_each(|part| of(&part.body)),
        Skeleton::Rowwise { phases, .. } => phases.iter().for_each(|phase| of_phase(phase, of)),
        Skeleton::Staged { stages, .. } => stages.iter().for_each(|stage| of_stage(stage, of)),
        Skeleton::Scatter { body, fold, .. } => {
            of(body);
            of(&fold.combine);
        }
        Skeleton::Sort { body, by, .. } => {
            of(body);
            by.iter().for_each(|by| of(&by.body));
        }
    }
}

fn of_phase(phase: &Phase, of: &mut dyn FnMut(&[Statement])) {
    match phase {
        Phase::Uniform(body) | Phase::Each { body, .. } => of(body),
        Phase::Fold { body, folds, .. } => {
            of(body);
            of_folds(folds, of);
        }
        Phase::Scan {
            body,
            folds,
            each,
            after,
            ..
        } => {
            of(body);
            of_folds(folds, of);
            of(each);
            of_folds(after, of);
        }
    }
}

fn of_stage(stage: &Stage, of: &mut dyn FnMut(&[Statement])) {
    match stage {
        Stage::Uniform(body) | Stage::Each { body, .. } => of(body),
        Stage::Swap(..) => {}
        Stage::Rounds { test, body, .. } => {
            of(test);
            body.iter().for_each(|stage| of_stage(stage, of));
        }
    }
}

fn of_folds(folds: &[Fold], of: &mut dyn FnMut(&[Statement])) {
    folds.iter().for_each(|fold| of(&fold.combine));
}

fn length(statements: &[Statement]) -> usize {
    let of = |statement: &Statement| match statement {
        Statement::Let { .. }
        | Statement::Load { .. }
        | Statement::Store { .. }
        | Statement::Check { .. } => 0,
        Statement::If {
            then, otherwise, ..
        } => length(then) + length(otherwise),
        Statement::Loop { test, body, .. } => length(test) + length(body),
        Statement::Fold { body, folds, .. } => {
            let combined = folds.iter().map(|fold| length(&fold.combine));
            length(body) + combined.sum::<usize>()
        }
    };
    statements.iter().map(|statement| 1 + of(statement)).sum()
}

fn checks(statements: &[Statement], sites: &mut SortedSet<Site>) {
    for statement in statements {
        match statement {
            Statement::Let { .. } | Statement::Load { .. } | Statement::Store { .. } => {}
            Statement::Check { site, .. } => _ = sites.insert(*site),
            Statement::If {
                then, otherwise, ..
            } => {
                checks(then, sites);
                checks(otherwise, sites);
            }
            Statement::Loop { test, body, .. } => {
                checks(test, sites);
                checks(body, sites);
            }
            Statement::Fold { body, folds, .. } => {
                checks(body, sites);
                folds.iter().for_each(|fold| checks(&fold.combine, sites));
            }
        }
    }
}
