//! A tool of the toolkit: whether it runs, and its version.

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

    /// To be run with arguments.
    pub(crate) fn command(&self) -> Command {
        command(&self.path, self.steady)
    }
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
pub(crate) fn first_error(said: &str, scratch: &Path) -> Option<String> {
    let lines = || said.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut errors = lines().filter(|line| line.contains("error"));
    let line = errors.next().or_else(|| lines().next())?;
    let folder = format!("{}/", scratch.display());
    Some(line.replace(&folder, ""))
}
