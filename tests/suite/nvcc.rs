//! The PTX of every program through `ptxas`, in the version that the oldest drivers get: registers, spills and shared memory,
//! recorded in one snapshot. Registers are rounded up to eights, as the hardware hands them out.
//!
//! Beside the toolkit's version and a digest of each program's CUDA C: compilation is deterministic, so a program is only compiled
//! again if one of them has changed, if a filter selects it, or if it is in the sample, which changes whenever any text does.
//!
//! Where nvcc cannot run without random addresses (see [`plain`]; a container may forbid it), one source has one
//! PTX or another. What is recorded stands while no more than that is different: see [`Recorded`].

mod recorded;
// What build scripts call nvcc with.
#[path = "../../build-support/src/flags.rs"]
mod flags;

use crate::entries::digest;
use crate::programs::{self, DRIVERS};
use crate::report::Report;
use accelerate::rt::pieces;
use accelerate_compiler::Options;
use harness::corpus::{self, Driver};
use rayon::prelude::*;
use recorded::{Recorded, Resources, resources};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

const TIER: &str = "nvcc+ptxas";
/// Of so many programs whose text has been measured before, one is again.
const AGAIN: u64 = 20;
/// Programs that look at the signs of floats as bits, and compute nothing with them.
const SIGNS: [&str; 2] = ["float_bits", "float_signs"];
const RECORDED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../snapshots/resources.snap");

/// A program with kernels.
struct Text {
    source: String,
    artifact: String,
    digest: u64,
}

/// What the snapshot has of a program.
struct Rows {
    digest: u64,
    entries: Vec<Resources>,
    is_measured: bool,
}

/// Compares the snapshot with what the toolkit makes.
pub(crate) fn run(report: &mut Report) {
    if !report.wants(TIER) {
        return;
    }
    let selected: Vec<_> = DRIVERS
        .iter()
        .filter(|driver| report.selects(driver.program))
        .collect();
    if !programs::has_ptx() {
        return report.skip(
            TIER,
            selected.len(),
            "no nvcc when the suite was built: `cargo xtask cuda` fetches it",
        );
    }
    let [Some(nvcc), Some(ptxas)] = ["nvcc", "ptxas"].map(find) else {
        return report.skip(TIER, selected.len(), "no nvcc, or no ptxas");
    };
    let began = Instant::now();
    let toolkit = toolkit(&nvcc);
    let recorded = Recorded::read(&std::fs::read_to_string(RECORDED).unwrap_or_default());
    let texts: Vec<Result<Option<Text>, String>> =
        selected.par_iter().map(|driver| text(driver)).collect();
    let all = (texts.iter().flatten().flatten()).fold(0, |all: u64, text| all ^ text.digest);
    let stands = |driver: &Driver| {
        let again = digest(&format!("{} {all}", driver.program)).is_multiple_of(AGAIN);
        let is_asked_for = again || SIGNS.contains(&driver.program) || !report.selects("");
        !is_asked_for && recorded.toolkit == toolkit
    };
    let found = |(driver, text): (&&Driver, Result<Option<Text>, String>)| {
        let Some(text) = text? else {
            return Ok(None);
        };
        let digest = text.digest;
        let known = recorded.of(driver.program, digest);
        if let Some(entries) = known.filter(|_| stands(driver)) {
            return Ok(Some(Rows {
                digest,
                entries,
                is_measured: false,
            }));
        }
        let entries = measured(driver, &text, &nvcc, &ptxas)?.into_iter();
        let entries = entries.map(|measured| recorded.settled(driver.program, measured));
        Ok(Some(Rows {
            digest,
            entries: entries.collect(),
            is_measured: true,
        }))
    };
    let found: Vec<Result<Option<Rows>, String>> =
        (selected.par_iter().zip(texts)).map(found).collect();
    let mut snapshot = recorded::head(&toolkit);
    let mut count = 0;
    for (driver, found) in selected.iter().zip(found) {
        report.case(TIER, driver.program, || {
            if let Some(rows) = found? {
                count += usize::from(rows.is_measured);
                snapshot.push_str(&recorded::rows(driver.program, rows.digest, &rows.entries));
            }
            Ok(())
        });
    }
    report.count(TIER, "measured", count);
    report.spent(TIER, "all", began.elapsed());
    if report.selects("") {
        report.case(TIER, "resources", || {
            let mut settings = insta::Settings::clone_current();
            settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/../snapshots"));
            settings.set_prepend_module_to_snapshot(false);
            settings.set_omit_expression(true);
            settings.bind(|| insta::assert_snapshot!("resources", snapshot));
            Ok(())
        });
    }
}

/// nvcc with nothing from its environment, and without random addresses, if that can be.
fn plain(nvcc: &Path) -> Command {
    static STEADY: LazyLock<bool> = LazyLock::new(|| {
        let tried = Command::new("setarch").args([SAME, "true"]).output();
        tried.is_ok_and(|output| output.status.success())
    });
    let mut command = match *STEADY {
        true => {
            let mut command = Command::new("setarch");
            command.arg(SAME).arg(nvcc);
            command
        }
        false => Command::new(nvcc),
    };
    for name in ["NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS"] {
        command.env_remove(name);
    }
    command
}

const SAME: &str = "--addr-no-randomize";

/// What a toolkit says of its version.
fn toolkit(nvcc: &Path) -> String {
    let said = plain(nvcc).arg("--version").output();
    let said = said.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let said = said.unwrap_or_default();
    said.lines().last().unwrap_or_default().trim().to_owned()
}

/// The CUDA C of a program, which the build script's nvcc has taken.
fn text(driver: &Driver) -> Result<Option<Text>, String> {
    let compiled = corpus::compile(driver, &Options::default())?;
    let Some(artifact) = compiled.artifact else {
        return Ok(None);
    };
    let path = Path::new(driver.artifacts).join(&artifact);
    if !path.exists() {
        let refusal = Path::new(driver.artifacts).join(accelerate_compiler::refusal(&artifact));
        let why = std::fs::read_to_string(refusal);
        let why = why.map(|error| format!("nvcc refuses it: {error}"));
        return Err(why.unwrap_or_else(|_| format!("no PTX: {} is missing", path.display())));
    }
    let source = compiled.cuda.source;
    let arguments = [&flags::flags(ARCHITECTURE), &PTXAS.map(str::to_owned)[..]].concat();
    Ok(Some(Text {
        digest: digest(&format!("{}\n{source}", arguments.join(" "))),
        source,
        artifact,
    }))
}

/// What ptxas gives the entries of a program.
fn measured(
    driver: &Driver,
    text: &Text,
    nvcc: &Path,
    ptxas: &Path,
) -> Result<Vec<Resources>, String> {
    let input = copy(&text.source, "cu")?;
    let output = input.with_extension("ptx");
    let mut command = plain(nvcc);
    command.args(flags::flags(ARCHITECTURE)).arg("-o");
    let said = command.arg(&output).arg(&input).output();
    let ptx = std::fs::read_to_string(&output);
    for path in [input, output] {
        let _ = std::fs::remove_file(path);
    }
    let said = said.map_err(|error| format!("{}: {error}", nvcc.display()))?;
    let ptx = ptx.map_err(|_| {
        let said = String::from_utf8_lossy(&said.stderr);
        format!("nvcc refuses it: {}", said.trim())
    })?;
    if SIGNS.contains(&driver.program) {
        signs(&ptx)?;
    }
    let (entries, messages) = assemble(ptxas, &ptx)?;
    keep(&text.artifact, &messages);
    Ok(entries)
}

/// Which PTX is measured, and by what.
const ARCHITECTURE: &str = "80";
const PTXAS: [&str; 2] = ["-v", "-arch=sm_90"];

/// What nvcc finds wrong with a text, if there is an nvcc. It optimises nothing.
pub(crate) fn refuses(text: &str) -> Option<String> {
    static NVCC: LazyLock<Option<PathBuf>> = LazyLock::new(|| find("nvcc"));
    let nvcc = NVCC.as_deref()?;
    let copy = copy(text, "cu").ok()?;
    let output = plain(nvcc)
        .args([
            "-ptx",
            "-std=c++17",
            "-arch=compute_80",
            "-O0",
            "-Xcicc",
            "-O0",
            "-o",
            "/dev/null",
        ])
        .arg(&copy)
        .output();
    let _ = std::fs::remove_file(&copy);
    let output = output.ok()?;
    let said = String::from_utf8_lossy(&output.stderr);
    (!output.status.success()).then(|| format!("nvcc refuses it: {}", said.trim()))
}

/// A file of this text, by itself.
fn copy(text: &str, extension: &str) -> Result<PathBuf, String> {
    static COPIES: AtomicUsize = AtomicUsize::new(0);
    let number = COPIES.fetch_add(1, Ordering::Relaxed);
    let copy = format!(
        "accelerate-suite-{}-{number}.{extension}",
        std::process::id()
    );
    let copy = std::env::temp_dir().join(copy);
    std::fs::write(&copy, text).map_err(|error| error.to_string())?;
    Ok(copy)
}

/// A tool of the toolkit, wherever that is.
fn find(tool: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2)?;
    let mut folders = vec![root.join(".cuda/nvidia/cu13/bin")];
    folders.extend(std::env::split_paths(
        &std::env::var_os("PATH").unwrap_or_default(),
    ));
    folders.push(PathBuf::from("/usr/local/cuda/bin"));
    for variable in ["ACCELERATE_NVCC", "NVCC"] {
        folders.extend(
            std::env::var_os(variable)
                .and_then(|nvcc| Path::new(&nvcc).parent().map(Path::to_owned)),
        );
    }
    folders
        .into_iter()
        .map(|folder| folder.join(tool))
        .find(|path| path.is_file())
}

/// One line per entry: registers, spilled bytes, shared bytes. Each is assembled by itself, as devices load it; the entries of all pieces
/// are those of the text.
///
/// No entry may need to spill. Up to [`recorded::FEW`] bytes ptxas spills by its own choice, for the registers that let one more block live
/// beside the others; what spills more must not do so where a block has a multiprocessor to itself.
fn assemble(ptxas: &Path, ptx: &str) -> Result<(Vec<Resources>, String), String> {
    let text = as_old(ptx)?;
    let declared: Vec<String> = (text.lines())
        .filter_map(|line| line.strip_prefix(".visible .entry "))
        .map(|rest| rest.trim_end_matches('(').to_owned())
        .collect();
    let pieces = pieces(text);
    if pieces.len() != declared.len() {
        let (pieces, entries) = (pieces.len(), declared.len());
        return Err(format!("{pieces} pieces for {entries} entries"));
    }
    let (mut entries, mut all) = (Vec::new(), String::new());
    // As ptxas goes through a whole text.
    for (name, piece) in declared.iter().zip(&pieces).rev() {
        let piece = piece.to_string_lossy();
        let messages = said(ptxas, &piece)?;
        let [entry] = &resources(&messages)[..] else {
            return Err(format!(
                "not one entry in the piece of `{name}`:\n{messages}"
            ));
        };
        if entry.name != *name {
            return Err(format!("`{}` in the piece of `{name}`", entry.name));
        }
        let bound = |line: &&str| line.starts_with(".minnctapersm ");
        let unbound: Vec<&str> = piece.lines().filter(|line| !bound(line)).collect();
        let alone = (unbound.join("\n")).replace("\n.maxntid ", "\n.minnctapersm 1\n.maxntid ");
        let needed = match entry.spilled > recorded::FEW {
            false => 0,
            true => {
                (resources(&said(ptxas, &alone)?).first()).map_or(u32::MAX, |entry| entry.spilled)
            }
        };
        if needed > 0 {
            return Err(format!(
                "`{name}` needs to spill {needed} bytes, however many registers it gets"
            ));
        }
        entries.push(entry.clone());
        all.push_str(&messages);
    }
    Ok((entries, all))
}

/// PTX as the oldest drivers get it, which would refuse it under the version that the toolkit writes. ptxas makes the same of
/// both.
fn as_old(text: &str) -> Result<String, String> {
    let (head, rest) = text
        .split_once("\n.version ")
        .ok_or("PTX without a version")?;
    let (_, rest) = rest.split_once('\n').ok_or("PTX without code")?;
    Ok(format!("{head}\n.version 7.0\n{rest}"))
}

/// nvcc leaves operations on the bits of a float what they are: the device's own ones would make another NaN of a NaN.
fn signs(ptx: &str) -> Result<(), String> {
    let changes = |line: &&str| line.contains("neg.f") || line.contains("abs.f");
    match ptx.lines().find(changes) {
        Some(line) => Err(format!("a sign is changed by `{}`", line.trim())),
        None => Ok(()),
    }
}

/// What ptxas says of a text.
fn said(ptxas: &Path, text: &str) -> Result<String, String> {
    let copy = copy(text, "ptx")?;
    let output = Command::new(ptxas)
        .args(PTXAS)
        .args(["-o", "/dev/null"])
        .arg(&copy)
        .output();
    let _ = std::fs::remove_file(&copy);
    let output = output.map_err(|error| format!("{}: {error}", ptxas.display()))?;
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    match output.status.success() {
        true => Ok(messages),
        false => Err(format!("ptxas refuses this:\n{messages}\n{text}")),
    }
}

/// Keeps what ptxas says of an artifact, for `cargo xtask sass`. Who cannot read it asks ptxas.
fn keep(artifact: &str, messages: &str) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ptxas");
    let name = Path::new(artifact).with_extension("txt");
    if let Some(name) = name.file_name()
        && std::fs::create_dir_all(&folder).is_ok()
    {
        let _ = std::fs::write(folder.join(name), messages);
    }
}
