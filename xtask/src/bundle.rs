//! `cargo xtask bundle`: one folder with the suite and the benches, to copy to a machine that has a GPU, a driver, and
//! nothing else.

use crate::command::{build, command, root, run as run_command};
use crate::cuda;
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};

const SCRIPT: &str = "\
#!/bin/sh
# Runs the differential suite and the benches on this machine's GPU. Needs a driver and nothing else.
cd \"$(dirname \"$0\")\" || exit 1
status=0
./suite --tier gpu --jobs 16 || status=1
./benches --device cuda \"$@\" || status=1
exit $status
";

/// Builds the bundle.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let folder = match arguments {
        [] => root().join("target/bundle"),
        [option, folder] if option == "--to" => PathBuf::from(folder),
        _ => bail!("usage: cargo xtask bundle [--to FOLDER]"),
    };
    if cuda::find_or_fetch()?.is_none() {
        bail!("a bundle needs nvcc: without it no PTX is embedded");
    }
    fs::create_dir_all(&folder)?;
    let suite = build(&[
        "test",
        "--release",
        "--no-run",
        "--package",
        "accelerate-rs-suite",
        "--test",
        "suite",
    ])?;
    copy_stripped(suite.executable("suite")?, &folder.join("suite"))?;
    let benches = build(&["build", "--release", "--package", "accelerate-rs-benches"])?;
    copy_stripped(benches.executable("benches")?, &folder.join("benches"))?;
    let script = folder.join("run");
    fs::write(&script, SCRIPT)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755))?;
    }
    println!("bundle: {} (copy it, then `./run`)", folder.display());
    Ok(())
}

fn copy_stripped(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to)
        .with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))?;
    run_command(command("strip").arg(to))
}
