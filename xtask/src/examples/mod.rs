//! `cargo xtask examples`: the programs of `examples/`, listed; with `--check` each is run at small sizes on the CPU and on the
//! emulated CUDA device, compared with what it is to be compared with, and run again with another constant, to see that the
//! comparison fails; with `--check --full` at the sizes that they have by themselves, on the CPU, optimised. `--index` writes
//! `examples/README.md` and the gallery of `README.md`.

mod gallery;
mod index;
mod table;

use crate::command::{self, Built, cargo, root, run_build};
use crate::{cuda, emulator};
use anyhow::{Context, Result, bail, ensure};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use std::{fs, thread};
use table::{PROGRAMS, Program};

const USAGE: &str = "usage: cargo xtask examples [--check [--full] | --index] [--filter NAME]";

/// What has become of the programs.
#[derive(Default)]
pub(crate) struct Checked {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    /// Runs on the emulated device that could not be made, and why.
    pub(crate) skipped: usize,
    pub(crate) reason: Option<String>,
}

/// The command.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let (mut task, mut filter, mut full) = (None, None, false);
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--check" | "--index" if task.is_none() => task = Some(argument.as_str()),
            "--full" => full = true,
            "--filter" => filter = Some(rest.next().context(USAGE)?.as_str()),
            _ => bail!(USAGE),
        }
    }
    let wanted = |program: &&Program| filter.is_none_or(|filter| program.name.contains(filter));
    match task {
        Some("--check") if full => {
            let built = run_build(cargo(&[&BUILD[..], &["--release"]].concat()))?;
            let mut failed = 0;
            for program in PROGRAMS.iter().filter(wanted) {
                failed += usize::from(!program.told(&program.check_full(&built, &folder()?)));
            }
            ensure!(failed == 0, "{failed} of the programs failed");
        }
        Some("--check") => {
            cuda::find_or_fetch()?;
            let checked = check(&build(cargo)?, filter)?;
            if let Some(reason) = &checked.reason {
                let skipped = checked.skipped;
                println!("{skipped} runs on the emulated device skipped: {reason}");
            }
            ensure!(
                checked.failed == 0,
                "{} of the programs failed",
                checked.failed
            );
        }
        Some(_) => {
            let built = build(cargo)?;
            for (path, text) in pages(&built)? {
                fs::write(&path, text)?;
                println!("wrote {}", path.display());
            }
        }
        None => print!("{}", index::text(&build(cargo)?)?),
    }
    Ok(())
}

const BUILD: [&str; 3] = ["build", "--package", "accelerate-rs-examples"];

/// The programs, built with what this cargo is.
fn build(cargo: impl Fn(&[&str]) -> Command) -> Result<Built> {
    run_build(cargo(&BUILD))
}

/// What `--index` writes, and where.
fn pages(built: &Built) -> Result<[(PathBuf, String); 2]> {
    Ok([
        (index::path(), index::text(built)?),
        (gallery::path(), gallery::text()?),
    ])
}

/// Where programs run, and write pictures below.
fn folder() -> Result<PathBuf> {
    let folder = root().join("target/examples");
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// Runs and compares the programs with this in their names.
pub(crate) fn check(built: &Built, filter: Option<&str>) -> Result<Checked> {
    let folder = folder()?;
    let mut checked = Checked::default();
    let device = match Emulated::new(built) {
        Ok(device) => Some(device),
        Err(error) => {
            checked.reason = Some(format!("{error:#}"));
            None
        }
    };
    let wanted = |program: &&Program| filter.is_none_or(|filter| program.name.contains(filter));
    let queue = Mutex::new(PROGRAMS.iter().filter(wanted));
    let total = Mutex::new(checked);
    // The emulated device is busy on one core.
    let workers = thread::available_parallelism()
        .map_or(1, usize::from)
        .min(4);
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().expect("no thread panics").next();
                    let Some(program) = next else { break };
                    let passed = program.told(&program.check(built, &folder, device.as_ref()));
                    let mut total = total.lock().expect("no thread panics");
                    total.passed += usize::from(passed);
                    total.failed += usize::from(!passed);
                    total.skipped += usize::from(device.is_none());
                }
            });
        }
    });
    let mut checked = total.into_inner().expect("no thread panics");
    if filter.is_none() {
        for (path, text) in pages(built)? {
            if fs::read_to_string(&path).unwrap_or_default() != text {
                let path = path.display();
                println!("{path} is not what `cargo xtask examples --index` writes");
                checked.failed += 1;
            }
        }
    }
    Ok(checked)
}

/// The emulated device and the CUDA C that it runs.
struct Emulated {
    library: PathBuf,
    outputs: Vec<PathBuf>,
}

impl Emulated {
    fn new(built: &Built) -> Result<Emulated> {
        cuda::find().context("no nvcc, so that programs have no PTX")?;
        Ok(Emulated {
            library: emulator::build().context("the emulated CUDA device needs g++")?,
            outputs: built.outputs.clone(),
        })
    }
}

impl Program {
    /// Prints a line about a check; whether it passed.
    fn told(&self, found: &Result<String>) -> bool {
        match found {
            Ok(line) => println!("{:<20}{line}", self.name),
            Err(error) => println!("{:<20}FAILED: {error:#}", self.name),
        }
        found.is_ok()
    }

    /// The program, to be run with `--check`.
    fn command(&self, built: &Built, folder: &Path, arguments: &[&str]) -> Result<Command> {
        let mut program = command::command(built.executable(self.name)?);
        program.current_dir(folder).env("RUST_BACKTRACE", "0");
        program.args(["--check", "--repeat", "1"]).args(arguments);
        Ok(program)
    }

    /// Runs the program on the CPU as it is without arguments.
    fn check_full(&self, built: &Built, folder: &Path) -> Result<String> {
        let (output, time) = finish(&mut self.command(built, folder, &["--device", "cpu"])?)?;
        ensure!(output.status.success(), "{}", tail(&output));
        let out = text(&output.stdout);
        let known: Vec<&str> = out
            .lines()
            .filter(|line| line.contains(", known "))
            .collect();
        let known: String = known.iter().map(|line| format!("\n    {line}")).collect();
        Ok(format!("{:>6.1} s{known}", time.as_secs_f64()))
    }

    /// Runs the program everywhere; what a line says of it.
    fn check(&self, built: &Built, folder: &Path, device: Option<&Emulated>) -> Result<String> {
        let start = |arguments: &[&str]| self.command(built, folder, arguments);
        let mut cpu = start(self.on_cpu)?;
        let (output, time) = finish(cpu.args(["--device", "cpu"]))?;
        ensure!(output.status.success(), "on the CPU: {}", tail(&output));
        let checks = text(&output.stdout)
            .lines()
            .filter(|line| line.starts_with("check: "))
            .count();
        ensure!(checks > 0, "it compares nothing");
        let mut line = format!("{checks:>3} checks   CPU {:>5.1} s", time.as_secs_f64());
        let small = self.on_emulated.unwrap_or(self.on_cpu);
        if let Some(device) = device {
            let mut emulated = start(small)?;
            emulated.args(["--device", "cuda"]);
            emulator::use_in(&mut emulated, &device.library, &device.outputs)?;
            let (output, time) = finish(&mut emulated)?;
            ensure!(
                output.status.success(),
                "on the emulated device: {}",
                tail(&output)
            );
            line += &format!("   emulated {:>5.1} s", time.as_secs_f64());
        }
        let mut other = start(small)?;
        let (output, _) = finish(other.args(["--device", "cpu", "--perturb"]))?;
        let error = text(&output.stderr);
        let error = error
            .lines()
            .find_map(|line| line.strip_prefix("Error: check failed: "));
        let error = error.context("with another constant its checks pass")?;
        Ok(format!("{line}   another constant: {error}"))
    }
}

fn finish(program: &mut Command) -> Result<(Output, Duration)> {
    let start = Instant::now();
    let name = command::text(program);
    let output = program
        .output()
        .with_context(|| format!("cannot start {name}"))?;
    Ok((output, start.elapsed()))
}

fn text(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// The last lines of what a program said, errors after the rest.
fn tail(output: &Output) -> String {
    let all = format!("{}{}", text(&output.stdout), text(&output.stderr));
    let lines: Vec<&str> = all.lines().collect();
    lines[lines.len().saturating_sub(8)..].join("\n    ")
}
