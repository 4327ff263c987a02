//! `cargo xtask bundle`: one folder with the suite, the corpus and the benches, to copy to a machine that has a GPU, a driver,
//! and nothing else; and a rehearsal of what it runs there, on the emulated device.

use crate::command::{Built, cargo, command, root, run as run_command, run_build};
use crate::{corpus, cuda, emulator};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const USAGE: &str = "usage: cargo xtask bundle [--to FOLDER] [--rehearse]";
/// What may travel.
const MOST_BYTES: u64 = 30 << 20;

/// What the rehearsal leaves out: a machine without a GPU has none of NVIDIA's tools.
const SKIPPED: [(&str, &[&str]); 2] = [
    (
        "check",
        &[
            "memcheck of saxpy",
            "memcheck of sum_rows",
            "memcheck of scan_cumsum",
            "memcheck of sort",
            "memcheck of histogram",
            "memcheck of matmul",
            "memcheck of segments_skewed",
            "memcheck of stencil_gauss",
            "racecheck of saxpy",
            "racecheck of sum_rows",
            "racecheck of scan_cumsum",
            "racecheck of sort",
            "racecheck of histogram",
            "racecheck of matmul",
            "racecheck of segments_skewed",
            "racecheck of stencil_gauss",
            "initcheck of saxpy",
            "initcheck of sum_rows",
            "initcheck of scan_cumsum",
            "initcheck of sort",
            "initcheck of histogram",
            "initcheck of matmul",
            "initcheck of segments_skewed",
            "initcheck of stencil_gauss",
        ],
    ),
    ("bench", &["instructions"]),
];

/// Builds the bundle.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let mut folder = root().join("target/bundle");
    let mut rehearsed = false;
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--to" => folder = PathBuf::from(arguments.next().context(USAGE)?),
            "--rehearse" => rehearsed = true,
            _ => bail!(USAGE),
        }
    }
    if rehearsed {
        let outputs = build(&folder, cargo, &[])?;
        return rehearse(&folder, &outputs);
    }
    build(&folder, cargo, &["--release"])?;
    let packed = folder.with_extension("tar.xz");
    let mut tar = command("tar");
    tar.arg("--create").arg("--xz").arg("--file").arg(&packed);
    tar.arg("--directory")
        .arg(folder.parent().unwrap_or(Path::new("/")));
    run_command(tar.arg(folder.file_name().unwrap_or_default()))?;
    let bytes = fs::metadata(&packed)?.len();
    if bytes > MOST_BYTES {
        bail!(
            "{} has {bytes} bytes, more than {MOST_BYTES}",
            packed.display()
        );
    }
    println!(
        "bundle: {} ({} MiB): unpack it, then `./run check` and `./run bench`",
        packed.display(),
        bytes >> 20
    );
    Ok(())
}

/// Fills the folder, with benches of a profile; where build scripts left their artifacts.
fn build(
    folder: &Path,
    builder: impl Fn(&[&str]) -> Command,
    profile: &[&str],
) -> Result<Vec<PathBuf>> {
    if cuda::find_or_fetch()?.is_none() {
        bail!("a bundle needs nvcc: without it no PTX is embedded");
    }
    fs::create_dir_all(folder)?;
    // What is asked is asked of the device: the suite is the one that the tests build.
    let suite = ["--package", "accelerate-rs-suite", "--test", "suite"];
    let suite = [&["test", "--no-run"], &suite[..]].concat();
    let benches = ["build", "--package", "accelerate-rs-benches"];
    let benches = [&benches[..], profile].concat();
    let own = ["build", "--package", "accelerate-rs-bundle"];
    let mut outputs = Vec::new();
    for (arguments, name) in [(&suite[..], "suite"), (&benches, "benches"), (&own, "run")] {
        let Built {
            outputs: more,
            executables,
            tests,
        } = run_build(builder(arguments))?;
        let mut all = executables.iter().chain(&tests);
        let found = all.find(|(target, _)| target == name);
        let (_, path) = found.with_context(|| format!("cargo built no `{name}`"))?;
        copy_stripped(path, &folder.join(name))?;
        outputs.extend(more);
    }
    for path in corpus::programs(&root().join("tests/programs")).values() {
        let inside = path.strip_prefix(root())?;
        let to = folder.join(inside);
        fs::create_dir_all(to.parent().unwrap_or(folder))?;
        fs::copy(path, &to).with_context(|| path.display().to_string())?;
        // The CUDA C of its foreign functions.
        let foreign = path.with_extension("cuh");
        if foreign.exists() {
            fs::copy(&foreign, to.with_extension("cuh"))
                .with_context(|| foreign.display().to_string())?;
        }
    }
    Ok(outputs)
}

/// Runs both commands to their ends on the emulated device, and looks at what they have left out.
fn rehearse(folder: &Path, outputs: &[PathBuf]) -> Result<()> {
    let library = emulator::build().context("the emulated CUDA device needs g++")?;
    for (name, expected) in SKIPPED {
        let mut bundle = Command::new(folder.join("run"));
        bundle.args([name, "--seconds", "900", "--rehearse"]);
        emulator::use_in(&mut bundle, &library, outputs)?;
        run_command(&mut bundle)?;
        let table = fs::read_to_string(folder.join(format!("{name}-table.md")))?;
        let skipped = skipped(&table);
        if skipped != expected {
            bail!("`run {name}` leaves out {skipped:?}, not {expected:?}");
        }
    }
    println!("both commands run to their ends, and leave out what they must");
    Ok(())
}

/// The steps of a table that were skipped or not run.
fn skipped(table: &str) -> Vec<&str> {
    table.lines().filter_map(left_out).collect()
}

/// The step of a line, if it was.
fn left_out(line: &str) -> Option<&str> {
    let mut fields = line.strip_prefix("| ")?.split(" | ");
    let name = fields.next()?;
    matches!(fields.next()?, "skipped" | "not run").then_some(name)
}

fn copy_stripped(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to)
        .with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))?;
    run_command(command("strip").arg(to))
}

#[cfg(test)]
mod tests {
    #[test]
    fn steps_that_were_left_out_are_read_from_a_table() {
        let table = "| step | outcome | seconds | |\n|---|---|---|---|\n| a b | skipped | 0.0 | no tool |\n| c | passed | 1.0 |  |\n| d | not run | 0.0 | |\n";
        assert_eq!(super::skipped(table), ["a b", "d"]);
    }
}
