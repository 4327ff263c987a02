//! `cargo xtask fuzz`: programs at random for some minutes. Ends with what was hit how often, and with what disagreed as
//! programs of the corpus.

use crate::command::{cargo, run as run_command};
use crate::cuda;
use anyhow::{Context, Result, bail};

/// Runs the suite's tier for so long, from this seed.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let (mut minutes, mut seed) = ("1", "1");
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let value = rest
            .next()
            .context("`--minutes` and `--seed` take a number")?;
        match argument.as_str() {
            "--minutes" => minutes = value,
            "--seed" => seed = value,
            _ => bail!("usage: cargo xtask fuzz [--minutes NUMBER] [--seed NUMBER]"),
        }
    }
    cuda::find_or_fetch()?;
    let mut suite = cargo(&[
        "test",
        "--package",
        "accelerate-rs-suite",
        "--test",
        "suite",
    ]);
    suite.args(["--", "--tier", "fuzz"]);
    suite.env("ACCELERATE_FUZZ", format!("minutes={minutes} seed={seed}"));
    run_command(&mut suite)
}
