//! `cargo xtask bench`: the benches, in a release build. They measure each pair in turns and print ratios; a whole run on the CPU
//! leaves its table and a chart in `benches/results`. `cargo xtask bench compile`: how long the compiler
//! takes. `cargo xtask bench build`: how long a crate of each program takes.

mod build;
mod chart;
mod libraries;
mod table;

use crate::command::{cargo, command, root, run as run_command, run_build, watch};
use anyhow::{Context, Result, bail};
use std::fs;
use table::Row;

/// Where a whole run's results are.
const RESULTS: &str = "benches/results";

/// What `--quick` stands for.
const QUICK: [&str; 4] = ["--rounds", "3", "--shrink", "8"];

/// Builds and runs the benches.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    if let [first, rest @ ..] = arguments
        && first == "compile"
    {
        let package = "accelerate-rs-benches-compile";
        let mut bench = cargo(&["run", "--release", "--package", package, "--"]);
        return run_command(bench.args(rest));
    }
    if let [first, rest @ ..] = arguments
        && first == "build"
    {
        return match rest {
            [] => build::run(None),
            [option, name] if option == "--filter" => build::run(Some(name)),
            _ => bail!("`bench build` takes `--filter NAME`"),
        };
    }
    let options = options(arguments)?;
    let built = run_build(cargo(&[
        "build",
        "--release",
        "--package",
        "accelerate-rs-benches",
    ]))?;
    let libraries = libraries::find_or_fetch(&root().join("target/libraries"))?;
    let mut bench = command(built.executable("benches")?);
    if let Some(libraries) = &libraries {
        bench.arg("--python").arg(&libraries.python);
    }
    bench.args(&options.passed);
    let mut rows = Vec::new();
    let succeeded = watch(&mut bench, |line| {
        println!("{line}");
        rows.extend(Row::read(line));
    })?;
    if !succeeded {
        bail!("the benches failed");
    }
    if options.whole {
        let how = table::How::now(libraries.as_ref())?;
        for (name, text) in [
            ("cpu.md", table::write(&how, &rows)),
            ("cpu.svg", chart::draw(&rows)),
        ] {
            let path = root().join(RESULTS).join(name);
            fs::write(&path, text).with_context(|| path.display().to_string())?;
            println!("wrote {}", path.display());
        }
    }
    Ok(())
}

/// The options of a run.
#[derive(PartialEq, Eq, Debug)]
struct Wanted {
    /// The benches' own options.
    passed: Vec<String>,
    /// Whether all is measured, at full size on the CPU.
    whole: bool,
}

fn options(arguments: &[String]) -> Result<Wanted> {
    let (mut passed, mut whole) = (Vec::new(), true);
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--quick" => {
                passed.extend(QUICK.map(String::from));
                whole = false;
            }
            "--filter" | "--only" => {
                let name = rest.next().context("`--filter` needs a part of a name")?;
                passed.extend([String::from("--only"), name.clone()]);
                whole = false;
            }
            "--rounds" => {
                let rounds = rest.next().context("`--rounds` needs a number")?;
                passed.extend([argument.clone(), rounds.clone()]);
            }
            _ => {
                passed.push(argument.clone());
                whole = false;
            }
        }
    }
    Ok(Wanted { passed, whole })
}

#[cfg(test)]
mod tests {
    use super::options;

    #[test]
    fn only_whole_runs_leave_results() {
        let of = |text: &str| {
            let words: Vec<String> = text.split_whitespace().map(String::from).collect();
            let wanted = options(&words).unwrap();
            (wanted.passed.join(" "), wanted.whole)
        };
        assert_eq!(of(""), (String::new(), true));
        assert_eq!(of("--rounds 5"), ("--rounds 5".to_owned(), true));
        assert_eq!(of("--filter scan"), ("--only scan".to_owned(), false));
        assert_eq!(of("--quick"), ("--rounds 3 --shrink 8".to_owned(), false));
        assert_eq!(of("--device cuda"), ("--device cuda".to_owned(), false));
        assert!(options(&["--filter".to_owned()]).is_err());
    }
}
