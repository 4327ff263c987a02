//! The emulated CUDA device, built for programs that are started with it in the driver's place.

#[path = "../../tests/emulator/library.rs"]
mod library;

use crate::command::root;
use anyhow::{Result, anyhow};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Builds the device outside of every folder that cargo searches for libraries; the folder it lies in.
pub(crate) fn build() -> Result<PathBuf> {
    let folder = root().join("target/accelerate-emulator");
    library::build(&root().join("tests/emulator/native"), &folder, &[])
        .map_err(|text| anyhow!(text))?;
    Ok(folder)
}

/// Makes a program find the device in `library`, and the CUDA C that build scripts left below their `outputs`.
pub(crate) fn use_in(command: &mut Command, library: &Path, outputs: &[PathBuf]) -> Result<()> {
    let sources = outputs.iter().map(|output| output.join("accelerate"));
    let sources = sources.filter(|folder| folder.is_dir());
    let mut path = vec![library.to_owned()];
    path.extend(std::env::split_paths(
        &std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default(),
    ));
    command.env("LD_LIBRARY_PATH", std::env::join_paths(path)?);
    command.env(
        "ACCELERATE_EMULATOR_SOURCES",
        std::env::join_paths(sources)?,
    );
    Ok(())
}
