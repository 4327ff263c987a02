//! The corpus on a real GPU: a process for each program, of which some run at the same time. A fault stays with the process
//! that meets it, and a kernel that never ends is ended with its process. What failed is run again with launches that wait,
//! so that the kernel at fault is named, not the next call that waits.

use crate::differential::GPU;
use crate::programs::{self, DRIVERS};
use crate::report::Report;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// The tier that runs this one on the emulated device.
const REHEARSAL: &str = "rehearsal";
/// How long a program may take.
const LIMIT: Duration = Duration::from_secs(60);
/// How long a process may take to end that was told to.
const ENDING: Duration = Duration::from_secs(5);

/// Runs what was asked for.
pub(crate) fn run(report: &mut Report) {
    if report.wants(GPU) {
        corpus(report);
    }
    if report.wants(REHEARSAL) && report.selects("") {
        rehearse(report);
    }
}

/// What came of a program.
enum Outcome {
    /// What it told, as lines for [`Report::hear`].
    Told(Vec<String>),
    /// It ended without telling.
    Ended(String),
    /// It did not end.
    TimedOut,
}

impl Outcome {
    /// What went wrong.
    fn problem(&self, limit: Duration) -> Option<String> {
        match self {
            Outcome::Told(lines) => (lines.iter())
                .find_map(|line| line.strip_prefix("@failure\t"))
                .or_else(|| self.skipped())
                .map(str::to_owned),
            Outcome::Ended(text) => Some(text.clone()),
            Outcome::TimedOut => Some(format!("not done after {} s", limit.as_secs())),
        }
    }

    /// Why it was not run.
    fn skipped(&self) -> Option<&str> {
        let Outcome::Told(lines) = self else {
            return None;
        };
        lines.iter().find_map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            match fields[..] {
                ["@tier", GPU, "0", "0", skipped, _, reason] if skipped != "0" => Some(reason),
                _ => None,
            }
        })
    }
}

fn corpus(report: &mut Report) {
    let programs: Vec<&str> = DRIVERS
        .iter()
        .map(|driver| driver.program)
        .filter(|program| report.selects(program))
        .collect();
    let Some((first, rest)) = programs.split_first() else {
        return;
    };
    let limit = report.limit().unwrap_or(LIMIT);
    let outcome = process(first, limit, &[]);
    if let Some(reason) = outcome.skipped() {
        // Who asks for a GPU by name wants it used.
        return match report.is_one_tier() {
            true => report.case(GPU, "a device", || Err(reason.to_owned())),
            false => report.skip(GPU, programs.len(), reason),
        };
    }
    let told = Mutex::new(BTreeMap::from([(*first, judged(first, outcome, limit))]));
    let queue = Mutex::new(rest.iter());
    let next = || match report.has_time() {
        true => queue.lock().expect("no panic").next(),
        false => None,
    };
    let jobs = report
        .jobs()
        .unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from));
    thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                while let Some(program) = next() {
                    let lines = judged(program, process(program, limit, &[]), limit);
                    told.lock().expect("no panic").insert(program, lines);
                }
            });
        }
    });
    let told = told.into_inner().expect("no panic");
    for line in told.values().flatten() {
        report.hear(line);
    }
    let left: Vec<&str> = queue.into_inner().expect("no panic").copied().collect();
    for program in &left {
        println!("{GPU}: {program}: not run");
    }
    if !left.is_empty() {
        report.skip(GPU, left.len(), "no time left");
    }
}

/// What to tell of a program, which is run again if it has failed.
fn judged(program: &str, outcome: Outcome, limit: Duration) -> Vec<String> {
    // A process names its program, too.
    let name = format!("{GPU}: {program}: ");
    let problem = |outcome: &Outcome| {
        let problem = outcome.problem(limit)?;
        Some(problem.strip_prefix(&name).unwrap_or(&problem).to_owned())
    };
    let Some(first) = problem(&outcome) else {
        return match outcome {
            Outcome::Told(lines) => lines,
            Outcome::Ended(_) | Outcome::TimedOut => Vec::new(),
        };
    };
    let again = match outcome {
        Outcome::TimedOut => String::new(),
        Outcome::Told(_) | Outcome::Ended(_) => {
            let outcome = process(program, limit, &[("CUDA_LAUNCH_BLOCKING", "1")]);
            let second = problem(&outcome).unwrap_or_else(|| "it passes".to_owned());
            format!("\nagain, with launches that wait: {second}")
        }
    };
    let text = format!("{name}{first}{again}").replace('\n', "\x0b");
    vec![
        format!("@tier\t{GPU}\t0\t1\t0\t0\t"),
        format!("@failure\t{text}"),
    ]
}

/// A program in a process of its own.
fn process(program: &str, limit: Duration, variables: &[(&str, &str)]) -> Outcome {
    // Whoever looks on sees where it hangs.
    println!("{GPU}: {program}");
    let _ = std::io::stdout().flush();
    let started = std::env::current_exe().and_then(|suite| {
        let mut command = Command::new(&suite);
        command
            .args(["--tier", GPU, "--program", program])
            .env("ACCELERATE_CUDA", "require")
            .envs(variables.iter().copied())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        // Compiled code is kept: there is more of it than the driver keeps by itself.
        let cache = suite.with_file_name("cuda-cache");
        for (name, value) in [
            ("CUDA_CACHE_PATH", cache.as_os_str()),
            ("CUDA_CACHE_MAXSIZE", "4294967296".as_ref()),
        ] {
            if std::env::var_os(name).is_none() {
                command.env(name, value);
            }
        }
        command.spawn()
    });
    let mut child = match started {
        Ok(child) => child,
        Err(error) => return Outcome::Ended(error.to_string()),
    };
    let [output, errors] = [child.stdout.take().map(read), child.stderr.take().map(read)]
        .map(|pipe| pipe.expect("it was asked for"));
    let Ok(output) = output.recv_timeout(limit) else {
        let _ = child.kill();
        let _ = child.wait();
        return Outcome::TimedOut;
    };
    let ended = child
        .wait()
        .map_or_else(|error| error.to_string(), |status| status.to_string());
    let lines: Vec<String> = output
        .lines()
        .filter(|line| line.starts_with('@'))
        .map(str::to_owned)
        .collect();
    if lines.iter().any(|line| line.starts_with("@tier")) {
        return Outcome::Told(lines);
    }
    let errors = errors.recv_timeout(ENDING).unwrap_or_default();
    Outcome::Ended(format!("{ended}\n{}", errors.trim_end()))
}

/// All that comes through a pipe, at its end.
fn read(mut pipe: impl Read + Send + 'static) -> Receiver<String> {
    let (done, all) = channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.read_to_end(&mut bytes);
        let _ = done.send(String::from_utf8_lossy(&bytes).into_owned());
    });
    all
}

/// The emulated device in the driver's place: a program that passes, one that meets a fault, one that never ends.
fn rehearse(report: &mut Report) {
    let library = match emulator::library() {
        Ok(library) => library,
        Err(error) => return report.skip(REHEARSAL, 2, &format!("{error:#}")),
    };
    if !programs::has_ptx() {
        let reason = "no nvcc when the suite was built: `cargo xtask cuda` fetches it";
        return report.skip(REHEARSAL, 2, reason);
    }
    let expect = |text: &str, parts: &[&str]| match parts.iter().find(|part| !text.contains(**part))
    {
        None => Ok(()),
        Some(part) => Err(format!("without `{part}`:\n{text}")),
    };
    report.case(REHEARSAL, "programs of which some fail", || {
        let sources =
            std::env::join_paths(programs::artifacts()).map_err(|error| error.to_string())?;
        let text = suite(&["map_", "--limit", "30"], |command| {
            command
                .env(
                    "LD_LIBRARY_PATH",
                    library.parent().unwrap_or(Path::new(".")),
                )
                .env("ACCELERATE_EMULATOR_SOURCES", sources)
                .env("ACCELERATE_EMULATOR_QUIET", "1")
                .env("ACCELERATE_EMULATOR_FAULT", "ramp_map")
                .env("ACCELERATE_EMULATOR_HANG", "chain_map");
        })?;
        expect(
            &text,
            &[
                "real GPU: map_chain\n",
                "real GPU: map_indexed\n",
                "real GPU: map_to_arrays\n",
                "tier real GPU: 1 passed, 2 failed, 0 skipped",
                "real GPU: map_chain: not done after 30 s",
                // The call that waits is innocent.
                "cuMemcpyDtoHAsync: CUDA_ERROR_ILLEGAL_ADDRESS",
                "again, with launches that wait: ",
                "launch of `ramp_map`: CUDA_ERROR_ILLEGAL_ADDRESS",
            ],
        )
    });
    report.case(REHEARSAL, "no device", || {
        let text = suite(&["map_"], |command| {
            command.env("CUDA_VISIBLE_DEVICES", "");
        })?;
        expect(&text, &["tier real GPU: 0 passed, 1 failed, 0 skipped"])
    });
}

/// What this tier prints in a process of its own.
fn suite(arguments: &[&str], change: impl FnOnce(&mut Command)) -> Result<String, String> {
    let suite = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new(suite);
    command.args(["--tier", GPU]).args(arguments);
    change(&mut command);
    let output = command.output().map_err(|error| error.to_string())?;
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    match output.status.success() {
        true => Err(format!("it succeeds:\n{text}")),
        false => Ok(text),
    }
}
