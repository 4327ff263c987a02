//! The libraries of Python that are measured against, in an environment that the command makes.

use crate::command::{command, succeeds};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// What is fetched: numpy with its OpenBLAS, scipy, numba and JAX for the CPU.
const LIBRARIES: [&str; 4] = ["numpy", "scipy", "numba", "jax"];

/// A Python that has them.
pub(super) struct Libraries {
    pub(super) python: PathBuf,
    /// Names and versions.
    pub(super) versions: String,
}

/// The environment in this folder, made if there is none; none, with a line that says so, where there is no Python or no
/// network.
pub(super) fn find_or_fetch(folder: &Path) -> Result<Option<Libraries>> {
    let python = match cfg!(windows) {
        true => folder.join("Scripts/python.exe"),
        false => folder.join("bin/python"),
    };
    if let Some(versions) = versions(&python)? {
        return Ok(Some(Libraries { python, versions }));
    }
    let list = LIBRARIES.join(", ");
    println!("fetching {list} into {} (400 MB)", folder.display());
    let mut make = command("python3");
    let made = succeeds(make.args(["-m", "venv"]).arg(folder)).unwrap_or(false);
    let mut install = command(&python);
    install.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
    ]);
    if !made || !succeeds(install.args(LIBRARIES)).unwrap_or(false) {
        println!("no {list}: their rows are skipped");
        return Ok(None);
    }
    let versions = versions(&python)?.context("libraries that were just installed")?;
    Ok(Some(Libraries { python, versions }))
}

/// The libraries that a Python has, if it has all.
fn versions(python: &Path) -> Result<Option<String>> {
    if !python.is_file() {
        return Ok(None);
    }
    let names = LIBRARIES.map(|name| format!("{name:?}")).join(", ");
    let script = format!(
        "import importlib.metadata as m; print(', '.join(f'{{n}} {{m.version(n)}}' for n in [{names}]))"
    );
    let output = command(python).args(["-c", &script]).output();
    let output = output.with_context(|| python.display().to_string())?;
    let versions = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    Ok(output.status.success().then_some(versions))
}
