//! `cargo xtask bench`: the benches, in a release build. They measure each pair in turns and print ratios. `cargo xtask bench
//! compile`: how long the compiler takes.

use crate::command::{cargo, run as run_command};
use anyhow::Result;

/// Builds and runs the benches; `arguments` are theirs.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let (package, arguments) = match arguments {
        [first, rest @ ..] if first == "compile" => ("accelerate-rs-benches-compile", rest),
        all => ("accelerate-rs-benches", all),
    };
    let mut bench = cargo(&["run", "--release", "--package", package, "--"]);
    run_command(bench.args(arguments))
}
