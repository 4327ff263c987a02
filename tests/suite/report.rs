//! Counting: cases by tier, passed, failed or skipped, with the reasons.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The tiers, in the order in which they run and are printed.
pub(crate) const TIERS: [&str; 19] = [
    "tidy",
    "structure",
    "snapshots",
    "nvcc+ptxas",
    "work",
    "eval",
    "CPU",
    "CPU levels",
    "emulated kernels",
    "profile",
    "look-back",
    "ThreadSanitizer",
    "emulated CUDA",
    "mutation",
    "checks",
    "fuzz",
    "rehearsal",
    "real GPU",
    "litmus",
];

/// The number that follows an option.
fn number<T: std::str::FromStr>(argument: Option<String>) -> Option<T> {
    argument.and_then(|argument| argument.parse().ok())
}

#[derive(Default)]
struct Tier {
    passed: usize,
    failed: usize,
    skipped: usize,
    reason: String,
    /// What else was counted: runs, variants.
    counts: BTreeMap<String, usize>,
    took: Duration,
    /// The cases that took longest, longest first.
    slowest: Vec<(Duration, String)>,
}

/// How many cases a tier names that took longest.
const SLOWEST: usize = 3;
/// What took less is not named.
const WORTH_NAMING: Duration = Duration::from_secs(5);

impl Tier {
    fn took(&mut self, time: Duration, name: &str) {
        self.took += time;
        self.slow(time, name);
    }

    fn slow(&mut self, time: Duration, name: &str) {
        self.slowest.push((time, name.to_owned()));
        self.slowest.sort_by(|a, b| b.cmp(a));
        self.slowest.truncate(SLOWEST);
    }
}

/// What has been run so far.
pub(crate) struct Report {
    filter: Option<String>,
    tier: Option<String>,
    claims: Option<PathBuf>,
    /// The one program of this process.
    program: Option<String>,
    jobs: Option<usize>,
    limit: Option<Duration>,
    /// When nothing new is begun any more.
    deadline: Option<Instant>,
    tiers: [Tier; TIERS.len()],
    failures: Vec<String>,
}

impl Report {
    /// Reads the command line; options that other harnesses know are ignored.
    pub(crate) fn from_arguments(arguments: impl Iterator<Item = String>) -> Report {
        let mut report = Report {
            filter: None,
            tier: None,
            claims: None,
            program: None,
            jobs: None,
            limit: None,
            deadline: None,
            tiers: Default::default(),
            failures: Vec::new(),
        };
        let mut arguments = arguments.peekable();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--tier" => report.tier = arguments.next(),
                "--claims" => report.claims = arguments.next().map(PathBuf::from),
                "--program" => report.program = arguments.next(),
                "--jobs" => report.jobs = number(arguments.next()),
                "--limit" => {
                    report.limit = number(arguments.next()).map(Duration::from_secs);
                }
                "--seconds" => {
                    let seconds = number(arguments.next()).map(Duration::from_secs);
                    report.deadline = seconds.map(|seconds| Instant::now() + seconds);
                }
                _ if !argument.starts_with('-') => report.filter = Some(argument),
                _ => {}
            }
        }
        report
    }

    /// Whether a tier was asked for: by a part of its name, or by all of it.
    pub(crate) fn wants(&self, tier: &str) -> bool {
        self.tier.as_ref().is_none_or(|asked| {
            match TIERS.iter().find(|name| name.eq_ignore_ascii_case(asked)) {
                Some(name) => tier == *name,
                None => tier.to_lowercase().contains(&asked.to_lowercase()),
            }
        })
    }

    /// Whether one tier was asked for.
    pub(crate) fn is_one_tier(&self) -> bool {
        TIERS.iter().filter(|tier| self.wants(tier)).count() == 1
    }

    /// Whether a program was asked for.
    pub(crate) fn selects(&self, name: &str) -> bool {
        if let Some(program) = &self.program {
            return program == name;
        }
        self.filter
            .as_ref()
            .is_none_or(|filter| name.contains(filter.as_str()))
    }

    /// Whether this is work for several processes: tiers of the whole corpus that do not need the real GPU.
    pub(crate) fn is_much(&self) -> bool {
        let tiers = [
            "work",
            "eval",
            "CPU",
            "emulated kernels",
            "profile",
            "emulated CUDA",
            "mutation",
            "checks",
            "fuzz",
        ];
        self.filter.is_none() && tiers.iter().any(|tier| self.wants(tier))
    }

    /// Where workers claim programs; none in the process that was started first.
    pub(crate) fn claims(&self) -> Option<&Path> {
        self.claims.as_deref()
    }

    /// Whether this process is for one program, and tells another what came of it.
    pub(crate) fn is_for_one_program(&self) -> bool {
        self.program.is_some()
    }

    /// How many processes may run at the same time.
    pub(crate) fn jobs(&self) -> Option<usize> {
        self.jobs
    }

    /// How long the process of a program may run.
    pub(crate) fn limit(&self) -> Option<Duration> {
        self.limit
    }

    /// How long something may still be begun; none where nobody said.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        self.deadline
            .map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Whether something may still be begun.
    pub(crate) fn has_time(&self) -> bool {
        self.time_left().is_none_or(|left| !left.is_zero())
    }

    /// The arguments for a worker that is to do the same.
    pub(crate) fn arguments(&self) -> Vec<String> {
        let tier = self.tier.iter().flat_map(|tier| ["--tier", tier.as_str()]);
        tier.chain(self.filter.as_deref())
            .map(str::to_owned)
            .collect()
    }

    /// Runs one case of a tier.
    pub(crate) fn case(
        &mut self,
        tier: &str,
        name: &str,
        body: impl FnOnce() -> Result<(), String>,
    ) {
        let start = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(body));
        self.tier(tier).took(start.elapsed(), name);
        let outcome = outcome.unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            Err(format!("panicked: {}", text.unwrap_or("(no text)")))
        });
        match outcome {
            Ok(()) => self.tier(tier).passed += 1,
            Err(problem) => {
                self.tier(tier).failed += 1;
                self.failure(format!("{tier}: {name}: {problem}"));
            }
        }
    }

    /// Adds time that was spent outside of cases.
    pub(crate) fn spent(&mut self, tier: &str, name: &str, time: Duration) {
        self.tier(tier).took(time, name);
    }

    fn tells(&self) -> bool {
        self.claims.is_some() || self.program.is_some()
    }

    fn failure(&mut self, text: String) {
        if !self.tells() {
            eprintln!("FAILED {text}");
        }
        self.failures.push(text);
    }

    /// Notes that cases were not run, and why.
    pub(crate) fn skip(&mut self, tier: &str, count: usize, reason: &str) {
        let tier = self.tier(tier);
        tier.skipped += count;
        tier.reason = reason.lines().next().unwrap_or_default().to_owned();
    }

    /// Counts something within the cases of a tier.
    pub(crate) fn count(&mut self, tier: &str, what: &str, number: usize) {
        *self.tier(tier).counts.entry(what.to_owned()).or_default() += number;
    }

    fn tier(&mut self, name: &str) -> &mut Tier {
        let at = TIERS
            .iter()
            .position(|tier| *tier == name)
            .expect("a tier of the list");
        &mut self.tiers[at]
    }

    /// What a worker tells the process that started it: lines of fields, read by [`Report::hear`].
    fn tell(&self) {
        for (name, tier) in TIERS.iter().zip(&self.tiers) {
            let Tier {
                passed,
                failed,
                skipped,
                reason,
                counts,
                took,
                slowest,
            } = tier;
            let took = took.as_millis();
            println!("@tier\t{name}\t{passed}\t{failed}\t{skipped}\t{took}\t{reason}");
            for (took, what) in slowest {
                println!("@slow\t{name}\t{what}\t{}", took.as_millis());
            }
            for (what, count) in counts {
                println!("@count\t{name}\t{what}\t{count}");
            }
        }
        for failure in &self.failures {
            println!("@failure\t{}", failure.replace('\n', "\x0b"));
        }
    }

    /// Adds what a worker tells.
    pub(crate) fn hear(&mut self, line: &str) {
        let fields: Vec<&str> = line.split('\t').collect();
        let number = |text: &str| text.parse::<usize>().unwrap_or(0);
        match fields.as_slice() {
            ["@tier", name, passed, failed, skipped, took, reason] => {
                let tier = self.tier(name);
                tier.passed += number(passed);
                tier.failed += number(failed);
                tier.skipped += number(skipped);
                tier.took += Duration::from_millis(number(took) as u64);
                if !reason.is_empty() {
                    tier.reason = (*reason).to_owned();
                }
            }
            ["@slow", name, what, took] => {
                let took = Duration::from_millis(number(took) as u64);
                self.tier(name).slow(took, what);
            }
            ["@count", name, what, count] => self.count(name, what, number(count)),
            ["@failure", text @ ..] => {
                self.failure(text.join("\t").replace('\x0b', "\n"));
            }
            _ => {}
        }
    }

    /// Prints the failures again and a line per tier.
    pub(crate) fn finish(self) -> ExitCode {
        if self.tells() {
            self.tell();
            return ExitCode::SUCCESS;
        }
        if !self.failures.is_empty() {
            println!("\nfailures:");
            for failure in &self.failures {
                println!("  {failure}");
            }
        }
        println!();
        for (name, tier) in TIERS.iter().zip(&self.tiers) {
            let Tier {
                passed,
                failed,
                skipped,
                reason,
                counts,
                took,
                slowest,
            } = tier;
            if passed + failed + skipped == 0 {
                continue;
            }
            let mut line =
                format!("tier {name}: {passed} passed, {failed} failed, {skipped} skipped");
            if !reason.is_empty() {
                line += &format!(" ({reason})");
            }
            let counts = counts.iter().map(|(what, count)| format!("{count} {what}"));
            let more: Vec<String> = counts
                .chain([format!("{:.1} s", took.as_secs_f64())])
                .collect();
            line += &format!("; {}", more.join(", "));
            let slow = slowest
                .iter()
                .filter(|(took, _)| *took >= WORTH_NAMING)
                .map(|(took, name)| format!("{name} {:.1} s", took.as_secs_f64()));
            let slow: Vec<String> = slow.collect();
            if !slow.is_empty() {
                line += &format!(" (longest: {})", slow.join(", "));
            }
            println!("{line}");
        }
        if self.failures.is_empty() {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        }
    }
}
