//! What the suites of faults share: programs, and counting that tells what was skipped from what passed.

mod count;
pub mod foreign;
pub mod scenario;
pub mod stream;

pub use count::Tier;

use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of this package's CUDA C and PTX.
pub const ARTIFACTS: &str = concat!(env!("OUT_DIR"), "/accelerate");

/// Loads the emulated device into this process, with this package's kernels to run.
///
/// # Errors
/// What is missing: g++ or nvcc.
pub fn emulated() -> Result<&'static emulator::Emulator, String> {
    if scenario::doubled::ptx().is_none() {
        return Err("no nvcc when this was built: `cargo xtask cuda` fetches it".into());
    }
    let emulator = emulator::load().map_err(|error| format!("{error:#}"))?;
    emulator::add_sources(Path::new(ARTIFACTS));
    Ok(emulator)
}

/// Builds a run-time compiler for the emulated device in a folder, where it also leaves what it compiles if that is the first
/// of the device's sources.
///
/// # Errors
/// What g++ says.
pub fn run_time_compiler(folder: PathBuf) -> Result<PathBuf, String> {
    let source = folder.join("nvrtc.cpp");
    let written = std::fs::create_dir_all(&folder)
        .and_then(|()| std::fs::write(&source, include_str!("../tests/nvrtc.cpp")));
    written.map_err(|error| format!("{}: {error}", source.display()))?;
    let output = Command::new(std::env::var_os("CXX").unwrap_or("g++".into()))
        .args(["-std=c++20", "-shared", "-fPIC", "-o"])
        .arg(folder.join("libnvrtc.so"))
        .arg(source)
        .output()
        .map_err(|error| error.to_string())?;
    match output.status.success() {
        true => Ok(folder),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

/// Whether a binary holds these bytes, such as a program's PTX.
pub fn contains(text: &[u8], part: &[u8]) -> bool {
    // By the first byte of the part: a window at every place of a binary takes seconds.
    let mut rest = text;
    while let Some(at) = rest.iter().position(|byte| *byte == part[0]) {
        if rest[at..].starts_with(part) {
            return true;
        }
        rest = &rest[at + 1..];
    }
    false
}
