//! The passes that make a program ready for kernels, in order: afterwards an array that is left is stored.

use crate::fuse::delinearize;
use crate::fuse::distribute;
use crate::fuse::flatten;
use crate::fuse::fuse_compactions;
use crate::fuse::hoist::checks::{self};
use crate::fuse::hoist::functions;
use crate::fuse::hoist::scalars;
use crate::fuse::inline::{self};
use crate::fuse::propagate_conditions;
use crate::fuse::scans;
use crate::fuse::speculate::{self, clamp_extents, guard_reads};
use crate::fuse::unroll_sorts;
use crate::pass::{Pass, contract};

/// See the module.
pub const PREPARE: &[Pass] = &[
    Pass {
        name: "fuse-compactions",
        optional: false,
        run: |program, _| fuse_compactions::run(program),
    },
    Pass {
        name: "unroll-sorts",
        optional: true,
        run: |program, _| unroll_sorts::run(program),
    },
    Pass {
        name: "flatten",
        optional: false,
        run: |program, _| flatten::run(program),
    },
    Pass {
        name: "hoist-checks",
        optional: true,
        run: |program, _| checks::run(program),
    },
    Pass {
        name: "inline",
        optional: false,
        run: |program, state| {
            let (program, notes) = inline::run(program, &state.options);
            state.notes = notes;
            program
        },
    },
    Pass {
        name: "delinearize",
        optional: true,
        run: |program, _| delinearize::run(program),
    },
    Pass {
        name: "propagate-conditions",
        optional: true,
        run: |program, _| propagate_conditions::run(program),
    },
    Pass {
        name: "clamp-extents",
        optional: false,
        run: |program, _| clamp_extents::run(program),
    },
    Pass {
        name: "limit-speculation",
        optional: false,
        run: |program, _| speculate::limit(program),
    },
    Pass {
        name: "speculate",
        optional: false,
        run: |program, state| speculate::speculate(program, &mut state.notes),
    },
    Pass {
        name: "store-scans",
        optional: false,
        run: |program, state| {
            let (program, conditions) = scans::run(program, &state.options);
            state.conditions = conditions;
            program
        },
    },
    Pass {
        name: "guard-reads",
        optional: false,
        run: |program, state| guard_reads::run((program, std::mem::take(&mut state.conditions))),
    },
    Pass {
        name: "contract",
        optional: true,
        run: contract::run,
    },
    Pass {
        name: "hoist-functions",
        optional: true,
        run: |program, _| functions::run(program),
    },
    Pass {
        name: "distribute",
        optional: true,
        run: |program, _| distribute::run(program),
    },
    Pass {
        name: "hoist-scalars",
        optional: false,
        run: |program, state| {
            let (program, hoisted) = scalars::run(program);
            state.hoisted = hoisted;
            program
        },
    },
];
