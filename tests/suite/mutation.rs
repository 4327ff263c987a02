//! Whether anything is there for nothing: each barrier and each guard of the prelude and of generated code is taken out, one
//! at a time, and the emulated device must give another result, or report a stray access, for some size and schedule.
//!
//! Fences are exempt: execution is sequentially consistent here (`races` takes them out). Conditions that only save work (`is
//! this the first thread?` before a store that all would make alike) are no guards and are left in peace. So is `stores` of
//! the column teams: lanes beyond the last row repeat it, and would store its value again. Not taken out: `__syncwarp()`
//! without a mask, which orders the memory of lanes that other warp operations keep together, as the emulated device always
//! does.

use crate::entries::{Loaded, narrow, wide};
use crate::programs::DRIVERS;
use crate::questions::{Question, agree, outcome, questions};
use crate::report::Report;
use crate::workers;
use accelerate_compiler::codegen::cuda::PRELUDE;
use accelerate_compiler::fuse::Tiling;
use accelerate_compiler::{Compiled, Options};
use emulator::Emulator;
use harness::corpus::{self, Driver};
use std::panic::{AssertUnwindSafe, catch_unwind};

const TIER: &str = "mutation";

/// Programs that together have every skeleton and every regime, folds in stride and in order, reads that are checked.
const PROGRAMS: [&str; 24] = [
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
    "segments_shifted",
    "filter",
    "blur",
    "stencil_gauss",
    "stencil_cube",
];

/// Runs of a mutant, each of another question, entry, grid and schedule, before it is given up.
const RUNS: u64 = 400;
const MOST_ELEMENTS: u64 = 3000;

/// What is taken out, and what stands there then.
const MUTATIONS: [(&str, &str); 68] = [
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
    ("minimum(begin + run, parts)", "begin + run"),
    ("chunk < present", "chunk < warps_of_block()"),
    ("if (blockIdx.y > 0) return;", ""),
    // What has been published, and by whom.
    ("seen >> 32 == 0", "false"),
    ("k == 0 ? carry : tile[k - 1]", "tile[k]"),
    ("while (seen == 0) {", "while (false) {"),
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
    ("if (x_9 ? true : false) {", "if (true) {"),
    ("if (place < count) arrive(", "arrive("),
    // The ends of rows.
    ("if (from < end)", "if (true)"),
    ("k < end && ", ""),
    ("minimum<Index>(extent, begin + length)", "begin + length"),
    ("first + (ahead - 1) * step < end", "first < end"),
    ("for (; first < end;", "for (; first <= end;"),
    // Rows of a group of 32 columns.
    (
        "minimum<u32>(32 * columns + lane_of_warp(), row_count - 1)",
        "u32(32 * columns + lane_of_warp())",
    ),
    // Elements and rows.
    ("; row < row_count;", "; row <= row_count;"),
    ("; i < n;", "; i <= n;"),
    ("; j < n_2;", "; j <= n_2;"),
    ("% 4 == 0) {", "% 4 < 4) {"),
    // Tiles.
    ("l < end && a < stop ? one(l, a) : T()", "one(l, a)"),
    ("line + (along ? 1 : width) <= end && ", ""),
    ("start + depth <= end", "true"),
    ("turn ^= 1;", ""),
    ("row < row_end && column < column_end", "true"),
    // Tiles of neighbours: far enough from the edges, or else not beyond them.
    ("first_i >= 4 && ", ""),
    ("first_i + 12 <= Index(height) && ", ""),
    ("first_j >= 4 && ", ""),
    (" && first_j + 12 <= Index(width)", ""),
    ("i < Index(height) && ", ""),
    (" && j < Index(width)) element", ") element"),
    ("if (plane >= 2) {", "if (true) {"),
    // Arrays of a row.
    ("b = first;", "b = a;"),
    ("; k < 32;", "; k <= 32;"),
    // Rows that are left to the whole block.
    ("return is_long != longs;", "return is_long;"),
    ("*(volatile u32*)team.left = 1;", ""),
    // Rows on a path, and some that lie on none.
    ("row < high && ends(row) < step", "ends(row) < step"),
    ("if (of.to - of.from >= team.least) finish", "finish"),
    ("proper && span(row).within", "proper"),
    ("if (!proper) tell(counters);", ""),
    ("if (row >= rows) return own;", ""),
    ("if (row >= rows) return;", ""),
    (
        "of.within && of.from + row <= at && at < of.to + row && ",
        "",
    ),
    // What is kept.
    ("if (0 < x_2) {", "if (true) {"),
    // Checks of reads.
    ("x_4 ? xs[i_2] : 0", "xs[i_2]"),
    ("if (!x_4) report", "if (false) report"),
];

/// A compiled program with what it is asked.
struct Subject {
    compiled: Compiled,
    /// Its CUDA C, without entries of wide indices.
    text: String,
    questions: Vec<Question>,
}

/// One thing taken out of a text: the rule, and which of its places (counted from the start of the file).
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
    for (rule, (find, _)) in MUTATIONS.iter().enumerate() {
        if workers::claims(report.claims(), TIER, &format!("rule-{rule}")) {
            let found = PRELUDE.contains(find)
                || subjects.iter().any(|subject| subject.text.contains(find));
            if !found {
                report.case(TIER, find, || {
                    Err("no text has this any more: the rule is out of date".to_owned())
                });
            }
        }
    }
    // The prelude's places are the same in every file: some program must miss each.
    let in_prelude = mutants(PRELUDE, 0);
    for mutant in &in_prelude {
        let name = describe(PRELUDE, mutant);
        if workers::claims(report.claims(), TIER, &format!("prelude-{}", key(mutant))) {
            report.case(TIER, &name, || {
                let uses =
                    |subject: &&Subject| uses(PRELUDE, mutant, &subject.text[PRELUDE.len()..]);
                let mut tried = 0;
                for subject in subjects.iter().filter(uses) {
                    tried += 1;
                    if missed(emulator, subject, mutant)? {
                        return Ok(());
                    }
                }
                Err(format!("no test of {tried} programs misses it"))
            });
        }
    }
    for subject in &subjects {
        let text = &subject.text;
        for mutant in mutants(text, PRELUDE.len()) {
            let name = format!("{}: {}", subject.compiled.name, describe(text, &mutant));
            let claim = format!("{}-{}", subject.compiled.name, key(&mutant));
            if workers::claims(report.claims(), TIER, &claim) {
                report.case(TIER, &name, || match missed(emulator, subject, &mutant)? {
                    true => Ok(()),
                    false => Err("no test misses it".to_owned()),
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
    let mut options = Options::default();
    options.fuse.tiles = Tiling::Small;
    let compiled = corpus::compile(driver, &options).expect("the corpus compiles");
    let mut questions = questions(driver, &compiled);
    questions.retain(|question| (1..MOST_ELEMENTS).contains(&question.elements));
    questions.retain(|question| !wide(&compiled, [question]));
    // And long rows.
    let text = narrow(&compiled, &compiled.cuda.source);
    Subject {
        text: text.replace("length > 64 * width", "length > 2 * width"),
        compiled,
        questions,
    }
}

fn mutants(text: &str, from: usize) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for (rule, (find, _)) in MUTATIONS.iter().enumerate() {
        for (place, (at, _)) in text.match_indices(find).enumerate() {
            if at >= from {
                mutants.push(Mutant { rule, place });
            }
        }
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

/// Whether a program's own text uses the part of the prelude in which a mutant stands.
fn uses(prelude: &str, mutant: &Mutant, own: &str) -> bool {
    const PARTS: [(&str, &str); 13] = [
        ("void read_ahead(", "read_ahead<"),
        ("State fold_lanes(u32", "fold_lanes("),
        ("struct warp_team", "warp_team<"),
        ("struct block_team", "block_team "),
        ("struct grid_team", "grid_team "),
        ("struct columns_team", "columns_team "),
        ("struct columns_grid_team", "columns_grid_team "),
        ("auto fold_in_order(", "fold_in_order"),
        ("State shuffle_up(", "scan_row<"),
        ("void update_word(", "update("),
        ("void update_part(", "update("),
        ("struct RangeOfTargets", "range_of_targets("),
        ("void clear_table(", "clear_table<"),
    ];
    let before = &prelude[..position(prelude, mutant)];
    let part = PARTS
        .iter()
        .filter_map(|(opens, used)| Some((before.rfind(opens)?, used)))
        .max();
    part.is_none_or(|(_, used)| own.contains(used))
}

/// Whether a run without what the mutant takes out goes wrong.
fn missed(emulator: &Emulator, subject: &Subject, mutant: &Mutant) -> Result<bool, String> {
    let Subject {
        compiled,
        text: source,
        questions,
    } = subject;
    let (find, replacement) = MUTATIONS[mutant.rule];
    let at = position(source, mutant);
    let text = format!(
        "{}{replacement}{}",
        &source[..at],
        &source[at + find.len()..]
    );
    let loaded = Loaded::with_text(emulator, compiled, &text, true)?;
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
