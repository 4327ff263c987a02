//! `cargo xtask test`: formatting, lints, documentation, every suite. Ends with the tiers that ran and a line of totals; what
//! was skipped is never counted as passed.

use crate::command::{cargo, text, watch};
use crate::cuda;
use anyhow::{Result, bail};
use std::process::Command;

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
    cuda::find_or_fetch()?;
    let mut report = Report::default();
    if !quick {
        report.check("formatting", &mut cargo(&["fmt", "--all", "--check"]))?;
        let lints = &[
            "clippy",
            "--workspace",
            "--all-targets",
            "--quiet",
            "--",
            "--deny",
            "warnings",
        ];
        report.check("lints", &mut cargo(lints))?;
        let mut documentation = cargo(&["doc", "--workspace", "--no-deps", "--quiet"]);
        report.check(
            "documentation",
            documentation.env("RUSTDOCFLAGS", "--deny warnings"),
        )?;
    }
    let mut tests = cargo(&["test", "--workspace", "--no-fail-fast"]);
    if let Some(filter) = filter {
        tests.args(["--", filter]);
    }
    report.tests(&mut tests)?;
    report.finish()
}

#[derive(Default)]
struct Report {
    total: Counts,
    /// Lines of the end: checks, and the tiers of the suite with their reasons.
    lines: Vec<String>,
}

impl Report {
    /// One command that passes or fails as a whole.
    fn check(&mut self, name: &str, command: &mut Command) -> Result<()> {
        let passed = watch(command, |line| println!("{line}"))?;
        let counts = if passed {
            Counts([1, 0, 0])
        } else {
            Counts([0, 1, 0])
        };
        self.lines.push(format!("{name}: {}", counts.text()));
        self.total.add(counts);
        Ok(())
    }

    /// The tests: totals from `test result: ...`, tiers from `tier ...`, both as printed at the end of each binary.
    fn tests(&mut self, command: &mut Command) -> Result<()> {
        let mut counts = Counts::default();
        let mut tiers = Vec::new();
        let passed = watch(command, |line| {
            println!("{line}");
            if line.starts_with("test result: ") {
                counts.add(counts_of(line, ["passed", "failed", "ignored"]));
            } else if let Some(tier) = line.strip_prefix("tier ") {
                tiers.push((
                    tier.to_owned(),
                    counts_of(line, ["passed", "failed", "skipped"]),
                ));
            }
        })?;
        self.lines
            .push(format!("unit and integration tests: {}", counts.text()));
        self.total.add(counts);
        for (tier, counts) in tiers {
            self.lines.push(tier);
            self.total.add(counts);
        }
        if !passed && self.total.0[1] == 0 {
            self.lines.push(format!("`{}` failed", text(command)));
            self.total.0[1] += 1;
        }
        Ok(())
    }

    fn finish(self) -> Result<()> {
        println!();
        for line in &self.lines {
            println!("{line}");
        }
        println!("{}", self.total.text());
        if self.total.0[1] > 0 {
            bail!("{} failed", self.total.0[1]);
        }
        Ok(())
    }
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
