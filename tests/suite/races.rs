//! Whether anything that threads tell each other is left to luck: programs whose blocks work together, while
//! ThreadSanitizer watches.
//!
//! All threads of a launch run in turns in one thread of the system, and each is a thread of its own to ThreadSanitizer, in
//! one order with the others only by what orders memory on a GPU (the emulator's `races.h`). So it reports what is published
//! too early or read too soon whenever both accesses happen, whichever came first in this run; and a run can be repeated by
//! its seed. Threads of the system would add nothing to that: the device changes turns at atomics, strong accesses, fences
//! and barriers, and where there is no race, no finer interleaving gives anything else.
//!
//! That it would report something is shown too: fences, strong accesses and waits are taken out, one at a time.
//!
//! ThreadSanitizer wants a process of its own for each case: this binary again.

use crate::entries::{Draw, Loaded};
use crate::kept::Kept;
use crate::programs::DRIVERS;
use crate::questions::{Question, agree, outcome};
use crate::report::Report;
use crate::workers;
use accelerate_compiler::{Compiled, Options};
use emulator::watch::{RACE, Watch};
use harness::corpus;
use harness::inputs::{self, Floats};
use std::process::{ExitCode, Output};

const TIER: &str = "ThreadSanitizer";
const SEEDS: u64 = 20;
/// Blocks, all resident, and threads of each: no more in all than ThreadSanitizer likes to tell apart (255).
const SHAPES: [(u32, u32); 3] = [(6, 32), (7, 32), (3, 64)];
/// The argument that says which case a watched process is for.
const ARGUMENT: &str = "--watched";
const PROBE: &str = "probe";

/// A program on inputs of some size.
struct Subject {
    program: &'static str,
    /// Symbols of its extents.
    sizes: &'static [(&'static str, u64)],
    /// Whether blocks look back at what others publish: then some must have waited.
    looks_back: bool,
    /// Blocks and threads.
    shapes: &'static [(u32, u32)],
}

const fn subject(program: &'static str, sizes: &'static [(&'static str, u64)]) -> Subject {
    Subject {
        program,
        sizes,
        looks_back: false,
        shapes: &SHAPES,
    }
}

const fn looking_back(program: &'static str, sizes: &'static [(&'static str, u64)]) -> Subject {
    Subject {
        program,
        sizes,
        looks_back: true,
        shapes: &SHAPES,
    }
}

/// What happens between the warps of a block.
const fn of_many_warps(program: &'static str, sizes: &'static [(&'static str, u64)]) -> Subject {
    Subject {
        program,
        sizes,
        looks_back: false,
        shapes: &[(1, 224)],
    }
}

/// Scans (of a sum, of what does not commute, of states of several words, that fail), counts that say where elements go,
/// a sort; folds whose last block finishes, of rows and of columns, in any order and in order; tables of blocks, words and
/// parts of words that are changed by compare and swap, locks, bits for targets that are met; rows of lengths of their own,
/// with one launch and with two; folds of a row, one after the other.
const SUBJECTS: [Subject; 19] = [
    looking_back("scan_cumsum", &[("n", 5000)]),
    looking_back("scan_affine", &[("n", 3000)]),
    looking_back("scan_wide", &[("n", 2000)]),
    looking_back("scan_failing", &[("n", 3000)]),
    looking_back("filter", &[("n", 5000)]),
    looking_back("partition", &[("n", 5000)]),
    looking_back("sort", &[("n", 3000)]),
    subject("dotp", &[("n", 3000)]),
    subject("fold_affine", &[("m", 2), ("n", 1000)]),
    subject("softmax", &[("m", 3), ("n", 1000)]),
    subject("fold_columns", &[("m", 100), ("n", 40)]),
    subject("histogram_bins", &[("n", 3000)]),
    subject("scatter_closure", &[("n", 1000)]),
    subject("scatter_turned", &[("h", 40), ("w", 30)]),
    subject("scatter_first", &[("k", 7), ("n", 200)]),
    subject("scatter_unique_checked", &[("n", 100)]),
    subject("segments_lengths", &[("n", 3000), ("s", 50)]),
    looking_back("segments_skewed", &[("n", 3000), ("s", 50)]),
    of_many_warps("rows_of_states", &[("m", 2), ("n", 300)]),
];

/// A program, what is taken out of its text, and what stands there then.
const TAKEN_OUT: [(&str, &str, &str); 21] = [
    // What is told before it is there.
    (
        "dotp",
        "__threadfence();  // the part is visible before the ticket that announces it",
        "",
    ),
    (
        "fold_columns",
        "__threadfence();  // each lane's part is visible before the ticket that announces them",
        "",
    ),
    (
        "fold_columns",
        "__syncwarp(0xffffffffu);\n            if (threadIdx.x == 0) *is_last",
        "if (threadIdx.x == 0) *is_last",
    ),
    (
        "scan_cumsum",
        "__threadfence();  // what the block has published is visible before it leaves",
        "",
    ),
    (
        "scatter_first",
        "__threadfence();  // what is written is visible before the release",
        "",
    ),
    // What is taken before it is known to be there.
    (
        "dotp",
        "__threadfence();  // the other blocks' parts are read after their tickets",
        "",
    ),
    ("dotp", "last = *is_last != 0;", "last = true;"),
    (
        "fold_columns",
        "__threadfence();  // the other blocks' parts are read after their tickets",
        "",
    ),
    (
        "scan_cumsum",
        "__threadfence();  // what the others have published is cleared after they have left",
        "",
    ),
    (
        "scatter_first",
        "__threadfence();  // what the last holder wrote is read after its release",
        "",
    ),
    ("segments_skewed", "if (!team.leaves_last) return;", ""),
    // What only lanes that wait for each other have kept apart.
    (
        "sort",
        "// Hazard: a digit is counted before its tally is clear.\n    __syncwarp();",
        "",
    ),
    (
        "sort",
        "// Hazard: lanes that have the same digit are read before all have told.\n        __syncwarp(0xffffffffu);",
        "",
    ),
    (
        "sort",
        "// Hazard: the last of these lanes counts them before all have read.\n        __syncwarp();",
        "",
    ),
    (
        "sort",
        "// Hazard: the next elements' lanes tell before these are forgotten.\n        __syncwarp(0xffffffffu);",
        "",
    ),
    // What other warps still read.
    (
        "rows_of_states",
        "return slots + half * (1 - turn);",
        "return slots;",
    ),
    // What several blocks write or read at a time, as if it were a thread's own.
    ("dotp", "*(volatile u32*)ticket = 0;", "*ticket = 0;"),
    (
        "scan_cumsum",
        "*(volatile u32*)(counters + 1) = 0;",
        "counters[1] = 0;",
    ),
    (
        "scan_cumsum",
        "*(volatile u64*)(slot + w) = 1ull",
        "slot[w] = 1ull",
    ),
    (
        "scan_cumsum",
        "u64 seen = *(const volatile u64*)(slot + w);",
        "u64 seen = slot[w];",
    ),
    (
        "sort",
        "volatile Index* const state = states",
        "Index* const state = states",
    ),
];

/// Memory under a lock is read and written by `volatile`, for the sake of caches that do not see each other. It is the lock
/// that has to keep the order: here it is left to it alone.
const UNDER_LOCKS: [(&str, &str); 2] = [
    (
        "return *const_cast<const volatile T*>(from);",
        "return *from;",
    ),
    ("*const_cast<volatile T*>(to) = x;", "*to = x;"),
];

/// Watches every program, as it is and without what it needs.
pub(crate) fn run(report: &mut Report) {
    if !report.wants(TIER) {
        return;
    }
    let wanted = |report: &Report, program: &str| {
        report.selects(program) && DRIVERS.iter().any(|driver| driver.program == program)
    };
    let found = emulator::library()
        .and_then(|_| Watch::find(&[ARGUMENT, PROBE]))
        .map_err(|error| format!("{error:#}"));
    let watch = match found {
        Ok(watch) => watch,
        Err(problem) => {
            if workers::claims(report.claims(), TIER, "skipped") {
                report.skip(TIER, SUBJECTS.len() + TAKEN_OUT.len(), &problem);
            }
            return;
        }
    };
    for subject in &SUBJECTS {
        let program = subject.program;
        if !wanted(report, program) || !workers::claims(report.claims(), TIER, program) {
            continue;
        }
        let mut waits = 0;
        report.case(TIER, program, || {
            let output = watch
                .run(&[ARGUMENT, program])
                .map_err(|error| format!("{error:#}"))?;
            if !output.status.success() {
                return Err(told(&output));
            }
            let text = String::from_utf8_lossy(&output.stdout);
            waits = text.trim().parse().map_err(|_| told(&output))?;
            match waits {
                0 if subject.looks_back => Err("no state was waited for".to_owned()),
                _ => Ok(()),
            }
        });
        report.count(TIER, "states waited for", waits);
    }
    for (number, (program, find, _)) in TAKEN_OUT.iter().enumerate() {
        let claim = format!("without-{number}");
        if !wanted(report, program) || !workers::claims(report.claims(), TIER, &claim) {
            continue;
        }
        let title = format!(
            "{program} without `{}`",
            find.lines().next().unwrap_or(find)
        );
        report.case(TIER, &title, || {
            let arguments = [ARGUMENT, program, &number.to_string()];
            let output = watch
                .run(&arguments)
                .map_err(|error| format!("{error:#}"))?;
            match output.status.code() {
                Some(RACE) => Ok(()),
                _ => Err(format!("no race was found: {}", told(&output))),
            }
        });
    }
}

/// How a process ended and what it said.
fn told(output: &Output) -> String {
    format!(
        "{}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

/// What a watched process does: the case that its arguments name. None if it is no such process.
pub(crate) fn watched(arguments: &[String]) -> Option<ExitCode> {
    let [argument, program, without @ ..] = arguments else {
        return None;
    };
    if argument != ARGUMENT {
        return None;
    }
    let without = without.first().and_then(|number| number.parse().ok());
    match case(program, without) {
        Ok(waits) => {
            println!("{waits}");
            Some(ExitCode::SUCCESS)
        }
        Err(problem) => {
            println!("{problem}");
            Some(ExitCode::FAILURE)
        }
    }
}

/// Runs a program under all seeds; gives how often a thread waited for another one's.
fn case(program: &str, without: Option<usize>) -> Result<u64, String> {
    let emulator = emulator::load().map_err(|error| format!("{error:#}"))?;
    if !emulator.watched() {
        return Err("this libtsan knows no fibers".to_owned());
    }
    if program == PROBE {
        return Ok(0);
    }
    let subject = SUBJECTS.iter().find(|subject| subject.program == program);
    let driver = DRIVERS.iter().find(|driver| driver.program == program);
    let (subject, driver) = subject.zip(driver).ok_or("no such program")?;
    let compiled = corpus::compile(driver, &Options::default())?;
    let header = corpus::header(program);
    let sizes = subject.sizes.iter();
    let sizes = sizes
        .map(|(symbol, size)| (symbol.to_string(), *size))
        .collect();
    let arguments = inputs::arguments(&compiled.lowered, &header, &sizes, Floats::Whole, 1);
    let question = Question::new(&compiled, program.to_owned(), arguments, true);
    let loaded = Loaded::with_text(
        emulator,
        &compiled,
        &text(&compiled, without)?,
        Kept::Narrow,
    )?;
    emulator.residency(u32::MAX);
    emulator.reset_counters();
    for seed in 0..SEEDS {
        emulator.seed(seed);
        let result = loaded.run_drawn(&question.scalars, &question.arrays, |entries| {
            // Each entry in each shape.
            let (round, entry) = (seed as usize / entries.len(), seed as usize % entries.len());
            let (blocks, threads) = subject.shapes[round % subject.shapes.len()];
            Draw {
                entry,
                grid: (blocks, 1),
                threads,
                copies: 1 << (round % 2),
                most: [u64::MAX, 40][round % 2],
            }
        })?;
        agree(
            &outcome(&compiled, result),
            &question,
            &format!("seed {seed}"),
        )?;
    }
    Ok(emulator.counters().spins)
}

/// A program's CUDA C, without what is taken out.
fn text(compiled: &Compiled, without: Option<usize>) -> Result<String, String> {
    let mut text = compiled.cuda.source.clone();
    let taken = without.map(|number| TAKEN_OUT[number]);
    let taken = taken.map(|(_, find, other)| (find, other));
    if let Some((find, _)) = taken.filter(|(find, _)| !text.contains(find)) {
        return Err(format!("no text has `{find}` any more"));
    }
    for (find, other) in UNDER_LOCKS.into_iter().chain(taken) {
        text = text.replace(find, other);
    }
    Ok(text)
}
