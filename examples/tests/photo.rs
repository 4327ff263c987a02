//! The binary of `photo` holds the PTX of each of its functions, and each function has some.

use faults::{Tier, contains};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut tier = Tier::new("photo");
    let artifacts = Path::new(env!("OUT_DIR")).join("accelerate");
    let artifacts: Vec<PathBuf> = fs::read_dir(artifacts)
        .expect("the build script has run")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "images")
        })
        .collect();
    if artifacts.is_empty() {
        let reason = "no nvcc when this was built: `cargo xtask cuda` fetches it";
        tier.skip(1, reason);
    } else {
        tier.case("the PTX in the binary", || in_the_binary(&artifacts));
    }
    tier.finish()
}

fn in_the_binary(artifacts: &[PathBuf]) -> Result<(), String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/bin/photo.rs");
    let source = fs::read_to_string(source).expect("the source is here");
    let functions = source
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("pub fn "));
    let functions: Vec<&str> = functions
        .filter_map(|rest| rest.split('(').next())
        .collect();
    if functions.len() < 5 {
        return Err(format!("only {functions:?}"));
    }
    let binary = fs::read(env!("CARGO_BIN_EXE_photo")).expect("cargo has built it");
    for function in functions {
        let named = |path: &&PathBuf| {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            stem.rsplit_once('-')
                .is_some_and(|(name, _)| name == function)
        };
        let embedded = artifacts.iter().filter(named).any(|path| {
            let ptx = fs::read(path).expect("the build script wrote it");
            contains(&ptx, b".entry ") && contains(&binary, &ptx)
        });
        if !embedded {
            return Err(format!("no PTX of `{function}` in the binary"));
        }
    }
    Ok(())
}
