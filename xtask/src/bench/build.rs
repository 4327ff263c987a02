//! `cargo xtask bench build`: how long a crate of each program of `examples/` takes to build, and how large its executable is.
//!
//! Each program becomes a package of its own below `target/crates`, with what the examples depend on; packages share what is built
//! of that. Counted is what the build of the package itself uses of the processor, in all of its processes: the build script with
//! the compiler in it, nvcc, rustc and the linker. The first row is a program without a block.

use super::RESULTS;
use super::table::How;
use crate::command::{cargo, root, run_build};
use anyhow::{Context, Result};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

/// What a package of a program says of itself; `{root}` is the workspace, `{name}` the program.
const MANIFEST: &str = r#"[package]
name = "{name}-alone"
version = "0.0.0"
edition = "2024"

[[bin]]
name = "{name}"
path = "src/main.rs"

[dependencies]
accelerate-rs = { path = "{root}/runtime" }
examples = { package = "accelerate-rs-examples", path = "{root}/examples" }
anyhow = "1"
clap = { version = "4", features = ["derive"] }
image = { version = "0.25", default-features = false, features = ["gif", "jpeg", "png"] }

[build-dependencies]
accelerate-rs-build = { path = "{root}/build-support" }
"#;

/// A program without an array program.
const EMPTY: &str = "use accelerate as _;\n\nfn main() {}\n";

/// A program's own build.
struct Row {
    program: String,
    lines: usize,
    /// Seconds of the processor, of a build as `cargo build` does and of one with `--release`.
    seconds: [f64; 2],
    /// Of the release build, in bytes.
    size: u64,
}

/// Builds each program and writes the table.
pub(super) fn run(filter: Option<&str>) -> Result<()> {
    let folder = root().join("target/crates");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let (sources, build) = (
        root().join("examples/src/bin"),
        root().join("examples/build.rs"),
    );
    let mut programs = vec![("nothing".to_owned(), EMPTY.to_owned())];
    for entry in fs::read_dir(&sources)? {
        let path = entry?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        if filter.is_none_or(|filter| name.contains(filter)) {
            programs.push((name.into_owned(), fs::read_to_string(&path)?));
        }
    }
    programs[1..].sort();
    for (name, text) in programs
        .iter()
        .chain(&[("first".to_owned(), EMPTY.to_owned())])
    {
        let package = folder.join(name);
        fs::create_dir_all(package.join("src"))?;
        let root = root().display().to_string();
        let manifest = MANIFEST.replace("{root}", &root).replace("{name}", name);
        fs::write(package.join("Cargo.toml"), manifest)?;
        fs::write(package.join("src/main.rs"), text)?;
        fs::copy(&build, package.join("build.rs"))?;
    }
    fs::write(
        folder.join("Cargo.toml"),
        "[workspace]\nmembers = [\"*\"]\nexclude = [\"target\"]\nresolver = \"3\"\n",
    )?;
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock"))?;
    // What all of them depend on.
    for profile in ["dev", "release"] {
        run_build(cargo_in(&folder, "first", profile))?;
    }
    let mut rows = Vec::new();
    for (name, text) in programs {
        let mut seconds = [0.0; 2];
        let mut size = 0;
        for (seconds, profile) in seconds.iter_mut().zip(["dev", "release"]) {
            // The build of the examples, which programs depend on, has compiled the same kernels.
            let cache = folder.join("target/accelerate-cache");
            if cache.exists() {
                fs::remove_dir_all(cache)?;
            }
            let before = of_children()?;
            let built = run_build(cargo_in(&folder, &name, profile))?;
            *seconds = of_children()? - before;
            size = fs::metadata(built.executable(&name)?)?.len();
        }
        let lines = text.lines().count();
        rows.push(Row {
            program: name,
            lines,
            seconds,
            size,
        });
    }
    let text = write(&How::now(None)?, &rows);
    print!("{text}");
    if filter.is_none() {
        let path = root().join(RESULTS).join("build.md");
        fs::write(&path, text).with_context(|| path.display().to_string())?;
        println!("wrote {}", path.display());
    }
    Ok(())
}

fn cargo_in(folder: &Path, program: &str, profile: &str) -> Command {
    let package = format!("{program}-alone");
    let mut cargo = cargo(&["build", "--profile", profile, "--package", &package]);
    cargo.current_dir(folder);
    cargo.env("CARGO_TARGET_DIR", folder.join("target"));
    cargo
}

/// Seconds of the processor that all processes have used that were started from here and have ended.
fn of_children() -> Result<f64> {
    let stat = fs::read_to_string("/proc/self/stat").context("only Linux tells of processes")?;
    ticks(&stat)
        .map(|ticks| ticks as f64 / 100.0)
        .context("what Linux tells of processes is not as expected")
}

/// The fields `cutime` and `cstime` of `proc_pid_stat(5)`, of which there are 100 a second, together.
fn ticks(stat: &str) -> Option<u64> {
    // The name of the program, which may have spaces, is in parentheses; after it comes the third field.
    let (_, rest) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let number = |at: usize| fields.get(at - 3)?.parse::<u64>().ok();
    Some(number(16)? + number(17)?)
}

fn write(how: &How, rows: &[Row]) -> String {
    let mut text = format!(
        "{}`cargo xtask bench build`: each program of `examples/` as a crate of its own, of which the dependencies are built: \
         seconds of the\nprocessor in all processes (build script, nvcc, rustc, linker), and the size of the release build's \
         executable; {}.\n`nothing` is a program without a block.\n\n\
         | program | lines | dev, s | release, s | MiB |\n|---|--:|--:|--:|--:|\n",
        how.title(),
        how.rustc
    );
    for row in rows {
        let [dev, release] = row.seconds;
        let size = row.size as f64 / f64::from(1 << 20);
        let _ = writeln!(
            text,
            "| `{}` | {} | {dev:.1} | {release:.1} | {size:.1} |",
            row.program, row.lines
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::ticks;

    #[test]
    fn processes_are_told_apart_from_their_names() {
        let stat = "7 (a (b) c) S 1 7 7 0 -1 4194560 100 200 0 0 5 6 70 8 20 0 1 0 100 1000 100";
        assert_eq!(ticks(stat), Some(78));
        assert_eq!(ticks("7 (a) S 1"), None);
    }
}
