//! From a program of the corpus to what ptxas makes of it and nvdisasm shows.

use super::listing::{Function, functions};
use super::suite;
use crate::command::{Built, root};
use crate::{corpus, cuda};
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "../../../build-support/src/flags.rs"]
mod flags;

const PTXAS: [&str; 2] = ["-v", "-arch=sm_90"];

/// The tools, found or fetched.
pub(super) struct Tools {
    nvcc: PathBuf,
    ptxas: PathBuf,
    nvdisasm: PathBuf,
    /// The compiler's example that shows stages.
    stages: PathBuf,
}

/// What ptxas says of an entry.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Resources {
    pub(super) entry: String,
    /// Of a block.
    pub(super) threads: u32,
    pub(super) registers: u32,
    /// Bytes stored.
    pub(super) spilled: u32,
    /// Bytes of a block.
    pub(super) shared: u32,
}

/// A program, assembled.
pub(super) struct Assembled {
    pub(super) resources: Vec<Resources>,
    /// As they are where what is usually so is always so, with marks on what one warp does alone.
    pub(super) functions: Vec<Function>,
    /// By entry, the elements that a thread has in hand at once.
    pub(super) items: BTreeMap<String, u32>,
}

impl Tools {
    /// `built`: with the compiler's example.
    pub(super) fn find(built: &Built) -> Result<Tools> {
        let Some(nvcc) = cuda::find_or_fetch()? else {
            bail!("no nvcc: `cargo xtask cuda` says why");
        };
        let ptxas = nvcc.with_file_name("ptxas");
        let nvdisasm = cuda::nvdisasm()?;
        Ok(Tools {
            nvcc,
            ptxas,
            nvdisasm,
            stages: built.executable("stages")?.to_owned(),
        })
    }

    /// Assembles a program of the corpus.
    pub(super) fn assemble(&self, program: &str) -> Result<Assembled> {
        let programs = corpus::programs(&root().join("tests/programs"));
        let path = programs.get(program);
        let path = path.with_context(|| format!("there is no program `{program}`"))?;
        let stage = |name: &str| text_of(Command::new(&self.stages).arg(path).arg(name));
        let source = stage("cuda")?;
        let folder = root().join("target/xtask/sass");
        fs::create_dir_all(&folder)?;
        let ordinary = folder.join(program);
        let usual = folder.join(format!("{program}-usual"));
        // What the suite has assembled need not be assembled again.
        let (messages, ptx) = match suite::assembled(&source) {
            Some(made) => made,
            None => self.made(&source, &ordinary, flags::flags("80"))?,
        };
        let mut arguments = flags::flags("80");
        arguments.push("-DACCELERATE_USUALLY".to_owned());
        self.made(&source, &usual, arguments)?;
        Ok(Assembled {
            resources: resources(&messages, &ptx),
            functions: self.listed(&usual)?,
            items: items(&stage("entries")?),
        })
    }

    /// Assembles CUDA C++ of another library, as it is compiled for sm_90.
    pub(super) fn assemble_library(
        &self,
        source: &str,
        name: &str,
        define: &str,
        include: &Path,
    ) -> Result<Assembled> {
        let folder = root().join("target/xtask/sass");
        fs::create_dir_all(&folder)?;
        let files = folder.join(name);
        let arguments = ["-arch=compute_90", "-ptx", "-std=c++17", "-O3"].map(str::to_owned);
        let mut arguments = arguments.to_vec();
        arguments.extend([format!("-D{define}"), format!("-I{}", include.display())]);
        let (messages, ptx) = self.made(source, &files, arguments)?;
        Ok(Assembled {
            resources: resources(&messages, &ptx),
            functions: self.listed(&files)?,
            items: BTreeMap::new(),
        })
    }

    /// What ptxas says, and the PTX; its cubin lies beside these files. What was made of the same text is still there.
    fn made(&self, source: &str, files: &Path, arguments: Vec<String>) -> Result<(String, String)> {
        let source = format!("// {} {}\n{source}", arguments.join(" "), PTXAS.join(" "));
        let file = |extension: &str| files.with_extension(extension);
        let (text, messages) = (file("cu"), file("txt"));
        let is_made = fs::read_to_string(&text).is_ok_and(|made| made == source);
        if !(is_made && messages.exists()) {
            for stale in [&messages, &file("json")] {
                let _ = fs::remove_file(stale);
            }
            fs::write(&text, &source)?;
            let mut nvcc = Command::new(&self.nvcc);
            text_of(nvcc.args(&arguments).arg("-o").arg(file("ptx")).arg(&text))?;
            let mut ptxas = Command::new(&self.ptxas);
            ptxas.args(PTXAS).arg("-o").arg(file("cubin"));
            fs::write(&messages, said(ptxas.arg(file("ptx")))?.1)?;
        }
        Ok((
            fs::read_to_string(&messages)?,
            fs::read_to_string(file("ptx"))?,
        ))
    }

    /// The functions of the cubin beside these files.
    fn listed(&self, files: &Path) -> Result<Vec<Function>> {
        let listing = files.with_extension("json");
        if !listing.exists() {
            let mut nvdisasm = Command::new(&self.nvdisasm);
            let cubin = files.with_extension("cubin");
            fs::write(&listing, text_of(nvdisasm.arg("-json").arg(cubin))?)?;
        }
        let listing = fs::read_to_string(&listing)?;
        functions(&listing).with_context(|| files.display().to_string())
    }
}

/// What a command that must succeed writes to its standard output.
fn text_of(command: &mut Command) -> Result<String> {
    Ok(said(command)?.0)
}

/// What it writes to its output and of errors.
fn said(command: &mut Command) -> Result<(String, String)> {
    let output = command.output();
    let output =
        output.with_context(|| format!("cannot start {}", crate::command::text(command)))?;
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        bail!("`{}` failed:\n{errors}", crate::command::text(command));
    }
    Ok((String::from_utf8_lossy(&output.stdout).into_owned(), errors))
}

/// Reads what ptxas has said, and the sizes of blocks in the PTX.
fn resources(messages: &str, ptx: &str) -> Vec<Resources> {
    let mut found = Vec::new();
    let mut one = Resources::default();
    for line in messages.lines() {
        if let Some((_, rest)) = line.split_once("Compiling entry function '") {
            let entry = rest.split('\'').next().unwrap_or_default().to_owned();
            one = Resources {
                threads: threads(ptx, &entry),
                entry,
                ..Resources::default()
            };
        } else if line.contains("spill stores") {
            one.spilled += before(line, " bytes spill stores");
        } else if line.contains("Used ") {
            one.registers = before(line, " registers");
            one.shared = before(line, " bytes smem");
            found.push(one.clone());
        }
    }
    found
}

/// Reads the compiler's table of entries: `name | regime | threads | items | ..`.
fn items(table: &str) -> BTreeMap<String, u32> {
    let read = |line: &str| {
        let mut columns = line.split('|').map(str::trim);
        let entry = columns.next()?.to_owned();
        Some((entry, columns.nth(2)?.parse().ok()?))
    };
    table.lines().filter_map(read).collect()
}

/// Threads of an entry's block: `.maxntid 256`, or with two more numbers.
fn threads(ptx: &str, entry: &str) -> u32 {
    let (_, rest) = ptx
        .split_once(&format!(".entry {entry}("))
        .unwrap_or_default();
    let (_, rest) = rest.split_once(".maxntid ").unwrap_or_default();
    let digits = rest.split(|c: char| !c.is_ascii_digit()).next();
    digits.and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

/// The number before a text in a line; 0 if it is not there.
fn before(line: &str, text: &str) -> u32 {
    let number = line
        .split_once(text)
        .and_then(|(before, _)| before.rsplit(' ').next());
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_read_from_the_table_of_entries() {
        let table = "entry | regime | threads | items | bits\nf | Block | 256 | 4 | 32\n";
        assert_eq!(items(table), BTreeMap::from([("f".to_owned(), 4)]));
    }

    #[test]
    fn what_ptxas_says_is_read() {
        let messages = "ptxas info    : Compiling entry function 'f' for 'sm_90'
ptxas info    : Function properties for f
    16 bytes stack frame, 12 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 40 registers, used 1 barriers, 128 bytes smem";
        let ptx = ".visible .entry f(\n)\n.maxntid 128, 1, 1\n{\n";
        let expected = Resources {
            entry: "f".to_owned(),
            threads: 128,
            registers: 40,
            spilled: 12,
            shared: 128,
        };
        assert_eq!(resources(messages, ptx), [expected]);
    }
}
