//! Compiles the kernels of a package's `accelerate!` blocks to PTX, and to SASS where asked: the one call in a build script.
//!
//! ```text
//! // build.rs
//! fn main() {
//!     accelerate_build::compile();
//! }
//! ```
//!
//! In: the sources of every target of the package. Out: one file of images (PTX and cubins) per public function in
//! `OUT_DIR/accelerate`, which the macro embeds; beside it the CUDA C; and for people program, plan and CUDA C in `target/accelerate/<package>`, with
//! `#line` where a statement comes from another line of the source, on the page `<function>.html` beside the text, and
//! `<package>.h` there, if functions have `#[export(c)]`.
//! Errors in a block are the macro's to report: here such a function is left out. Without a working nvcc there is one
//! warning, and the programs run on the CPU (or are compiled at run time where there is NVRTC). Code that nvcc does not take
//! is a bug of ours: a warning says so, and a file beside the images of the others, which the macro embeds, too.
//!
//! # Architectures
//!
//! `ACCELERATE_ARCH` and [`Config::arch`] list them with commas between:
//!
//! | target | embedded |
//! |---|---|
//! | `compute_90` | PTX: every GPU from 9.0 on takes it; the driver compiles it at a kernel's first launch |
//! | `sm_90` | SASS, a cubin that ptxas makes: GPUs of 9.0 to 9.x load it as it is |
//! | `90` | both |
//! | `90a`, `100f` and these with `compute_` or `sm_` | for 9.0 alone, for the family of 10.0 |
//! | `all` | `compute_80,sm_80,sm_90,sm_100,sm_120`, in the manner of nvcc's `-arch=all-major` |
//!
//! Portable PTX is always among them: `compute_80`, unless the list has another virtual architecture without a letter. It is the default, and all that a
//! debug build needs: SASS makes the binary larger and takes time to assemble, for programs that are started often or must
//! answer at once. A device takes its SASS, if there is any, and else PTX. Without a working ptxas (beside nvcc, or in `PATH`)
//! there is one warning, and PTX alone.
//!
//! # Variables
//!
//! `ACCELERATE_NVCC` names nvcc; `ACCELERATE_CUDA` is `require` (no nvcc is an error) or `off`; `ACCELERATE_ARCH` names
//! architectures. `ACCELERATE_DUMP` names passes of the compiler, or is `all`: what a function is after each of them is written to
//! `target/accelerate/<package>/<function>.<pass>.ir`, and for `rust` the code of the CPU and the host to `<function>.rs`.

mod architectures;
mod artifacts;
mod cache;
mod clock;
mod container;
mod dump;
mod flags;
mod images;
mod nvcc;
mod page;
mod parallel;
mod ptxas;
mod refusal;
mod tool;

use accelerate_compiler::package::{Block, Crate, Package};
use accelerate_compiler::{Compiled, Options, Sources, Unit, compile_observed};
use anyhow::{Context, Result, bail};
use architectures::Architectures;
use clock::Clock;
use dump::{Dump, Texts, Wanted};
use images::Images;
use page::Text;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Compiles every `accelerate!` block of the package, with the default settings.
pub fn compile() {
    Config::new().compile();
}

/// Settings, for build scripts that want others than the default.
#[derive(Clone, Debug, Default)]
pub struct Config {
    arch: Option<String>,
    nvcc: Vec<String>,
    require: bool,
}

impl Config {
    /// The default settings.
    pub fn new() -> Config {
        Config::default()
    }

    /// The architectures to compile for, such as `compute_80,sm_90` or `all`: see [the table](crate#architectures). The variable
    /// `ACCELERATE_ARCH` goes before.
    #[must_use]
    pub fn arch(mut self, arch: impl Into<String>) -> Config {
        self.arch = Some(arch.into());
        self
    }

    /// Further arguments for nvcc, after those that it has from here: `-lineinfo` shows profilers the lines of the CUDA C, and
    /// `["-Xcicc", "-O0"]` has PTX made sooner, of which the driver makes slow kernels. With arguments that change
    /// what floats are, such as `-use_fast_math`, results are not those of the CPU any more.
    #[must_use]
    pub fn nvcc_args(mut self, arguments: impl IntoIterator<Item = impl Into<String>>) -> Config {
        self.nvcc.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// Makes it an error if there is no working nvcc, as does `ACCELERATE_CUDA=require`.
    #[must_use]
    pub fn require_cuda(mut self) -> Config {
        self.require = true;
        self
    }

    /// Compiles every `accelerate!` block of the package. Ends the build script with an error if CUDA is required and
    /// cannot be had, or files cannot be written.
    pub fn compile(&self) {
        if let Err(error) = self.run() {
            eprintln!("accelerate: {error:#}");
            std::process::exit(1);
        }
    }

    fn run(&self) -> Result<()> {
        let variables = [
            "ACCELERATE_NVCC",
            "ACCELERATE_CUDA",
            "ACCELERATE_ARCH",
            "ACCELERATE_DUMP",
            "NVCC",
            "CUDA_HOME",
            "CUDA_PATH",
        ];
        for name in variables.iter().chain(&nvcc::ENVIRONMENT) {
            println!("cargo::rerun-if-env-changed={name}");
        }
        let package = PathBuf::from(variable("CARGO_MANIFEST_DIR")?);
        let sources = Package::new(&package);
        let found = sources.blocks();
        for path in &found.watched {
            println!("cargo::rerun-if-changed={}", path.display());
        }
        let dumped = Wanted::parse(&std::env::var("ACCELERATE_DUMP").unwrap_or_default())?;
        let blocks: Vec<Compilation> = found
            .blocks
            .into_iter()
            .map(|block| {
                let mut dump = Dump {
                    wanted: &dumped,
                    texts: Texts::new(),
                    observer: Clock::new(Instant::now),
                };
                let options = Options {
                    sources: read(&sources, &package, &block),
                    // The compiler's tests do, for bugs of its own: the programs of users need not pay for it.
                    verify: false,
                    ..Options::default()
                };
                let text = Text::of(&block.tokens);
                let file = block.file.strip_prefix(&package).unwrap_or(&block.file);
                let file = file.display().to_string();
                let unit = compile_observed(block.tokens, &options, &mut dump);
                dump.observer.slow().iter().for_each(|text| warn(text));
                Compilation {
                    unit,
                    file,
                    dumped: dump.texts,
                    text,
                }
            })
            .collect();
        let directory = artifacts::Directory::open()?;
        directory.write_readable(&blocks, &dumped)?;
        let mut wanted: BTreeMap<&str, &Compiled> = BTreeMap::new();
        for compiled in blocks.iter().flat_map(|block| &block.unit.functions) {
            if let Some(artifact) = &compiled.artifact {
                wanted.insert(artifact, compiled);
            }
        }
        let images = self.images(&wanted, &package, &directory.cache())?;
        directory.write(&wanted, &images)
    }

    /// The images of each artifact.
    fn images(
        &self,
        wanted: &BTreeMap<&str, &Compiled>,
        package: &Path,
        cache: &cache::Cache,
    ) -> Result<Images> {
        let mode = std::env::var("ACCELERATE_CUDA").unwrap_or_default();
        let required = self.require || mode == "require";
        if wanted.is_empty() || (mode == "off" && !self.require) {
            return Ok(Images::default());
        }
        if !matches!(&*mode, "" | "off" | "require") {
            bail!("ACCELERATE_CUDA is `{mode}`: expected `require`, `off` or nothing");
        }
        let arch = match std::env::var("ACCELERATE_ARCH") {
            Ok(arch) if !arch.is_empty() => arch,
            _ => (self.arch.clone()).unwrap_or_else(|| architectures::PORTABLE.into()),
        };
        let sources: Vec<(&str, &Compiled)> = wanted.iter().map(|(&name, &c)| (name, c)).collect();
        let settings = images::Settings {
            architectures: Architectures::parse(&arch)?,
            nvcc: &self.nvcc,
            required,
        };
        images::build(&sources, &settings, package, cache)
    }
}

/// A block, compiled.
struct Compilation {
    unit: Unit,
    /// Where it stands, as seen from the package.
    file: String,
    /// Its programs after the passes that `ACCELERATE_DUMP` names.
    dumped: Texts,
    /// As it is written.
    text: Option<Text>,
}

/// What a block needs of other files, which are looked at again when they change.
fn read(package: &Package, directory: &Path, block: &Block) -> Sources {
    let reader = package.reader(Crate::Root(block.root.clone()));
    let sources = Sources::read(&block.tokens, &reader);
    for file in sources.files.keys() {
        println!("cargo::rerun-if-changed={}", directory.join(file).display());
    }
    sources
}

/// A warning that cargo shows; it knows lines only.
fn warn(text: &str) {
    for line in text.lines() {
        println!("cargo::warning={line}");
    }
}

/// A variable that cargo sets for build scripts.
fn variable(name: &str) -> Result<String> {
    std::env::var(name).with_context(|| format!("{name} is not set: call this from a build script"))
}
