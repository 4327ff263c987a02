//! Interleaved timing: contenders take turns, and the ratio of their shortest times is what counts on a noisy machine.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// The shortest time of each of two contenders over `rounds` interleaved runs, in seconds.
pub(crate) fn duel(
    rounds: u32,
    mut ours: impl FnMut(),
    mut theirs: impl FnMut() -> Option<f64>,
) -> Option<(f64, f64)> {
    ours();
    theirs()?;
    let mut best = (f64::INFINITY, f64::INFINITY);
    for _ in 0..rounds {
        best.0 = best.0.min(time(&mut ours));
        best.1 = best.1.min(theirs()?);
    }
    Some(best)
}

/// How long one run takes, in seconds.
pub(crate) fn time(mut work: impl FnMut()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

/// A peer's threads look for more work for a while before they sleep, on the cores that the next contender needs.
const REST: Duration = Duration::from_millis(400);

/// The Python process that times JAX and numba.
pub(crate) struct Peers {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Peers {
    /// Starts `python` on `benches/peers.py`.
    pub(crate) fn start(python: &str) -> std::io::Result<Peers> {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/peers.py");
        let mut command = Command::new(python);
        let mut process = command
            .arg(script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let input = process.stdin.take().expect("the pipe was asked for");
        let output = BufReader::new(process.stdout.take().expect("the pipe was asked for"));
        Ok(Peers {
            process,
            input,
            output,
        })
    }

    /// One timed run in seconds; `None` if the peer cannot run.
    pub(crate) fn run(&mut self, program: &str, peer: &str) -> Option<f64> {
        writeln!(self.input, "{program} {peer}").ok()?;
        self.input.flush().ok()?;
        let mut line = String::new();
        self.output.read_line(&mut line).ok()?;
        std::thread::sleep(REST);
        line.trim().parse().ok()
    }
}

impl Drop for Peers {
    fn drop(&mut self) {
        // The script ends with its input; a process that is gone already is no error.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
