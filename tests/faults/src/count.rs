//! Counting cases: `tier NAME: 3 passed, 0 failed, 1 skipped (reason)`, as `cargo xtask test` reads it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

/// The cases of one suite.
#[derive(Debug)]
pub struct Tier {
    name: &'static str,
    filter: Option<String>,
    passed: usize,
    failures: Vec<String>,
    skipped: usize,
    reason: String,
}

impl Tier {
    /// A suite of this name. The first argument of the process that is no option is a part of the names to run.
    pub fn new(name: &'static str) -> Tier {
        let mut arguments = std::env::args().skip(1);
        Tier {
            name,
            filter: arguments.find(|argument| !argument.starts_with('-')),
            passed: 0,
            failures: Vec::new(),
            skipped: 0,
            reason: String::new(),
        }
    }

    /// Runs one case.
    pub fn case(&mut self, name: &str, body: impl FnOnce() -> Result<(), String>) {
        if (self.filter.as_ref()).is_some_and(|filter| !name.contains(filter.as_str())) {
            return;
        }
        let outcome = catch_unwind(AssertUnwindSafe(body));
        let outcome = outcome.unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            Err(format!("panicked: {}", text.unwrap_or("(no text)")))
        });
        match outcome {
            Ok(()) => self.passed += 1,
            Err(problem) => {
                let failure = format!("{}: {name}: {problem}", self.name);
                eprintln!("FAILED {failure}");
                self.failures.push(failure);
            }
        }
    }

    /// Notes that cases were not run, and why.
    pub fn skip(&mut self, count: usize, reason: &str) {
        self.skipped += count;
        self.reason = reason.lines().next().unwrap_or_default().to_owned();
    }

    /// Prints the line of the suite.
    pub fn finish(self) -> ExitCode {
        for failure in &self.failures {
            println!("failure: {failure}");
        }
        let reason = match &*self.reason {
            "" => String::new(),
            reason => format!(" ({reason})"),
        };
        println!(
            "tier {}: {} passed, {} failed, {} skipped{reason}",
            self.name,
            self.passed,
            self.failures.len(),
            self.skipped
        );
        match self.failures.is_empty() {
            true => ExitCode::SUCCESS,
            false => ExitCode::FAILURE,
        }
    }
}
