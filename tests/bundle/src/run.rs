//! Runs a step: passes on what it prints, ends it when its time is over.

use crate::record::{Line, Outcome, Record};
use crate::steps::Invocation;
use anyhow::Result;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Beginnings of lines that are kept beside the outcome: rows of tables, totals, failures.
const TOLD: [&str; 4] = ["| ", "tier ", "FAILED ", "not run: "];
/// How many of them, at most.
const MOST_TOLD: usize = 400;

/// Runs one.
pub(crate) fn run(
    folder: &Path,
    name: &str,
    invocation: &Invocation,
    left: Duration,
    record: &mut Record,
) -> Result<Line> {
    let begun = Instant::now();
    let text = invocation.text();
    record.log(&format!("== {name}: {text}"))?;
    let mut line = Line::of(name, Outcome::Passed);
    let mut command = Command::new(invocation.program(folder));
    command
        .args(&invocation.arguments)
        .current_dir(folder)
        .envs(invocation.variables.iter().copied())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => {
            line.outcome = Outcome::Failed(format!("cannot start {text}: {error}"));
            return Ok(line);
        }
    };
    let (lines, printed) = channel();
    for pipe in [
        child.stdout.take().map(|pipe| Box::new(pipe) as Pipe),
        child.stderr.take().map(|pipe| Box::new(pipe) as Pipe),
    ] {
        let lines = lines.clone();
        thread::spawn(move || pipe.map(|pipe| pass_on(pipe, &lines)));
    }
    drop(lines);
    let ended = loop {
        let rest = left.saturating_sub(begun.elapsed());
        match printed.recv_timeout(rest) {
            Ok(text) => {
                record.log(&text)?;
                let told = TOLD.iter().any(|beginning| text.starts_with(beginning));
                if told && line.told.len() < MOST_TOLD {
                    line.told.push(text);
                }
            }
            Err(RecvTimeoutError::Disconnected) => break true,
            Err(RecvTimeoutError::Timeout) => break false,
        }
    };
    if !ended {
        let _ = child.kill();
    }
    let status = child.wait()?;
    line.seconds = begun.elapsed().as_secs_f64();
    line.outcome = match (ended, status.success()) {
        (false, _) => Outcome::Failed(format!("not done after {:.0} s", line.seconds)),
        (true, false) => Outcome::Failed(status.to_string()),
        (true, true) => Outcome::Passed,
    };
    Ok(line)
}

type Pipe = Box<dyn Read + Send>;

fn pass_on(pipe: Pipe, lines: &Sender<String>) {
    for line in BufReader::new(pipe).lines().map_while(Result::ok) {
        if lines.send(line).is_err() {
            return;
        }
    }
}
