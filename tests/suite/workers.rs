//! The corpus on all cores. The emulated device belongs to a process, so the workers are processes: this binary again, each
//! claiming one program after the other. In goes the report; out it comes with what they counted.

use crate::report::Report;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;

/// Starts the workers and adds up what they tell. A worker that does not live to tell it is a failure.
pub(crate) fn run(report: &mut Report) {
    let folder =
        std::env::temp_dir().join(format!("accelerate-suite-claims-{}", std::process::id()));
    let outcome = fs::create_dir_all(&folder).and_then(|()| {
        let count = thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<Child> = (0..count)
            .map(|_| start(report, &folder))
            .collect::<Result<_, _>>()?;
        let listening: Vec<_> = workers
            .into_iter()
            .map(|worker| thread::spawn(|| listen(worker)))
            .collect();
        for worker in listening {
            let lines = worker.join().unwrap_or_default();
            lines.iter().for_each(|line| report.hear(line));
        }
        Ok(())
    });
    let _ = fs::remove_dir_all(&folder);
    if let Err(error) = outcome {
        report.hear(&format!("@failure\tno workers: {error}"));
    }
}

fn start(report: &Report, folder: &Path) -> std::io::Result<Child> {
    Command::new(std::env::current_exe()?)
        .args(report.arguments())
        .arg("--claims")
        .arg(folder)
        .stdout(Stdio::piped())
        .spawn()
}

/// What a worker tells, and how it ended if that was not well.
fn listen(mut worker: Child) -> Vec<String> {
    let mut lines = Vec::new();
    let mut last = String::new();
    let output = worker.stdout.take().map(BufReader::new);
    for line in output
        .into_iter()
        .flat_map(BufRead::lines)
        .map_while(Result::ok)
    {
        match line.strip_prefix("@program\t") {
            Some(program) => last = program.to_owned(),
            None => lines.push(line),
        }
    }
    let ended = worker
        .wait()
        .map_or_else(|error| error.to_string(), |status| status.to_string());
    if !lines.iter().any(|line| line.starts_with("@tier")) {
        lines.push(format!("@failure\ta worker ended in `{last}`: {ended}"));
    }
    lines
}

/// Whether this process is to run a program: always, unless it is a worker and another one has claimed it.
pub(crate) fn claims(folder: Option<&Path>, program: &str, function: &str) -> bool {
    let Some(folder) = folder else { return true };
    let path: PathBuf = folder.join(format!("{program}-{function}"));
    let claimed = File::create_new(path).is_ok();
    if claimed {
        println!("@program\t{program} {function}");
    }
    claimed
}
