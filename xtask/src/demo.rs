//! `cargo xtask demo`: fetches nvcc if there is none, builds the examples with their PTX inside, processes the photograph
//! on the CPU and again through the CUDA path, on the emulated device, and compares the pictures.

use crate::command::{self, Built, build, command, root};
use crate::{cuda, emulator};
use anyhow::{Context, Result, bail};
use std::path::Path;

/// Runs the example on a device.
fn run_photo(built: &Built, device: &str, pictures: &Path) -> Result<()> {
    let mut photo = command(built.executable("photo")?);
    photo.args(["--device", device, "--output"]).arg(pictures);
    if device == "cuda" {
        let library = emulator::build().context("the emulated CUDA device needs g++")?;
        emulator::use_in(&mut photo, &library, &built.outputs)?;
    }
    std::fs::create_dir_all(pictures)?;
    command::run(&mut photo)
}

/// Runs the demonstration.
pub(crate) fn run() -> Result<()> {
    let nvcc = cuda::find_or_fetch()?;
    let photo = ["--package", "accelerate-rs-examples", "--bin", "photo"];
    let built = build(&[&["build", "--release"], &photo[..]].concat())?;
    let folder = root().join("target/pictures");
    let on_cpu = folder.join("cpu");
    println!("\n== on the CPU");
    run_photo(&built, "cpu", &on_cpu)?;
    if nvcc.is_none() {
        println!("\n== skipped: the CUDA path (no nvcc, so no PTX was embedded)");
        println!("\npictures: {}", on_cpu.display());
        return Ok(());
    }
    println!("\n== through the CUDA path, on the emulated device");
    let emulated = folder.join("emulated");
    run_photo(&built, "cuda", &emulated)?;
    let compared = compare(&on_cpu, &emulated)?;
    println!(
        "\n{compared} pictures, equal on both devices: {} and {}",
        on_cpu.display(),
        emulated.display()
    );
    Ok(())
}

/// Compares the pictures of two folders byte by byte; how many there are.
fn compare(one: &Path, other: &Path) -> Result<usize> {
    let mut count = 0;
    for entry in std::fs::read_dir(one)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default();
        let counterpart = other.join(name);
        if std::fs::read(&path)?
            != std::fs::read(&counterpart).with_context(|| counterpart.display().to_string())?
        {
            bail!("{} and {} differ", path.display(), counterpart.display());
        }
        count += 1;
    }
    if count == 0 {
        bail!("no pictures in {}", one.display());
    }
    Ok(count)
}
