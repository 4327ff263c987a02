//! Where the results go: files are written only when they change, and what no block names any more is removed.

use crate::Compilation;
use crate::cache::Cache;
use crate::container;
use crate::dump::{self, Wanted};
use crate::images::Images;
use crate::page;
use accelerate_compiler::{Built, Compiled};
use anyhow::{Context, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The directories of this package.
pub(crate) struct Directory {
    /// `OUT_DIR/accelerate`
    artifacts: PathBuf,
    /// `target`
    target: PathBuf,
    /// `target/accelerate/<package>`
    readable: PathBuf,
}

impl Directory {
    /// Finds and makes them.
    pub(crate) fn open() -> Result<Directory> {
        let out = PathBuf::from(crate::variable("OUT_DIR")?);
        // Cargo marks the target directory, if it has made it; `OUT_DIR` lies some levels below it, more of them with `--target`:
        // `target/debug/build/<package>-<hash>/out`.
        let marked = |path: &&Path| path.join("CACHEDIR.TAG").is_file();
        let target = (out.ancestors().find(marked)).or_else(|| out.ancestors().nth(4));
        let target = target.unwrap_or(&out).to_owned();
        let readable = target
            .join("accelerate")
            .join(crate::variable("CARGO_PKG_NAME")?);
        let artifacts = out.join("accelerate");
        for directory in [&artifacts, &readable] {
            std::fs::create_dir_all(directory)
                .with_context(|| format!("cannot make {}", directory.display()))?;
        }
        Ok(Directory {
            artifacts,
            target,
            readable,
        })
    }

    /// The PTX and the cubins of all packages of the workspace by content.
    pub(crate) fn cache(&self) -> Cache {
        Cache::new(self.target.join("accelerate-cache"))
    }

    /// Writes the images there are and the CUDA C of every function, and removes everything else.
    pub(crate) fn write(
        &self,
        wanted: &BTreeMap<&str, &Compiled>,
        Images { made, refused }: &Images,
    ) -> Result<()> {
        let mut files = BTreeMap::new();
        for (&artifact, compiled) in wanted {
            let source = Path::new(artifact).with_extension("cu");
            files.insert(source, compiled.cuda.source.clone().into_bytes());
            let images = made.get(artifact).filter(|images| !images.is_empty());
            if let Some(images) = images {
                let file = container::write(&compiled.hash, images);
                files.insert(artifact.into(), file);
            } else if let Some(error) = refused.get(artifact) {
                let file = accelerate_compiler::refusal(artifact);
                files.insert(file.into(), error.clone().into_bytes());
            }
        }
        replace(&self.artifacts, &files)
    }

    /// Writes every stage of every function, and a page of all of them; the header for C if there are functions for it; and the
    /// programs after the passes that `ACCELERATE_DUMP` names.
    pub(crate) fn write_readable(&self, blocks: &[Compilation], wanted: &Wanted) -> Result<()> {
        let mut files = BTreeMap::new();
        let mut names = BTreeMap::new();
        for Compilation {
            unit,
            file,
            dumped,
            text,
        } in blocks
        {
            for compiled in &unit.functions {
                // Functions of one name in different modules.
                let name = compiled.name.trim_start_matches("r#").to_owned();
                let other = names.insert(name.clone(), &compiled.hash);
                let stem = if other.is_some_and(|other| *other != compiled.hash) {
                    format!("{name}-{}", compiled.hash)
                } else {
                    name
                };
                let mut add = |extension: &str, text: String| {
                    let path = PathBuf::from(format!("{stem}.{extension}"));
                    files.insert(path, text.into_bytes());
                };
                add("ir", compiled.program.to_string());
                for (pass, text) in dumped.get(&compiled.name).into_iter().flatten() {
                    add(&format!("{pass}.ir"), text.clone());
                }
                add("plan", compiled.plan.to_string());
                let cuda = compiled.cuda.readable(file, &compiled.spans);
                add("html", page::page(compiled, text.as_ref(), &cuda));
                add("cu", compiled.cuda.prelude().to_owned() + &cuda);
                if wanted.holds(dump::RUST) {
                    let rust = unit.expand_function(compiled, Built::Nothing);
                    add("rs", formatted(rust.to_string()));
                }
            }
        }
        let package = crate::variable("CARGO_PKG_NAME")?;
        if let Some(header) = accelerate_compiler::header(
            &package,
            blocks.iter().flat_map(|block| block.unit.sources()),
        ) {
            files.insert(format!("{package}.h").into(), header.into_bytes());
        }
        replace(&self.readable, &files)
    }
}

/// Rust as rustfmt would have it, where there is one.
fn formatted(text: String) -> String {
    let run = || -> Option<String> {
        use std::io::Write as _;
        let mut child = Command::new(std::env::var_os("RUSTFMT").unwrap_or("rustfmt".into()))
            .args(["--edition", "2024", "--quiet"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let mut stdin = child.stdin.take()?;
        let input = text.clone();
        // From another thread: the child may fill its output before it has read everything.
        let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
        let output = child.wait_with_output().ok()?;
        writer.join().ok()?.ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        (output.status.success() && !text.is_empty()).then_some(text)
    };
    run().unwrap_or(text)
}

/// Makes a directory hold exactly these files, leaving alone those that are right.
fn replace(directory: &Path, files: &BTreeMap<PathBuf, Vec<u8>>) -> Result<()> {
    let names: BTreeSet<&Path> = files.keys().map(PathBuf::as_path).collect();
    for (name, content) in files {
        let path = directory.join(name);
        if std::fs::read(&path).is_ok_and(|old| old == *content) {
            continue;
        }
        std::fs::write(&path, content)
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    let entries = std::fs::read_dir(directory)
        .with_context(|| format!("cannot read {}", directory.display()))?;
    for entry in entries.flatten() {
        if !names.contains(Path::new(&entry.file_name())) && entry.path().is_file() {
            std::fs::remove_file(entry.path())
                .with_context(|| format!("cannot remove {}", entry.path().display()))?;
        }
    }
    Ok(())
}
