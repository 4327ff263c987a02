//! The passes that make a program ready for kernels, in order: afterwards an array that is left is stored.

use super::{absorb, checks, inline, lifted, scans, speculate, spread, unasked, wrapped};
use crate::pass::{Pass, contract};

/// See the module.
pub const PREPARE: &[Pass] = &[
    Pass {
        name: "predicate",
        optional: false,
        run: |program, _| absorb::absorb(program),
    },
    Pass {
        name: "vectorize",
        optional: false,
        run: |program, _| spread::spread(program),
    },
    Pass {
        name: "hoist-checks",
        optional: true,
        run: |program, _| checks::hoist(program),
    },
    Pass {
        name: "inline",
        optional: false,
        run: |program, state| {
            let (program, notes) = inline::inline(program, &state.options);
            state.notes = notes;
            program
        },
    },
    Pass {
        name: "clamp-extents",
        optional: false,
        run: |program, _| wrapped::settle(program),
    },
    Pass {
        name: "bound-speculation",
        optional: false,
        run: |program, _| speculate::gate(program),
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
            let (program, conditions) = scans::settle(program, &state.options);
            state.conditions = conditions;
            program
        },
    },
    Pass {
        name: "guard-reads",
        optional: false,
        run: |program, state| unasked::settle((program, std::mem::take(&mut state.conditions))),
    },
    Pass {
        name: "contract",
        optional: true,
        run: contract::run,
    },
    Pass {
        name: "hoist-scalars",
        optional: false,
        run: |program, state| {
            let (program, hoisted) = lifted::lift(program);
            state.hoisted = hoisted;
            program
        },
    },
];
