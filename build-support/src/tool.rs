//! A tool of the toolkit: whether it runs, and its version.

use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::process::Command;

/// One that says its version.
pub(crate) struct Tool {
    pub(crate) path: PathBuf,
    pub(crate) version: String,
    /// Whether it runs without random addresses. nvcc's optimiser goes by them at places: the same source gave two different
    /// PTX files in one of six runs. A container may forbid this, and then they may differ.
    steady: bool,
}

impl Tool {
    pub(crate) fn at(path: &Path) -> Option<Tool> {
        let version = |steady: bool| {
            let output = command(path, steady).arg("--version").output().ok()?;
            let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
            (output.status.success() && !version.is_empty()).then_some(version)
        };
        let found = |steady: bool| {
            version(steady).map(|version| Tool {
                path: path.to_owned(),
                version,
                steady,
            })
        };
        found(true).or_else(|| found(false))
    }

    /// Makes a file of another one in a temporary directory, or returns the diagnostics.
    pub(crate) fn make(
        &self,
        arguments: &[String],
        [input, output]: [&Path; 2],
        scratch: &Path,
    ) -> Result<std::result::Result<(), Said>> {
        let mut command = command(&self.path, self.steady);
        command.args(arguments).arg("-o").arg(output).arg(input);
        let shown = format!("{command:?}");
        let result = command
            .output()
            .with_context(|| format!("cannot run {shown}"))?;
        if result.status.success() {
            return Ok(Ok(()));
        }
        let said = String::from_utf8_lossy(&result.stderr);
        Ok(Err(Said {
            error: first_error(&said, scratch)
                .unwrap_or_else(|| format!("it ends with {}", result.status)),
            all: format!("{shown}\n{}", said.trim()),
        }))
    }
}

/// The diagnostics of a tool that has failed.
pub(crate) struct Said {
    /// Its first error.
    pub(crate) error: String,
    /// The command and everything.
    pub(crate) all: String,
}

fn command(path: &Path, steady: bool) -> Command {
    if !steady {
        return Command::new(path);
    }
    let mut command = Command::new("setarch");
    command.arg("--addr-no-randomize").arg(path);
    command
}

/// The first error that a tool tells, without the folder of its files.
fn first_error(said: &str, scratch: &Path) -> Option<String> {
    let lines = || said.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut errors = lines().filter(|line| line.contains("error"));
    let line = errors.next().or_else(|| lines().next())?;
    let folder = format!("{}/", scratch.display());
    Some(line.replace(&folder, ""))
}
