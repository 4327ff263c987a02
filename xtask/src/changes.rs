//! `cargo xtask changes [--since COMMIT] [FILTER]`: what the compiler of the working tree makes of the corpus otherwise than that
//! of a commit, the last one if none is named. Of most programs the repository has hashes of the stages only; here are the texts.

use crate::command::{build, command, root, run as run_command, succeeds};
use crate::corpus;
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// As the compiler's example `stages` has them.
const STAGES: [&str; 5] = ["lowered", "ir", "plan", "cuda", "rust"];

/// Builds both compilers, writes the texts of both, and shows their difference.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let (commit, filter) = match arguments {
        [] => ("HEAD", ""),
        [filter] if !filter.starts_with('-') => ("HEAD", &**filter),
        [since, commit] if since == "--since" => (&**commit, ""),
        [since, commit, filter] if since == "--since" => (&**commit, &**filter),
        _ => bail!("usage: cargo xtask changes [--since COMMIT] [FILTER]"),
    };
    let folder = root().join("target/xtask/changes");
    let tree = folder.join("tree");
    unpack(commit, &tree)?;
    let before = stages(&tree, &folder.join("target-before"))?;
    let after = stages(&root(), &folder.join("target-after"))?;
    let programs = corpus::programs(&root().join("tests/programs"));
    let chosen = || programs.iter().filter(|(name, _)| name.contains(filter));
    if chosen().next().is_none() {
        bail!("no program has `{filter}` in its name");
    }
    for (of, program) in [("before", before), ("after", after)] {
        let texts = folder.join(of);
        let _ = fs::remove_dir_all(&texts);
        fs::create_dir_all(&texts)?;
        for (name, path) in chosen() {
            for stage in STAGES {
                let output = Command::new(&program).arg(path).arg(stage).output()?;
                let text = match output.status.success() {
                    true => output.stdout,
                    false => output.stderr,
                };
                fs::write(texts.join(format!("{name}.{stage}")), text)?;
            }
        }
    }
    let mut difference = command("git");
    difference.args(["-C", &folder.to_string_lossy()]);
    difference.args(["diff", "--no-index", "--stat", "--patch", "before", "after"]);
    // It fails where there is a difference.
    if succeeds(&mut difference)? {
        println!("{commit} makes the same of all");
    }
    Ok(())
}

/// Writes the files of a commit to a folder. They are as new as can be, so that cargo builds what is in them.
fn unpack(commit: &str, tree: &Path) -> Result<()> {
    let _ = fs::remove_dir_all(tree);
    fs::create_dir_all(tree)?;
    let archive = tree.with_extension("tar");
    run_command(
        command("git")
            .args(["archive", "--output"])
            .arg(&archive)
            .arg(commit),
    )?;
    let mut tar = command("tar");
    tar.args(["--extract", "--touch", "--file"]).arg(&archive);
    run_command(tar.arg("--directory").arg(tree))
}

/// Optimising the compiler takes longer than it runs here.
const QUICK: &str = "profile.dev.package.accelerate-rs-compiler.opt-level=0";

/// The compiler's example, built of a workspace.
fn stages(workspace: &Path, target: &Path) -> Result<PathBuf> {
    let manifest = workspace.join("Cargo.toml");
    let [manifest, target] =
        [&manifest, target].map(|path| path.to_str().context("a path of text"));
    let built = build(&[
        "build",
        "--config",
        QUICK,
        "--manifest-path",
        manifest?,
        "--target-dir",
        target?,
        "--package",
        "accelerate-rs-compiler",
        "--example",
        "stages",
    ])?;
    Ok(built.executable("stages")?.to_owned())
}
