//! What the stages of every program are, under review: its plan as text. The CUDA C and the Rust of the programs in [`WRITTEN`] are
//! text, too, in which all that the two can write is seen once. Of everything else there is a hash in one file, so that a change
//! is named; the compiler's example `stages` prints what has changed.
//!
//! `INSTA_UPDATE=always` accepts all of it.

use crate::entries::digest;
use crate::programs::DRIVERS;
use crate::report::Report;
use crate::stages::{self, Stages};
use harness::corpus::{self, Driver};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The programs whose CUDA C and Rust are kept as text, and what is to be seen in them.
const WRITTEN: [(&str, &str); 47] = [
    ("saxpy", "independent elements"),
    ("casts", "casts between all types"),
    ("bits", "bit operations of the device and of lanes"),
    (
        "saturating",
        "arithmetic that wraps, saturates and overflows",
    ),
    ("wide_products", "the high half of a product"),
    ("float_methods", "methods of floats"),
    ("half_arithmetic", "floats of 16 bits"),
    ("brain_arithmetic", "those that are halves of `f32`"),
    (
        "math_functions",
        "functions that the device and lanes have of their own",
    ),
    ("math_double", "functions by name"),
    ("math_more", "the other functions of `f32`"),
    ("math_more_double", "the other functions by name"),
    ("fast_math", "products and sums as one instruction"),
    ("names_unicode", "names that neither language takes"),
    ("struct_parameter", "what the host makes of structs"),
    ("branch_arrays", "a branch of the host"),
    ("heat", "a loop of the host whose buffers change places"),
    ("rmse", "a row by a warp, a block, the whole grid"),
    ("softmax", "what a row keeps in registers"),
    ("stored_and_folded", "elements stored where a fold goes by"),
    ("sum_columns", "rows that run down columns"),
    ("fast_forces", "all pairs"),
    ("product_layer", "tiles of rows and columns"),
    ("products_least", "products of a block of rows"),
    ("products_loss", "the same of a fold's rows"),
    ("product_nearest", "a fold in order over tiles"),
    ("segmented_smvm", "segments in equal shares"),
    (
        "segments_offsets",
        "segments by offsets, a first launch and a second",
    ),
    ("repeat_each", "elements of one segment after the other"),
    ("scan_fused", "a scan by a block, and by tiles in order"),
    ("scan_then_fold", "a scan by a thread and by a warp"),
    ("scan_segmented", "a scan that starts anew"),
    ("filter_fused", "a count of what is kept, and where it goes"),
    ("concat_axis", "several domains in one kernel"),
    ("interleave_rows", "elements stored in turn"),
    ("transpose_pairs", "tiles that are read along another axis"),
    ("blur_mapped", "tiles with neighbours"),
    ("rows_failing", "stages of a row in a block"),
    ("histogram", "tables in blocks"),
    ("scatter_by_flags", "elements combined one by one"),
    ("scatter_in_place", "one operator a leaf"),
    ("scatter_smallest", "the smallest integers of targets"),
    (
        "scatter_in_loop",
        "an operator of bits, in a loop of the host",
    ),
    ("scatter_first", "elements combined under locks"),
    ("scatter_unique_checked", "targets that may be met once"),
    ("sort_by_key", "a sort by digits"),
    ("sort_by_structs", "a sort by a comparison"),
];

const TIER: &str = "snapshots";
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../snapshots");
const HASHES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../snapshots/hashes.txt");
/// The stages of which there are hashes.
const HASHED: [&str; 4] = ["lowered", "ir", "cuda", "rust"];
/// In the place of a hash: the stage is kept as text.
const TEXT: &str = "text";

/// Compares all stages with what is recorded of them.
pub(crate) fn run(report: &mut Report) {
    if !report.wants(TIER) {
        return;
    }
    let mut hashes = Hashes::read(&fs::read_to_string(HASHES).unwrap_or_default());
    for driver in DRIVERS.iter() {
        if report.selects(driver.program) {
            report.case(TIER, driver.program, || check(driver, &mut hashes));
        }
    }
    if report.selects("") {
        report.case(TIER, "what is written is seen", all_is_seen);
        report.case(TIER, "nothing is left over", || hashes.left_over());
    }
    if accepts() {
        report.case(TIER, "hashes", || hashes.write());
    }
}

/// Whether what has changed is to be recorded.
fn accepts() -> bool {
    std::env::var("INSTA_UPDATE").is_ok_and(|update| ["always", "force"].contains(&&*update))
}

fn is_written(program: &str) -> bool {
    WRITTEN.iter().any(|(written, _)| *written == program)
}

fn check(driver: &Driver, hashes: &mut Hashes) -> Result<(), String> {
    let program = driver.program;
    let stages = stages::of(driver)?;
    let mut texts = vec![("plan", stages.plan.clone())];
    if is_written(program) {
        texts.push(("cuda", stages.cuda.clone()));
        texts.push(("rust", corpus::formatted(&stages.rust)));
    }
    let mut wrong = Vec::new();
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(FOLDER);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for (stage, text) in texts {
            let name = format!("{program}.{stage}");
            let compare = AssertUnwindSafe(|| insta::assert_snapshot!(name, text));
            if catch_unwind(compare).is_err() {
                wrong.push(format!("`{stage}` is not what its snapshot says"));
            }
        }
    });
    wrong.extend(hashes.compare(program, stages));
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(wrong.join("; ")),
    }
}

/// The recorded hashes, by program.
struct Hashes(BTreeMap<String, [String; HASHED.len()]>);

impl Hashes {
    /// Of the text of the file: a line a program.
    fn read(text: &str) -> Hashes {
        let of_line = |line: &str| {
            let mut fields = line.split_whitespace().map(str::to_owned);
            let program = fields.next()?;
            let hashes: Vec<String> = fields.collect();
            Some((program, hashes.try_into().ok()?))
        };
        Hashes(text.lines().skip(1).filter_map(of_line).collect())
    }

    /// What of a program is not as recorded; or records it, if that is to be accepted.
    fn compare(&mut self, program: &str, stages: &Stages) -> Option<String> {
        let texts = [&stages.lowered, &stages.ir, &stages.cuda, &stages.rust];
        let mut found = texts.map(|text| format!("{:016x}", digest(text)));
        if is_written(program) {
            found[2..].fill(TEXT.to_owned());
        }
        if accepts() {
            self.0.insert(program.to_owned(), found);
            return None;
        }
        let recorded = self.0.get(program);
        let changed = (0..HASHED.len()).filter(|&k| recorded.is_none_or(|all| all[k] != found[k]));
        let changed: Vec<&str> = changed.map(|k| HASHED[k]).collect();
        changed.first()?;
        let named: Vec<String> = changed.iter().map(|stage| format!("`{stage}`")).collect();
        let subject = match &named[..] {
            [one] => format!("{one} is"),
            all => format!("{} are", all.join(", ")),
        };
        Some(format!(
            "{subject} not as `tests/snapshots/hashes.txt` says; help: `cargo xtask changes {program}` shows how the texts differ \
            from those of the last commit"
        ))
    }

    /// Snapshots and hashes that no program has; or removes them, if that is to be accepted.
    fn left_over(&mut self) -> Result<(), String> {
        let programs: BTreeSet<&str> = DRIVERS.iter().map(|driver| driver.program).collect();
        let mut owned: BTreeSet<String> =
            ["hashes.txt", "resources.snap"].map(str::to_owned).into();
        for program in &programs {
            owned.insert(format!("{program}.plan.snap"));
            if is_written(program) {
                owned.extend(["cuda", "rust"].map(|stage| format!("{program}.{stage}.snap")));
            }
        }
        let mut left = Vec::new();
        for entry in fs::read_dir(FOLDER).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if owned.contains(&name) || name.ends_with(".new") {
                continue;
            }
            match accepts() {
                true => fs::remove_file(entry.path()).map_err(|error| error.to_string())?,
                false => left.push(name),
            }
        }
        let stray = |program: &&String| !programs.contains(program.as_str());
        let strays: Vec<String> = self.0.keys().filter(stray).cloned().collect();
        match accepts() {
            true => self
                .0
                .retain(|program, _| programs.contains(program.as_str())),
            false => left.extend(strays),
        }
        match left.first() {
            None => Ok(()),
            Some(one) => Err(format!("{} are of no program: `{one}`, ..", left.len())),
        }
    }

    fn write(&self) -> Result<(), String> {
        let mut text = format!("program {}\n", HASHED.join(" "));
        for (program, hashes) in &self.0 {
            let _ = writeln!(text, "{program} {}", hashes.join(" "));
        }
        fs::write(HASHES, text).map_err(|error| format!("{HASHES}: {error}"))
    }
}

/// All that any program has CUDA C and Rust show is in a text that is kept.
fn all_is_seen() -> Result<(), String> {
    let mut seen = BTreeSet::new();
    for (program, _) in WRITTEN {
        let driver = DRIVERS.iter().find(|driver| driver.program == program);
        let driver = driver.ok_or_else(|| format!("there is no program `{program}`"))?;
        seen.extend(&stages::of(driver)?.shows);
    }
    let mut unseen = BTreeMap::new();
    for driver in DRIVERS.iter() {
        let shows = stages::of(driver)?.shows.iter();
        for what in shows.filter(|what| !seen.contains(what)) {
            unseen.entry(what).or_insert(driver.program);
        }
    }
    let lines = unseen
        .iter()
        .map(|(what, program)| format!("{what}, as of `{program}`"));
    match unseen.is_empty() {
        true => Ok(()),
        false => Err(format!(
            "no text that is kept shows: {}; help: add a program to `WRITTEN`",
            lines.collect::<Vec<_>>().join("; ")
        )),
    }
}
