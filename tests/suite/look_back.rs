//! Whether look-back is really exercised: scans and sorts of many tiles by interleaved blocks, under many seeds of the scheduler. Each
//! run must meet tiles whose state is not published yet, and give the same bits as every other.

use crate::compare::sums_floats;
use crate::entries::{Draw, Loaded};
use crate::kept::Kept;
use crate::programs::DRIVERS;
use crate::questions::outcome;
use crate::report::Report;
use crate::workers;
use accelerate_compiler::codegen::cuda::Regime;
use accelerate_compiler::ir::eval;
use accelerate_compiler::{Compiled, Options};
use emulator::Emulator;
use harness::corpus;
use harness::inputs::{self, Floats};

const TIER: &str = "look-back";
/// A sum of floats, an operator that does not commute, a state of several words in tiles of 32 elements, counts that say
/// where elements go, and a sort.
const PROGRAMS: [&str; 7] = [
    "scan_cumsum",
    "scan_affine",
    "scan_wide",
    "filter",
    "partition",
    "sort",
    "segments_skewed",
];
/// Elements: several groups of 32 tiles, and with the last program one of 1024.
const ELEMENTS: u64 = 33_333;
const SEEDS: u64 = 20;
/// Blocks of a launch, all resident.
const BLOCKS: u32 = 12;

/// Scans and sorts by blocks of one warp.
pub(crate) fn run(report: &mut Report) {
    if !report.wants(TIER) {
        return;
    }
    let emulator = match emulator::load() {
        Ok(emulator) => emulator,
        Err(error) => {
            if workers::claims(report.claims(), TIER, "skipped") {
                report.skip(TIER, PROGRAMS.len(), &format!("{error:#}"));
            }
            return;
        }
    };
    let programs = DRIVERS
        .iter()
        .filter(|driver| PROGRAMS.contains(&driver.program) && report.selects(driver.program))
        .collect::<Vec<_>>();
    for driver in programs {
        if !workers::claims(report.claims(), TIER, driver.program) {
            continue;
        }
        let mut waits = 0;
        report.case(TIER, driver.program, || {
            let compiled = corpus::compile(driver, &Options::default())?;
            let header = corpus::header(driver.program);
            let symbols = header.shapes.values().flatten();
            let sizes = symbols.map(|symbol| (symbol.clone(), ELEMENTS)).collect();
            let arguments = inputs::arguments(&compiled.lowered, &header, &sizes, Floats::Real, 1);
            let arrays: Vec<eval::Array> = arguments.arrays.iter().cloned().collect();
            waits = seeds(emulator, &compiled, &arrays)?;
            Ok(())
        });
        report.count(TIER, "states waited for", waits);
    }
}

/// Runs under all seeds; gives how often a block waited for another one's state.
fn seeds(
    emulator: &Emulator,
    compiled: &Compiled,
    arrays: &[eval::Array],
) -> Result<usize, String> {
    let program = &compiled.lowered;
    // Sums of floats depend on their bracketing, which is the same in all runs.
    let mut first = match sums_floats(program) {
        true => None,
        false => Some(outcome(compiled, eval::eval(program, &[], arrays))),
    };
    let loaded = Loaded::new(emulator, compiled, Kept::Narrow)?;
    emulator.residency(BLOCKS);
    let mut waits = 0;
    for seed in 0..SEEDS {
        emulator.seed(seed);
        emulator.reset_counters();
        let result = loaded.run_drawn(&[], arrays, |entries| Draw {
            entry: entries
                .iter()
                .position(|(_, entry)| {
                    matches!(
                        entry.regime,
                        Regime::Chained | Regime::Sort { .. } | Regime::Balanced { .. }
                    )
                })
                .expect("a scan, sort or path by several blocks"),
            grid: (BLOCKS, 1),
            threads: 32,
            copies: 1,
            most: u64::MAX,
        })?;
        let found = outcome(compiled, result);
        let spins = emulator.counters().spins as usize;
        if spins == 0 {
            return Err(format!("seed {seed}: no state was waited for"));
        }
        waits += spins;
        if *first.get_or_insert_with(|| found.clone()) != found {
            return Err(format!("seed {seed}: other bits"));
        }
    }
    Ok(waits)
}
