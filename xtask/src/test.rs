//! `cargo xtask test`: formatting, lints, documentation, every suite. Ends with the tiers that ran and a line of totals; what
//! was skipped is never counted as passed.

use crate::command::{Built, cargo, run_build, text, watch};
use crate::{cuda, examples, sass};
use anyhow::{Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Instant;

/// Passed, failed, skipped.
#[derive(Clone, Copy, Default)]
struct Counts([usize; 3]);

impl Counts {
    fn add(&mut self, other: Counts) {
        for (total, more) in self.0.iter_mut().zip(other.0) {
            *total += more;
        }
    }

    fn text(self) -> String {
        let [passed, failed, skipped] = self.0;
        format!("{passed} passed, {failed} failed, {skipped} skipped")
    }
}

/// Runs everything, and fails at the end if anything did. `--quick` leaves out lints and documentation.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let quick = arguments.iter().any(|argument| argument == "--quick");
    let filter = arguments.iter().position(|argument| argument == "--filter");
    let filter = filter.and_then(|at| arguments.get(at + 1));
    let begin = Instant::now();
    cuda::find_or_fetch()?;
    let mut report = Report::default();
    let mut builder = Builder::Compiler;
    let build = ["test", "--workspace", "--no-run", "--quiet"];
    let build_units = [&UNITS[..], &["--no-run", "--quiet"]].concat();
    if !quick {
        report.check("formatting", &mut cargo(&["fmt", "--all", "--check"]))?;
        if report.check("lints", &mut Builder::Lints.cargo(&build))?
            && report.check("lints of units", &mut Builder::Lints.cargo(&build_units))?
        {
            builder = Builder::Lints;
        }
    }
    if builder == Builder::Compiler && !report.check("build", &mut builder.cargo(&build))? {
        return report.finish(begin);
    }
    let tests = |arguments: &[&str]| {
        let mut tests = builder.cargo(arguments);
        tests.arg("--no-fail-fast");
        if let Some(filter) = filter {
            tests.args(["--", filter]);
        }
        tests
    };
    // The corpus' suite has work for every core, most of the others for one: beside each other they leave none idle.
    let mut corpus = tests(&["test", "--workspace", "--test", "suite"]);
    let mut others = tests(&["test", "--workspace", "--exclude", "accelerate-rs-suite"]);
    let mut units = tests(&UNITS);
    let corpus = thread::spawn(move || {
        let mut lines = Vec::new();
        Tests::run(&mut corpus, |line| lines.push(line.to_owned())).map(|tests| (tests, lines))
    });
    if !quick {
        let mut documentation = builder.cargo(&["doc", "--no-deps", "--quiet"]);
        for package in READ {
            documentation.args(["--package", package]);
        }
        report.check(
            "documentation",
            documentation.env("RUSTDOCFLAGS", "--deny warnings"),
        )?;
    }
    let others = Tests::run(&mut others, |line| println!("{line}"))?;
    let units = Tests::run(&mut units, |line| println!("{line}"))?;
    let (corpus, lines) = corpus.join().expect("it panics nowhere")?;
    lines.iter().for_each(|line| println!("{line}"));
    report.tests("unit and integration tests", others);
    report.tests("the compiler's unit tests", units);
    report.tests("the corpus", corpus);
    if filter.is_none() {
        // The same command again: it builds nothing, and tells what is there.
        let built = run_build(builder.cargo(&build))?;
        report.examples(&built);
        report.budgets(&built);
    }
    report.finish(begin)
}

/// The compiler's unit tests: see its manifest.
const UNITS: [&str; 6] = [
    "test",
    "--package",
    "accelerate-rs-compiler",
    "--lib",
    "--config",
    "profile.dev.package.accelerate-rs-compiler.opt-level = 0",
];

/// The packages whose documentation others read. That of all would have every dependency of every test checked first.
const READ: [&str; 4] = [
    "accelerate-rs",
    "accelerate-rs-build",
    "accelerate-rs-compiler",
    "accelerate-rs-macros",
];

/// What cargo compiles the workspace with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Builder {
    Compiler,
    /// The compiler with clippy's lints, warnings being errors. Its output is that of the compiler, so what passes need
    /// not be built a second time, as it would be after `cargo clippy`.
    Lints,
}

impl Builder {
    fn cargo(self, arguments: &[&str]) -> Command {
        let mut cargo = cargo(arguments);
        // Optimising a crate's own parts together once more takes as long as all the rest. As the profile's `lto = "off"`
        // says for builds by hand; but that would hold for no crate that only runs in builds, so that documentation
        // would build the compiler a second time, and crates outside of the workspace all that they use.
        cargo.env("CARGO_PROFILE_DEV_LTO", "false");
        let flags = std::env::var("RUSTFLAGS").unwrap_or_default();
        cargo.env("RUSTFLAGS", format!("{flags} -C lto=off"));
        if let Builder::Lints = self {
            cargo.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver");
            cargo.env("CLIPPY_ARGS", DENY_WARNINGS);
        }
        if !incremental_before() {
            cargo.env("CARGO_INCREMENTAL", "0");
        }
        cargo
    }
}

/// As `cargo clippy -- --deny warnings` says it to the driver.
const DENY_WARNINGS: &str = "--deny__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__";

/// Whether the compiler has been built so that it can be built upon. A first build takes longer if it prepares for that.
fn incremental_before() -> bool {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or("target".into(), PathBuf::from);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(target);
    let entries = std::fs::read_dir(folder.join("debug/incremental"));
    let mut entries = entries.into_iter().flatten().flatten();
    entries.any(|entry| {
        entry
            .file_name()
            .to_string_lossy()
            .starts_with("accelerate_compiler-")
    })
}

#[derive(Default)]
struct Report {
    total: Counts,
    /// Lines of the end: checks, and the tiers of the suite with their reasons.
    lines: Vec<String>,
}

impl Report {
    /// One command that passes or fails as a whole; which of both.
    fn check(&mut self, name: &str, command: &mut Command) -> Result<bool> {
        let begin = Instant::now();
        let passed = watch(command, |line| println!("{line}"))?;
        let counts = if passed {
            Counts([1, 0, 0])
        } else {
            Counts([0, 1, 0])
        };
        let line = format!("{name}: {}; {}", counts.text(), seconds(begin));
        self.lines.push(line);
        self.total.add(counts);
        Ok(passed)
    }

    /// What kernels cost in machine code. It takes tools that the build can do without.
    fn budgets(&mut self, built: &Built) {
        let begin = Instant::now();
        let (counts, reason) = match sass::check(built) {
            Ok(()) => ([1, 0, 0], None),
            Err(sass::Unchecked::NoTools(error)) => ([0, 0, 1], Some(error)),
            Err(sass::Unchecked::Broken(error)) => ([0, 1, 0], Some(error)),
        };
        let counts = Counts(counts);
        let reason = reason.map_or(String::new(), |error| format!(" ({error:#})"));
        let line = format!("sass: {}{reason}; {}", counts.text(), seconds(begin));
        self.lines.push(line);
        self.total.add(counts);
    }

    /// The programs of `examples/` at small sizes.
    fn examples(&mut self, built: &Built) {
        let begin = Instant::now();
        let (counts, reason) = match examples::check(built, None) {
            Ok(checked) => (
                [checked.passed, checked.failed, checked.skipped],
                checked.reason,
            ),
            Err(error) => ([0, 1, 0], Some(format!("{error:#}"))),
        };
        let counts = Counts(counts);
        let reason = reason.map_or(String::new(), |reason| format!(" ({reason})"));
        let line = format!("examples: {}{reason}; {}", counts.text(), seconds(begin));
        self.lines.push(line);
        self.total.add(counts);
    }

    fn tests(&mut self, name: &str, tests: Tests) {
        if tests.counts.0 != [0; 3] {
            let (counts, took) = (tests.counts.text(), &tests.took);
            self.lines.push(format!("{name}: {counts}; {took}"));
            self.total.add(tests.counts);
        }
        let mut failed = tests.counts.0[1];
        for (tier, counts) in tests.tiers {
            failed += counts.0[1];
            self.lines.push(tier);
            self.total.add(counts);
        }
        if !tests.passed && failed == 0 {
            self.lines.push(format!("`{}` failed", tests.command));
            self.total.0[1] += 1;
        }
    }

    fn finish(self, begin: Instant) -> Result<()> {
        println!();
        for line in &self.lines {
            println!("{line}");
        }
        println!("{}; {}", self.total.text(), seconds(begin));
        if self.total.0[1] > 0 {
            bail!("{} failed", self.total.0[1]);
        }
        Ok(())
    }
}

/// What the tests that one command runs have told.
struct Tests {
    command: String,
    passed: bool,
    counts: Counts,
    took: String,
    /// Lines, and what they count.
    tiers: Vec<(String, Counts)>,
}

impl Tests {
    /// Runs them: totals from `test result: ...`, tiers from `tier ...`, both as printed at the end of each binary. Every
    /// line goes to `each`, too.
    fn run(command: &mut Command, mut each: impl FnMut(&str)) -> Result<Tests> {
        let (mut counts, begin) = (Counts::default(), Instant::now());
        let mut tiers = Vec::new();
        let passed = watch(command, |line| {
            each(line);
            if line.starts_with("test result: ") {
                counts.add(counts_of(line, ["passed", "failed", "ignored"]));
            } else if let Some(tier) = line.strip_prefix("tier ") {
                let counts = counts_of(line, ["passed", "failed", "skipped"]);
                tiers.push((tier.to_owned(), counts));
            }
        })?;
        Ok(Tests {
            command: text(command),
            passed,
            counts,
            took: seconds(begin),
            tiers,
        })
    }
}

/// How long ago something began; of what runs beside other things, the time of both.
fn seconds(begin: Instant) -> String {
    format!("{:.0} s", begin.elapsed().as_secs_f64())
}

/// The numbers before three words of a line.
fn counts_of(line: &str, words: [&str; 3]) -> Counts {
    let tokens: Vec<&str> = line
        .split([' ', ';', ','])
        .filter(|token| !token.is_empty())
        .collect();
    Counts(words.map(|word| {
        let at = tokens.iter().position(|token| *token == word).unwrap_or(0);
        at.checked_sub(1)
            .and_then(|before| tokens[before].parse().ok())
            .unwrap_or(0)
    }))
}

#[cfg(test)]
mod tests {
    use super::counts_of;

    #[test]
    fn counts_are_read_from_both_kinds_of_lines() {
        let line = "test result: FAILED. 12 passed; 3 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.45s";
        assert_eq!(
            counts_of(line, ["passed", "failed", "ignored"]).0,
            [12, 3, 1]
        );
        let line = "tier nvcc+ptxas: 0 passed, 0 failed, 70 skipped (no nvcc)";
        assert_eq!(
            counts_of(line, ["passed", "failed", "skipped"]).0,
            [0, 0, 70]
        );
    }
}
