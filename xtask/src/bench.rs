//! `cargo xtask bench`: the benches, in a release build. They measure each pair in turns and print ratios.

use crate::command::{cargo, run as run_command};
use anyhow::Result;

/// Builds and runs the benches; `arguments` are theirs.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let mut bench = cargo(&[
        "run",
        "--release",
        "--package",
        "accelerate-rs-benches",
        "--",
    ]);
    run_command(bench.args(arguments))
}
