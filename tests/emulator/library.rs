//! Builds the emulated CUDA device: `libcuda.so.1`, for the build script of the tests and for `cargo xtask`.
//!
//! The library must never lie where cargo looks for libraries: a plain `cargo test` would load it in the driver's place.
//! Goes in: the sources of this folder. Comes out: `<to>/libcuda.so.1`, a link `libcuda.so`, and the headers that kernels
//! are compiled with. Nothing is done that is up to date.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, thread};

/// What a kernel's file is compiled with.
const HEADERS: [&str; 3] = ["device.h", "device_math.h", "device_api.h"];

/// Builds the library from `sources` into `to`, with `flags` (such as `-fsanitize=address`) added; returns its path.
/// An error is a text that says what is missing or wrong.
pub(crate) fn build(sources: &Path, to: &Path, flags: &[&str]) -> Result<PathBuf, String> {
    let compiler = std::env::var("CXX").unwrap_or_else(|_| String::from("g++"));
    let in_folder = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    fs::create_dir_all(to).map_err(|error| in_folder(to, error))?;
    let mut files: Vec<PathBuf> = fs::read_dir(sources)
        .map_err(|error| in_folder(sources, error))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    files.sort();
    for header in HEADERS {
        copy_if_changed(&sources.join(header), &to.join(header))?;
    }
    let newest = files.iter().filter_map(|file| modified(file)).max();
    let library = to.join("libcuda.so.1");
    if modified(&library) > newest && to.join("libcuda.so").exists() {
        return Ok(library);
    }
    let units: Vec<&PathBuf> = files
        .iter()
        .filter(|file| file.extension().is_some_and(|e| e == "cpp"))
        .collect();
    let compile = |unit: &&&PathBuf| {
        let object = to
            .join(unit.file_stem().unwrap_or_default())
            .with_extension("o");
        let mut command = Command::new(&compiler);
        command.args([
            "-std=c++20",
            "-O2",
            "-g1",
            "-Wall",
            "-Wextra",
            "-fPIC",
            "-fvisibility=hidden",
            "-c",
        ]);
        command.args(flags).arg(unit).arg("-o").arg(&object);
        run(command).map(|()| object)
    };
    let parallel = thread::available_parallelism().map_or(1, usize::from);
    let mut objects = Vec::new();
    for group in units.iter().collect::<Vec<_>>().chunks(parallel) {
        let done: Vec<Result<PathBuf, String>> = thread::scope(|scope| {
            let running: Vec<_> = group
                .iter()
                .map(|unit| scope.spawn(|| compile(unit)))
                .collect();
            running
                .into_iter()
                .map(|one| {
                    one.join()
                        .unwrap_or_else(|_| Err(String::from("a compilation panicked")))
                })
                .collect()
        });
        for object in done {
            objects.push(object?);
        }
    }
    let mut command = Command::new(&compiler);
    // cudarc asks for `libcuda.so` first: with that name inside, a copy that is loaded already is found by it.
    command
        .args(["-shared", "-Wl,-soname,libcuda.so"])
        .args(flags)
        .args(&objects)
        .arg("-ldl")
        .arg("-o")
        .arg(&library);
    run(command)?;
    let link = to.join("libcuda.so");
    let _ = fs::remove_file(&link);
    #[cfg(unix)]
    std::os::unix::fs::symlink("libcuda.so.1", &link).map_err(|error| in_folder(&link, error))?;
    Ok(library)
}

fn modified(path: &Path) -> Option<std::time::SystemTime> {
    fs::metadata(path).ok()?.modified().ok()
}

fn copy_if_changed(from: &Path, to: &Path) -> Result<(), String> {
    let text = fs::read(from).map_err(|error| format!("{}: {error}", from.display()))?;
    if fs::read(to).is_ok_and(|old| old == text) {
        return Ok(());
    }
    fs::write(to, text).map_err(|error| format!("{}: {error}", to.display()))
}

fn run(mut command: Command) -> Result<(), String> {
    let output = command
        .output()
        .map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!(
        "{command:?} failed:\n{}",
        String::from_utf8_lossy(&output.stderr)
    ))
}
