//! Stages and their times.

use accelerate_compiler::package::{Crate, Package};
use accelerate_compiler::{Built, Observer, Options, Sources, compile_observed};
use proc_macro2::TokenStream;
use std::collections::BTreeMap;
use std::path::Path;

/// Seconds that this process has had a processor: the compiler works on threads of its own, one at a time.
#[cfg(unix)]
fn now() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Seconds of some clock.
#[cfg(not(unix))]
fn now() -> f64 {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START
        .get_or_init(std::time::Instant::now)
        .elapsed()
        .as_secs_f64()
}

/// Seconds by function and stage.
#[derive(Clone, Debug, Default)]
pub struct Times {
    /// Per function the stages and their times; what belongs to no function has the name `""`.
    pub functions: BTreeMap<String, BTreeMap<&'static str, f64>>,
}

impl Times {
    /// All of it.
    pub fn total(&self) -> f64 {
        self.functions.values().flat_map(BTreeMap::values).sum()
    }

    /// Adds to a stage.
    pub fn add(&mut self, function: &str, stage: &'static str, seconds: f64) {
        let stages = self.functions.entry(function.to_owned()).or_default();
        *stages.entry(stage).or_default() += seconds;
    }
}

/// Times what the compiler tells it of.
#[derive(Default)]
pub struct Stopwatch {
    open: Option<(String, &'static str, f64)>,
    /// What was measured.
    pub times: Times,
}

impl Observer for Stopwatch {
    fn begin(&mut self, function: Option<&str>, stage: &'static str) {
        self.end();
        let name = function.unwrap_or_default().to_owned();
        self.open = Some((name, stage, now()));
    }

    fn end(&mut self) {
        if let Some((function, stage, begun)) = self.open.take() {
            self.times.add(&function, stage, now() - begun);
        }
    }
}

/// Compiles a block, expansion included.
///
/// # Panics
/// If it has errors.
pub fn measure(source: &str) -> Times {
    let mut watch = Stopwatch::default();
    let tokens: TokenStream = source.parse().expect("tokens");
    // The package of the corpus.
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/lane");
    let root = Crate::Root(package.join("src/lib.rs"));
    let options = Options {
        sources: Sources::read(&tokens, &Package::new(package).reader(root)),
        ..Options::default()
    };
    let unit = compile_observed(tokens, &options, &mut watch);
    if let Some(error) = unit.errors.first() {
        panic!("{}\n{source}", error.message);
    }
    for function in &unit.functions {
        watch.begin(Some(&function.name), "expand");
        std::hint::black_box(unit.expand_function(function, Built::Images));
    }
    watch.end();
    watch.times
}

/// What compiling takes, in numbers that no machine changes.
#[derive(Clone, Copy, Debug)]
pub struct Work {
    /// Statements of the program after the passes: as long as it is.
    pub statements: u64,
    /// Nodes and statements looked at.
    pub visits: u64,
    /// Length of what is written, for people and for compilers.
    pub bytes: u64,
}

impl Work {
    /// Of a block, without the passes that look at what others have done.
    ///
    /// # Panics
    /// If it has errors, or visits are not counted: they are where debug assertions are on.
    pub fn of(source: &str) -> Work {
        let counted = || accelerate_compiler::visits().expect("debug assertions");
        let before = counted();
        let options = Options {
            verify: false,
            ..Options::default()
        };
        let unit = compile_observed(source.parse().expect("tokens"), &options, &mut ());
        if let Some(error) = unit.errors.first() {
            panic!("{}\n{source}", error.message);
        }
        let (mut statements, mut bytes) = (0, 0);
        for function in &unit.functions {
            let rust = unit.expand_function(function, Built::Images);
            statements += function.program.to_string().lines().count();
            bytes += function.plan.to_string().len();
            bytes += function.cuda.source.len() + rust.to_string().len();
        }
        Work {
            statements: statements as u64,
            visits: counted() - before,
            bytes: bytes as u64,
        }
    }
}
