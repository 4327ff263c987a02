//! What a bundle runs on a machine with a GPU: `run check` asks whether results are right, `run bench` how fast they come. Each
//! has some seconds, works in the order of worth, and writes `results.json`, `table.md` and `log.txt` beside itself as it goes:
//! whatever ends it, what was found is there. What is missing on the machine is skipped, and what there is no time for is
//! listed as not run.

mod driver;
mod record;
mod run;
mod steps;

use anyhow::{Context, Result, bail};
use record::{Line, Outcome, Record};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use steps::{Plan, Step};

const USAGE: &str = "\
run check [--seconds 540]   whether programs, protocols and functions are right on this GPU
run bench [--seconds 540]   how fast kernels are, beside others
options: --rehearse         small sizes and few programs, for a device that is emulated";

/// What was asked for.
struct Arguments {
    plan: Plan,
    seconds: u64,
    rehearse: bool,
}

impl Arguments {
    fn read(mut arguments: impl Iterator<Item = String>) -> Result<Arguments> {
        let plan = match arguments.next().as_deref() {
            Some("check") => Plan::Check,
            Some("bench") => Plan::Bench,
            _ => bail!("{USAGE}"),
        };
        let (mut seconds, mut rehearse) = (540, false);
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--seconds" => {
                    let number = arguments.next().and_then(|number| number.parse().ok());
                    seconds = number.context("`--seconds` wants a number")?;
                }
                "--rehearse" => rehearse = true,
                _ => bail!("{USAGE}"),
            }
        }
        Ok(Arguments {
            plan,
            seconds,
            rehearse,
        })
    }
}

fn main() -> ExitCode {
    match work() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Whether nothing has failed.
fn work() -> Result<bool> {
    let begun = Instant::now();
    let arguments = Arguments::read(std::env::args().skip(1))?;
    let deadline = begun + Duration::from_secs(arguments.seconds);
    let own = std::env::current_exe()?;
    let folder: PathBuf = own.parent().context("a file in a folder")?.to_owned();
    let mut record = Record::new(&folder, arguments.plan)?;
    // First of all: without a driver nothing that follows means anything.
    match driver::ask() {
        Ok(found) => record.device(&found)?,
        Err(error) => {
            record.add(Line::of("driver", Outcome::Failed(format!("{error:#}"))))?;
            return record.finish();
        }
    }
    for step in steps::steps(arguments.plan, arguments.rehearse) {
        let Step {
            name,
            needs,
            least,
            command,
        } = step;
        if let Some(missing) = needs.missing() {
            record.add(Line::of(&name, Outcome::Skipped(missing)))?;
            continue;
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if left < Duration::from_secs(least) {
            record.add(Line::of(&name, Outcome::NotRun))?;
            continue;
        }
        let line = run::run(&folder, &name, &command(left), left, &mut record)?;
        record.add(line)?;
    }
    record.finish()
}
