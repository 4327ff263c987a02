//! Whether anything is there for nothing: each barrier and each guard of the prelude and of generated code is taken out, one
//! at a time, and the emulated device must give another result, or report a stray access, for some size and schedule.
//!
//! Fences are exempt: execution is sequentially consistent here (`races` takes them out). Conditions that only save work (`is
//! this the first thread?` before a store that all would make alike) are no guards and are left in peace. So is `stores` of
//! the column teams: lanes beyond the last row repeat it, and would store its value again. Not taken out: `__syncwarp()`
//! without a mask, which orders the memory of lanes that other warp operations keep together, as the emulated device always
//! does.

use crate::entries::Loaded;
use crate::kept::{Kept, wide};
use crate::programs::DRIVERS;
use crate::questions::{Question, agree, outcome, questions};
use crate::report::Report;
use crate::workers;
use accelerate_compiler::Tiling;
use accelerate_compiler::codegen::cuda::{PRELUDE, Prelude};
use accelerate_compiler::{Compiled, Options};
use emulator::Emulator;
use harness::corpus::{self, Driver};
use std::panic::{AssertUnwindSafe, catch_unwind};

const TIER: &str = "mutation";

/// Programs that together have every skeleton and every regime, folds in stride and in order, reads that are checked.
const PROGRAMS: [&str; 26] = [
    "saxpy",
    "out_of_bounds",
    "dotp",
    "softmax",
    "sum_columns",
    "sum_rows",
    "argmax_rows",
    "fold_columns",
    "fold_affine",
    "scan_affine",
    "scan_exclusive_rows",
    "min_plus",
    "histogram_bins",
    "scatter_extremes",
    "scatter_turned",
    "sort_by_key",
    "sort_by_rows",
    "network_vsort",
    "rows_failing",
    "rows_of_states",
    "segments_shifted",
    "filter",
    "blur",
    "stencil_gauss",
    "stencil_cube",
    "transpose_batch",
];

/// Runs of a mutant, each of another question, entry, grid and schedule, before it is given up.
const RUNS: u64 = 400;
const MOST_ELEMENTS: u64 = 3000;

/// What is taken out, and what stands there then.
const MUTATIONS: [(&str, &str); 91] = [
    // Barriers.
    ("__syncthreads();", ""),
    ("__syncwarp(0xffffffffu);", ""),
    ("__syncthreads_or(failed || lost)", "failed || lost"),
    ("!__syncthreads_or(team.met)", "!team.met"),
    // Which lanes, warps, blocks and parts hold something.
    ("lane + distance < present", "true"),
    ("threadIdx.x < holders", "true"),
    ("holders <= mine ? 0 : holders - mine", "32"),
    (
        "present <= before ? 0 : minimum(present - before, warps_of_block())",
        "warps_of_block()",
    ),
    (
        "present <= before ? 0 : minimum(present - before, chunks)",
        "chunks",
    ),
    ("minimum(begin + run, parts)", "begin + run"),
    ("minimum(begin + run, blocks)", "begin + run"),
    ("chunk() + distance < present", "true"),
    ("warp < warps; ++warp", "warp < warps_of_block(); ++warp"),
    ("if (blockIdx.y > 0) return;", ""),
    // What has been published, and by whom.
    ("seen >> 32 == 0", "false"),
    ("k == 0 ? start : room[k - 1]", "room[k]"),
    ("at == 0 ? start : room[at - 1]", "room[at]"),
    // What is counted of a tile that is not full.
    ("32 * k + lane < held && ", ""),
    ("if (32 * k + lane < held) finish", "finish"),
    ("while (seen[k] == 0) {", "while (false) {"),
    ("next[256 * u64(ticket) + bin] = 0;", ";"),
    ("k < lane && !less(own, other)", "!less(own, other)"),
    // Elements of a tile that are there, and runs that are merged.
    ("if (is_there(at)) room[at]", "room[at]"),
    ("is_there(slot + k + 1) && ", ""),
    ("if (!is_there(at)) continue;", ""),
    ("first + (at >> shift) < rows && ", ""),
    (" && (at & (width - 1)) < present", ""),
    ("if (at >= all) continue;", ""),
    ("a == a_end || ", ""),
    ("b < b_end && ", ""),
    ("minimum<Index>(begin, first + second)", "begin"),
    ("merged > second ? merged - second : 0", "0"),
    // Comparisons that are no order.
    ("__syncthreads_or(!part.fits(cut, to))", "false"),
    ("!part.fits(cut, part.cut(part.end, before))", "false"),
    // What meets at a target.
    ("done = seen == old;", "done = true;"),
    (
        "for (u32 at = threadIdx.x; at < size;",
        "for (u32 at = threadIdx.x + 1; at < size;",
    ),
    ("if (x_9) {", "if (true) {"),
    // Without the guard a stray write may abort the worker, and the results of its other mutants are lost.
    (
        "if (place < count) arrive(",
        "if (place + 1 < count) arrive(",
    ),
    // The ends of rows.
    ("USUALLY(from + 4 <= end)", "true"),
    ("if (from < end)", "if (true)"),
    ("k < end && ", ""),
    ("minimum<Index>(extent, begin + length)", "begin + length"),
    ("first + (ahead - 1) * step < end", "first < end"),
    ("for (; first < end;", "for (; first <= end;"),
    // Packs of rows that start anywhere.
    ("(count + before + 3) / 4", "(count + 3) / 4"),
    ("before = start % 4", "before = 0 * start"),
    // Points of a row that are kept, and the others.
    ("first + k * step < end", "true"),
    ("USUALLY(start % 4 == 0)", "true"),
    ("k < rounds;", "k + 1 < rounds;"),
    // Rows of a group of columns.
    ("minimum<Index>(own, rows - 1)", "own"),
    // Elements and rows.
    ("; row < row_count;", "; row <= row_count;"),
    ("; i < n;", "; i <= n;"),
    ("; j < n_2;", "; j <= n_2;"),
    ("% 4 == 0) {", "% 4 < 4) {"),
    // Tiles.
    ("l < end && a < stop ? one(l, a) : T()", "one(l, a)"),
    ("line + (along ? 1 : width) <= end && ", ""),
    ("start + Tile::depth <= end", "true"),
    ("turn ^= 1;", ""),
    ("if (row >= row_end || ", "if ("),
    ("column + 2 <= column_end && ", ""),
    ("if (column + next < column_end) result", "result"),
    // Tiles of neighbours: far enough from the edges, or else not beyond them.
    ("first_i >= 4 && ", ""),
    ("first_i + 12 <= Index(height) && ", ""),
    ("first_j >= 4 && ", ""),
    (" && first_j + 12 <= Index(width)", ""),
    ("i < Index(height) && ", ""),
    (" && j < Index(width)) element", ") element"),
    ("if (plane >= 2) {", "if (true) {"),
    // Tiles that are read along another axis: points that are none, and tiles that are whole.
    (
        "if (!tile.has(i < Index(n) && j < Index(n_2) && k < Index(n_3))) return {};",
        "",
    ),
    (
        "tile.has(i < Index(n) && j < Index(n_2) && k < Index(n_3))) element",
        "tile.has(j < Index(n_2) && k < Index(n_3))) element",
    ),
    (
        " && j < Index(n_2) && k < Index(n_3))) element",
        " && k < Index(n_3))) element",
    ),
    (" && k < Index(n_3))) element", ")) element"),
    ("blockDim.x == 64 && ", ""),
    ("shape.is_square() && ", ""),
    ("first_k + (1u << shape.along) <= Index(n_3) && ", ""),
    (" && first_j + (1u << shape.across) <= Index(n_2)))", "))"),
    // Arrays of a row.
    ("b = first;", "b = a;"),
    ("; k < 32;", "; k <= 32;"),
    // Rows that are left to the whole block.
    ("return is_long != longs;", "return is_long;"),
    ("*(volatile u32*)team.left = 1;", ""),
    // Rows on a path, and some that lie on none.
    ("row < high && ends(row) < step", "ends(row) < step"),
    ("if (of.to - of.from >= team.least) finish", "finish"),
    ("proper && of.within && (", "proper && ("),
    ("if (!proper) tell(counters);", ""),
    ("if (low + row >= rows) return;", ""),
    ("if (ending >= rows) return;", ""),
    ("if (of.within && of.to", "if (of.to"),
    ("else if (at >= from)", "else if (true)"),
    // What is kept.
    ("if (0 < x_2) {", "if (true) {"),
    // Checks of reads.
    ("x_4 ? xs[i_2] : 0", "xs[i_2]"),
    ("if (!x_4) report", "if (false) report"),
];

/// A compiled program with what it is asked.
struct Subject {
    compiled: Compiled,
    /// Its CUDA C, without the prelude and entries of wide indices.
    own: String,
    questions: Vec<Question>,
}

/// One thing taken out of a text: the rule, and which of its places.
struct Mutant {
    rule: usize,
    place: usize,
}

/// Takes everything out once.
pub(crate) fn run(report: &mut Report) {
    if !report.wants(TIER) {
        return;
    }
    let emulator = match emulator::load() {
        Ok(emulator) => emulator,
        Err(error) => {
            // Said once, whoever works.
            if workers::claims(report.claims(), TIER, "skipped") {
                report.skip(TIER, 1, &format!("{error:#}"));
            }
            return;
        }
    };
    emulator.end_of_page(true);
    emulator.quiet(true);
    // What a mutant computes may make the interpreter of the plan panic.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let drivers = DRIVERS
        .iter()
        .filter(|driver| PROGRAMS.contains(&driver.program));
    let subjects: Vec<Subject> = drivers.map(subject).collect();
    // Rows are long early, as there is little data.
    let prelude = PRELUDE.replace("length > 64 * width", "length > 2 * width");
    for (rule, (find, _)) in MUTATIONS.iter().enumerate() {
        if workers::claims(report.claims(), TIER, &format!("rule-{rule}")) {
            let mut texts = subjects.iter().map(|subject| &subject.own);
            if !prelude.contains(find) && !texts.any(|text| text.contains(find)) {
                report.case(TIER, find, || {
                    Err("no text has this any more: the rule is out of date".to_owned())
                });
            }
        }
    }
    // The prelude's places are the same in every file: some program must miss each.
    let whole = Prelude::parse(&prelude);
    for mutant in &mutants(&prelude) {
        let name = describe(&prelude, mutant);
        if workers::claims(report.claims(), TIER, &format!("prelude-{}", key(mutant))) {
            report.case(TIER, &name, || {
                let mutated = without(&prelude, mutant);
                let mutated = Prelude::parse(&mutated);
                let mut tried = 0;
                for subject in &subjects {
                    let needed = mutated.needed(&subject.own);
                    if needed != whole.needed(&subject.own) {
                        tried += 1;
                        if missed(emulator, subject, &format!("{needed}{}", subject.own))? {
                            return Ok(());
                        }
                    }
                }
                Err(format!("no test of {tried} programs misses it"))
            });
        }
    }
    for subject in &subjects {
        let own = &subject.own;
        for mutant in mutants(own) {
            let name = format!("{}: {}", subject.compiled.name, describe(own, &mutant));
            let claim = format!("{}-{}", subject.compiled.name, key(&mutant));
            if workers::claims(report.claims(), TIER, &claim) {
                report.case(TIER, &name, || {
                    let own = without(own, &mutant);
                    match missed(emulator, subject, &format!("{}{own}", whole.needed(&own)))? {
                        true => Ok(()),
                        false => Err("no test misses it".to_owned()),
                    }
                });
            }
        }
    }
    std::panic::set_hook(hook);
    emulator.end_of_page(false);
    emulator.quiet(false);
}

fn subject(driver: &Driver) -> Subject {
    // Little data has several tiles.
    let options = Options {
        tiles: Tiling::Small,
        ..Options::default()
    };
    let compiled = corpus::compile(driver, &options).expect("the corpus compiles");
    let mut questions = questions(driver, &compiled);
    questions.retain(|question| (1..MOST_ELEMENTS).contains(&question.elements));
    questions.retain(|question| !wide(&compiled, [question]));
    Subject {
        own: Kept::Narrow.text(&compiled, compiled.cuda.own()),
        compiled,
        questions,
    }
}

fn mutants(text: &str) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for (rule, (find, _)) in MUTATIONS.iter().enumerate() {
        let places = 0..text.matches(find).count();
        mutants.extend(places.map(|place| Mutant { rule, place }));
    }
    mutants
}

fn key(mutant: &Mutant) -> String {
    format!("{}-{}", mutant.rule, mutant.place)
}

fn position(text: &str, mutant: &Mutant) -> usize {
    let (find, _) = MUTATIONS[mutant.rule];
    text.match_indices(find)
        .nth(mutant.place)
        .map_or(0, |(at, _)| at)
}

/// The line and its number.
fn describe(text: &str, mutant: &Mutant) -> String {
    let at = position(text, mutant);
    let line = text[..at].matches('\n').count();
    let written = text.lines().nth(line).unwrap_or_default().trim();
    let (find, _) = MUTATIONS[mutant.rule];
    format!("line {}, `{find}` in `{written}`", line + 1)
}

/// The text without what the mutant takes out.
fn without(text: &str, mutant: &Mutant) -> String {
    let (find, replacement) = MUTATIONS[mutant.rule];
    let (before, after) = text.split_at(position(text, mutant));
    format!("{before}{replacement}{}", &after[find.len()..])
}

/// Whether a run of the mutated text goes wrong.
fn missed(emulator: &Emulator, subject: &Subject, text: &str) -> Result<bool, String> {
    let Subject {
        compiled,
        questions,
        ..
    } = subject;
    let loaded = Loaded::with_text(emulator, compiled, text, Kept::Narrow)?;
    for seed in 0..RUNS {
        let question = &questions[seed as usize % questions.len()];
        emulator.seed(seed);
        emulator.residency([8, 1, 64, 2, 16][seed as usize % 5]);
        let right = catch_unwind(AssertUnwindSafe(|| {
            loaded
                .run(&question.scalars, &question.arrays, seed)
                .and_then(|result| agree(&outcome(compiled, result), question, ""))
        }));
        if !matches!(right, Ok(Ok(()))) {
            return Ok(true);
        }
    }
    Ok(false)
}
