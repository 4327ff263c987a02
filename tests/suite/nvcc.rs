//! The PTX of every program through `ptxas`, in the version that the oldest drivers get: registers, spills and shared memory,
//! recorded in one snapshot. Registers are rounded up to eights, as the hardware hands them out.
//!
//! Where nvcc cannot run without random addresses (`build-support/src/nvcc.rs`; a container may forbid it), one source has one
//! PTX or another. What is recorded stands while no more than that is different: see [`Recorded`].

use crate::programs::{self, DRIVERS};
use crate::report::Report;
use accelerate::rt::pieces;
use accelerate_compiler::Options;
use harness::corpus::{self, Driver};
use rayon::prelude::*;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

const TIER: &str = "nvcc+ptxas";
/// Bytes that a thread may spill for the sake of occupancy, and by which two runs of nvcc may differ.
const FEW: u32 = 32;
/// Registers that a thread may have more or fewer than is recorded.
const STEP: u32 = 8;
/// Programs that look at the signs of floats as bits, and compute nothing with them.
const SIGNS: [&str; 2] = ["float_bits", "float_signs"];
const RECORDED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../snapshots/resources.snap");

/// Assembles what the build script has made.
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
    let Some(ptxas) = find("ptxas") else {
        return report.skip(TIER, selected.len(), "no ptxas found");
    };
    let recorded = Recorded::read(&std::fs::read_to_string(RECORDED).unwrap_or_default());
    let mut resources =
        String::from("program | entry | registers | spilled bytes | shared bytes\n");
    let table = |driver: &&Driver| {
        let compiled = corpus::compile(driver, &Options::default())?;
        let Some(artifact) = &compiled.artifact else {
            return Ok(Vec::new());
        };
        let path = Path::new(driver.artifacts).join(artifact);
        if !path.exists() {
            let refusal = Path::new(driver.artifacts).join(accelerate_compiler::refusal(artifact));
            let why = std::fs::read_to_string(refusal);
            let why = why.map(|error| format!("nvcc refuses it: {error}"));
            return Err(why.unwrap_or_else(|_| format!("no PTX: {} is missing", path.display())));
        }
        if SIGNS.contains(&driver.program) {
            signs(&path)?;
        }
        assemble(&ptxas, &path)
    };
    let tables: Vec<Result<Vec<Resources>, String>> = selected.par_iter().map(table).collect();
    for (driver, table) in selected.iter().zip(tables) {
        report.case(TIER, driver.program, || {
            for measured in table? {
                let Resources {
                    name,
                    registers,
                    spilled,
                    shared,
                } = recorded.settled(driver.program, measured);
                let _ = writeln!(
                    resources,
                    "{} | {name} | {registers} | {spilled} | {shared}",
                    driver.program
                );
            }
            Ok(())
        });
    }
    if report.selects("") {
        report.case(TIER, "resources", || {
            let mut settings = insta::Settings::clone_current();
            settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/../snapshots"));
            settings.set_prepend_module_to_snapshot(false);
            settings.set_omit_expression(true);
            settings.bind(|| insta::assert_snapshot!("resources", resources));
            Ok(())
        });
    }
}

/// What nvcc finds wrong with a text, if there is an nvcc. It optimises nothing.
pub(crate) fn refuses(text: &str) -> Option<String> {
    static NVCC: LazyLock<Option<PathBuf>> = LazyLock::new(|| find("nvcc"));
    let nvcc = NVCC.as_deref()?;
    let copy = copy(text, "cu").ok()?;
    let output = Command::new(nvcc)
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
/// No entry may need to spill. Up to [`FEW`] bytes ptxas spills by its own choice, for the registers that let one more block live
/// beside the others; what spills more must not do so where a block has a multiprocessor to itself.
fn assemble(ptxas: &Path, ptx: &Path) -> Result<Vec<Resources>, String> {
    // ptxas takes no NUL at the end, which the driver needs.
    let text = std::fs::read_to_string(ptx).map_err(|error| error.to_string())?;
    let text = as_old(text.trim_end_matches('\0'))?;
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
        let needed = match entry.spilled > FEW {
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
    keep(ptx, &all);
    Ok(entries)
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
fn signs(ptx: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(ptx).map_err(|error| error.to_string())?;
    let changes = |line: &&str| line.contains("neg.f") || line.contains("abs.f");
    match text.lines().find(changes) {
        Some(line) => Err(format!("a sign is changed by `{}`", line.trim())),
        None => Ok(()),
    }
}

/// What was recorded, by program and entry.
struct Recorded(HashMap<(String, String), Resources>);

impl Recorded {
    /// Of the text of a snapshot.
    fn read(text: &str) -> Recorded {
        let of_line = |line: &str| {
            let fields: Vec<&str> = line.split(" | ").collect();
            let [program, name, registers, spilled, shared] = fields[..] else {
                return None;
            };
            let resources = Resources {
                name: name.to_owned(),
                registers: registers.parse().ok()?,
                spilled: spilled.parse().ok()?,
                shared: shared.parse().ok()?,
            };
            Some(((program.to_owned(), name.to_owned()), resources))
        };
        Recorded(text.lines().filter_map(of_line).collect())
    }

    /// What to compare with the record: that itself, if nvcc's choice may be all that has changed. It may be where a thread has
    /// no more than [`STEP`] registers and spills no more than [`FEW`] bytes more or fewer, or as many as it has in
    /// registers instead: nvcc gave one text 56 registers, and 48 with 40 bytes. That no entry needs to spill is tested apart:
    /// see [`assemble`].
    fn settled(&self, program: &str, mut measured: Resources) -> Resources {
        measured.registers = measured.registers.next_multiple_of(STEP);
        let key = (program.to_owned(), measured.name.clone());
        match self.0.get(&key) {
            Some(recorded)
                if recorded.registers.abs_diff(measured.registers) <= STEP
                    && (recorded.spilled.abs_diff(measured.spilled) <= FEW
                        || recorded.bytes().abs_diff(measured.bytes()) <= FEW)
                    && recorded.shared == measured.shared =>
            {
                recorded.clone()
            }
            _ => measured,
        }
    }
}

/// What ptxas gives a thread of an entry, and its block.
#[derive(Clone)]
struct Resources {
    name: String,
    registers: u32,
    /// Bytes stored.
    spilled: u32,
    /// Bytes of the block.
    shared: u32,
}

impl Resources {
    /// What a thread has in registers and spills.
    fn bytes(&self) -> u32 {
        4 * self.registers + self.spilled
    }
}

/// What ptxas says of a text.
fn said(ptxas: &Path, text: &str) -> Result<String, String> {
    let copy = copy(text, "ptx")?;
    let output = Command::new(ptxas)
        .args(["-v", "-arch=sm_90", "-o", "/dev/null"])
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
fn keep(ptx: &Path, messages: &str) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ptxas");
    let name = ptx.with_extension("txt");
    if let Some(name) = name.file_name()
        && std::fs::create_dir_all(&folder).is_ok()
    {
        let _ = std::fs::write(folder.join(name), messages);
    }
}

/// The entries of which ptxas says so.
fn resources(messages: &str) -> Vec<Resources> {
    let (mut found, mut name, mut spilled) = (Vec::new(), String::new(), 0);
    for line in messages.lines() {
        if let Some((_, rest)) = line.split_once("Compiling entry function '") {
            name = rest.split('\'').next().unwrap_or_default().to_owned();
            spilled = 0;
        } else if line.contains("spill stores") {
            spilled += before(line, " bytes spill stores");
        } else if line.contains("Used ") {
            found.push(Resources {
                name: name.clone(),
                registers: before(line, " registers"),
                spilled,
                shared: before(line, " bytes smem"),
            });
        }
    }
    found
}

/// The number before a text in a line; 0 if it is not there.
fn before(line: &str, text: &str) -> u32 {
    let number = line
        .split_once(text)
        .and_then(|(before, _)| before.rsplit(' ').next());
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}
