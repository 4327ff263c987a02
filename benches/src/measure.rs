//! Interleaved timing: contenders take turns, and the ratio of their shortest times is what counts on a noisy machine.

use rayon::prelude::*;
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

/// Whether results differ by no more than rounding in another order.
pub(crate) fn close(ours: &[f32], theirs: &[f32]) -> bool {
    let near = |(x, y): (&f32, &f32)| (x - y).abs() <= 1e-4 * y.abs().max(1.0);
    ours.par_iter().zip(theirs).all(near)
}

/// How long one run takes, in seconds.
pub(crate) fn time(mut work: impl FnMut()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

/// Libraries on the CPU.
const ON_CPU: &str = concat!(
    include_str!("../black_scholes.py"),
    include_str!("../peers.py")
);
/// Libraries on a GPU.
const ON_GPU: &str = concat!(
    include_str!("../black_scholes.py"),
    include_str!("../gpu_peers.py")
);
/// A peer's threads look for more work for a while before they sleep, on the cores that the next contender needs.
const REST: Duration = Duration::from_millis(400);

/// The Python process that times the libraries.
pub(crate) struct Peers {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    rest: Duration,
}

impl Peers {
    /// Starts `python` on those of the CPU.
    pub(crate) fn on_cpu(python: &str) -> std::io::Result<Peers> {
        Peers::start(python, ON_CPU, REST)
    }

    /// Starts `python` on those of a GPU.
    pub(crate) fn on_gpu(python: &str) -> std::io::Result<Peers> {
        Peers::start(python, ON_GPU, Duration::ZERO)
    }

    fn start(python: &str, script: &str, rest: Duration) -> std::io::Result<Peers> {
        let mut command = Command::new(python);
        let mut process = command
            .args(["-c", script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let input = process.stdin.take().expect("the pipe was asked for");
        let output = BufReader::new(process.stdout.take().expect("the pipe was asked for"));
        Ok(Peers {
            process,
            input,
            output,
            rest,
        })
    }

    /// One timed run in seconds; `None` if the peer cannot run.
    pub(crate) fn run(&mut self, program: &str, peer: &str) -> Option<f64> {
        writeln!(self.input, "{program} {peer}").ok()?;
        self.input.flush().ok()?;
        let mut line = String::new();
        self.output.read_line(&mut line).ok()?;
        std::thread::sleep(self.rest);
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
