//! What the suites of faults share: programs, and counting that tells what was skipped from what passed.

mod count;
pub mod scenario;

pub use count::Tier;

use std::path::Path;

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
