//! The tree: sizes, headers, layers, cycles of modules, and where `unsafe` may stand.

use crate::modules;
use crate::programs::DRIVERS;
use crate::report::Report;
use harness::corpus;
use std::fs;
use std::path::{Path, PathBuf};

const MOST_LINES: usize = 600;
/// A line for each program.
const PROGRAMS: &str = "tests/lane/src/lib.rs";
/// The part of the compiler that reads files, for drivers.
const READER: &str = "compiler/src/package/";
/// Files that may contain `unsafe`, or folders of them.
const UNSAFE: [&str; 11] = [
    "runtime/core/src",
    // The compiler forbids it in itself (`lib.rs`), but writes and reads the word.
    "compiler/",
    "tests/emulator/src/direct.rs",
    "tests/emulator/src/profile.rs",
    "tests/bundle/src/driver.rs",
    "tests/src/value.rs",
    // Where it is the user's.
    "tests/programs/scatters/scatter_unchecked.rs",
    "tests/helps/",
    "tests/emulator/src/lib.rs",
    "tests/emulator/tests/device.rs",
    "benches/src",
];
/// What a folder's code must not name: a layer knows nothing of those before it.
const LAYERS: [(&str, &[&str]); 5] = [
    (
        "compiler/src/codegen/cuda",
        &["ir::Program", "crate::lower", "crate::fuse", "crate::typed"],
    ),
    (
        "compiler/src/codegen/cpu",
        &["ir::Program", "crate::lower", "crate::fuse", "crate::typed"],
    ),
    (
        "compiler/src/ir",
        &["crate::plan", "crate::codegen", "crate::typed", "syn::"],
    ),
    (
        "compiler/src/plan",
        &[
            "crate::fuse",
            "crate::lower",
            "crate::codegen",
            "crate::typed",
        ],
    ),
    (
        "compiler/src",
        &[
            "std::fs",
            "std::env",
            "std::process",
            "std::time",
            "println!(",
        ],
    ),
];
const FORBIDDEN: [&str; 4] = ["todo!(", "unimplemented!()", "dbg!(", "#[ignore"];

/// Looks at every source file of the workspace.
pub(crate) fn run(report: &mut Report) {
    if !report.wants("tidy") {
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("the crate lies in the workspace");
    if !root.join("Cargo.toml").exists() {
        return report.skip("tidy", 1, "the sources are not here");
    }
    let mut files = Vec::new();
    collect(root, &mut files);
    files.sort();
    for path in files {
        let name = path
            .strip_prefix(root)
            .unwrap_or(&path)
            .to_string_lossy()
            .into_owned();
        if report.selects(&name) {
            report.case("tidy", &name, || check(&name, &path));
        }
    }
    report.case("tidy", "every program is in a crate", listed);
    report.case("tidy", "no cycles of modules", || modules::check(root));
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if path.is_dir() {
            if !name.starts_with('.') && !["target", "snapshots", "errors"].contains(&&*name) {
                collect(&path, files);
            }
        } else if path.extension().is_some_and(|e| {
            ["rs", "cuh", "cpp", "h", "cu", "py"]
                .iter()
                .any(|known| e == *known)
        }) {
            files.push(path);
        }
    }
}

fn check(name: &str, path: &Path) -> Result<(), String> {
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let lines = text.lines().count();
    if lines > MOST_LINES && name != PROGRAMS {
        return Err(format!("{lines} lines, more than {MOST_LINES}"));
    }
    let base = path.file_name().unwrap_or_default().to_string_lossy();
    if ["utils", "common", "misc", "helpers.rs"]
        .iter()
        .any(|word| base.starts_with(word))
        && !name.starts_with("tests/programs")
    {
        return Err("a name that says nothing".to_owned());
    }
    let header = match path.extension().and_then(|e| e.to_str()) {
        Some("rs") => text.starts_with("//!") || text.starts_with("#!"),
        Some("py") => text.starts_with("\"\"\""),
        _ => text.starts_with("//") || text.starts_with("/*"),
    };
    if !header {
        return Err("no header that says what the file is".to_owned());
    }
    if !name.ends_with(".rs") || name == "tests/suite/tidy.rs" {
        return Ok(());
    }
    let code = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let tests = text
        .find("#[cfg(test)]")
        .map_or(usize::MAX, |at| text[..at].lines().count());
    for (number, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("//") {
            continue;
        }
        if let Some(word) = FORBIDDEN.iter().find(|word| line.contains(**word)) {
            return Err(format!("line {}: `{word}`", number + 1));
        }
        let layer = LAYERS.iter().filter(|(folder, _)| {
            name.starts_with(folder)
                && number < tests
                && !name.contains("tests")
                && !name.starts_with(READER)
        });
        for (folder, words) in layer {
            if let Some(word) = words.iter().find(|word| line.contains(**word)) {
                return Err(format!("line {}: {folder} names `{word}`", number + 1));
            }
        }
    }
    let has_unsafe = code.into_iter().any(|line| {
        line.contains("unsafe {") || line.contains("unsafe fn") || line.contains("unsafe impl")
    });
    if has_unsafe && !UNSAFE.iter().any(|allowed| name.starts_with(allowed)) {
        return Err("`unsafe` outside of the listed files".to_owned());
    }
    Ok(())
}

/// Every program is in one of the crates of programs, and in a folder that the corpus' `README.md` tells of.
fn listed() -> Result<(), String> {
    let told = include_str!("../programs/README.md");
    for path in corpus::paths().values() {
        let folder = path.parent().and_then(Path::file_name);
        let folder = folder.unwrap_or_default().to_string_lossy();
        if !told.contains(&format!("| `{folder}` |")) {
            return Err(format!(
                "{}: `tests/programs/README.md` has no folder `{folder}`",
                path.display()
            ));
        }
    }
    let is_listed = |name: &str| DRIVERS.iter().any(|driver| driver.program == name);
    match corpus::paths().keys().find(|name| !is_listed(name)) {
        Some(name) => Err(format!(
            "`{name}` is neither in `tests/lane` nor in `tests/versions`"
        )),
        None => Ok(()),
    }
}
