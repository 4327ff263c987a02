//! How much the plans of programs at random compute, against strict evaluation (`crate::work`).

use super::{Fuzzed, compiled, header};
use crate::report::Report;
use crate::work;
use accelerate_compiler::Options;

/// Sizes go up to this, and the product of all of a program's to this.
const LARGEST: u64 = 64;
const VOLUME: f64 = 4096.0;

/// The plans that do too much.
#[derive(Default)]
pub(super) struct Worst {
    number: usize,
    /// The largest ratio, and the program.
    ratio: f64,
    text: String,
}

impl Worst {
    /// Measures a program; what is wrong, if it does too much.
    pub(super) fn measure(&mut self, fuzzed: &Fuzzed, seed: u64) -> Option<String> {
        let compiled = compiled(fuzzed, &Options::default()).ok()?;
        let size = VOLUME.powf(1.0 / fuzzed.power as f64) as u64;
        let (ratio, problem) = work::doubled(&compiled, &header(fuzzed), size.min(LARGEST));
        let problem = problem?;
        self.number += 1;
        if ratio >= self.ratio {
            self.ratio = ratio;
            self.text = format!("seed {seed:#x}, {problem}\n{}", fuzzed.text);
        }
        Some(problem)
    }

    /// Counts them, and shows the worst.
    pub(super) fn tell(&self, report: &mut Report, tier: &str) {
        report.count(tier, "plans that do too much", self.number);
        if self.number > 0 {
            eprintln!("the plan that does most: {}", self.text);
        }
    }
}
