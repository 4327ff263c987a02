//! What kernels hold, counted: for contracts.

use super::body::Statement;
use super::stages::Stage;
use super::{Fold, Kernel, Meeting, Phase, Plan, Skeleton};
use crate::ir::Site;
use std::collections::BTreeSet;

impl Plan {
    /// Checks of the source that kernels make. Those of the host, before and between launches, do not count.
    pub fn checks_in_kernels(&self) -> u32 {
        let of = |kernel: &Kernel| {
            let mut sites = BTreeSet::new();
            of_skeleton(&kernel.skeleton, &mut sites);
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

fn of_skeleton(skeleton: &Skeleton, sites: &mut BTreeSet<Site>) {
    match skeleton {
        Skeleton::Elementwise(parts) => parts.iter().for_each(|part| checks(&part.body, sites)),
        Skeleton::Rowwise { phases, .. } => phases.iter().for_each(|phase| of_phase(phase, sites)),
        Skeleton::Staged { stages, .. } => stages.iter().for_each(|stage| of_stage(stage, sites)),
        Skeleton::Scatter { body, fold, .. } => {
            checks(body, sites);
            checks(&fold.combine, sites);
        }
        Skeleton::Sort { body, by, .. } => {
            checks(body, sites);
            by.iter().for_each(|by| checks(&by.body, sites));
        }
    }
}

fn of_phase(phase: &Phase, sites: &mut BTreeSet<Site>) {
    match phase {
        Phase::Uniform(body) | Phase::Each { body, .. } => checks(body, sites),
        Phase::Fold { body, folds, .. } => {
            checks(body, sites);
            of_folds(folds, sites);
        }
        Phase::Scan {
            body,
            folds,
            each,
            after,
            ..
        } => {
            checks(body, sites);
            of_folds(folds, sites);
            checks(each, sites);
            of_folds(after, sites);
        }
    }
}

fn of_stage(stage: &Stage, sites: &mut BTreeSet<Site>) {
    match stage {
        Stage::Uniform(body) | Stage::Each { body, .. } => checks(body, sites),
        Stage::Swap(..) => {}
        Stage::Rounds { test, body, .. } => {
            checks(test, sites);
            body.iter().for_each(|stage| of_stage(stage, sites));
        }
    }
}

fn of_folds(folds: &[Fold], sites: &mut BTreeSet<Site>) {
    folds.iter().for_each(|fold| checks(&fold.combine, sites));
}

fn checks(statements: &[Statement], sites: &mut BTreeSet<Site>) {
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
                of_folds(folds, sites);
            }
        }
    }
}
