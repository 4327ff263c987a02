//! nvcc: finding one that works, and running it.

use crate::cache::{Cache, Key};
use crate::flags::flags;
use crate::parallel::in_parallel;
use crate::refusal::{Code, Refusal};
use crate::tool::{Said, Tool};
use accelerate_compiler::Compiled;
use anyhow::{Context, Result, anyhow, bail};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Variables from which nvcc takes arguments.
pub(crate) const ENVIRONMENT: [&str; 2] = ["NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS"];

/// What came of the kernels.
#[derive(Default)]
pub(crate) struct Outcome {
    /// By artifact and architecture.
    pub(crate) ptx: BTreeMap<String, BTreeMap<String, String>>,
    /// By artifact, what it finds wrong with our code.
    pub(crate) refusals: BTreeMap<String, Refusal>,
    /// Why others were not compiled.
    pub(crate) failures: Vec<String>,
}

/// A source that is not in the cache.
struct Missing<'a> {
    artifact: &'a str,
    name: &'a str,
    source: &'a str,
    arch: &'a str,
    key: Key,
}

/// The PTX of every source for every architecture, from the cache or from the nvcc that is returned, too.
///
/// # Errors
/// If there is no working nvcc: what was tried.
pub(crate) fn compile_all(
    sources: &[(&str, &Compiled)],
    architectures: &[String],
    arguments: &[String],
    package: &Path,
    cache: &Cache,
) -> Result<(Nvcc, Outcome)> {
    let mut tried = Vec::new();
    for (origin, path) in candidates(package) {
        let Some(tool) = Tool::at(&path) else {
            tried.push(format!("{origin}: {} does not run", path.display()));
            continue;
        };
        let nvcc = Nvcc {
            tool,
            arguments: arguments.to_vec(),
        };
        let mut outcome = Outcome::default();
        let mut missing = Vec::new();
        for &(artifact, compiled) in sources {
            let source = &*compiled.cuda.source;
            let images = outcome.ptx.entry(artifact.to_owned()).or_default();
            for arch in architectures {
                let key = Key::new(&["ptx", source, &nvcc.key(arch), &nvcc.tool.version]);
                match cache.text(&key) {
                    Some(ptx) => {
                        images.insert(arch.clone(), ptx);
                    }
                    None => missing.push(Missing {
                        artifact,
                        name: &compiled.name,
                        source,
                        arch,
                        key,
                    }),
                }
            }
        }
        let first = missing.first().map(|missing| missing.arch);
        if let Some(Err(error)) = first.map(|arch| nvcc.probe(arch, cache)) {
            tried.push(format!("{origin}: {error:#}"));
            continue;
        }
        println!("cargo::rerun-if-changed={}", path.display());
        let results = in_parallel(&missing, |missing| {
            nvcc.compile(
                missing.name,
                missing.source,
                missing.arch,
                &missing.key,
                cache,
            )
        });
        for (missing, result) in missing.iter().zip(results) {
            match result {
                Ok(ptx) => {
                    let images = outcome.ptx.entry(missing.artifact.to_owned());
                    images.or_default().insert(missing.arch.to_owned(), ptx);
                }
                Err(error) => match error.downcast::<Refusal>() {
                    Ok(refusal) => {
                        let artifact = missing.artifact.to_owned();
                        outcome.refusals.entry(artifact).or_insert(refusal);
                    }
                    Err(error) => outcome.failures.push(format!("{error:#}")),
                },
            }
        }
        return Ok((nvcc, outcome));
    }
    let places = "ACCELERATE_NVCC, NVCC, CUDA_HOME, CUDA_PATH, PATH, /usr/local/cuda, the wheels of the active Python \
                  and .cuda in the workspace";
    if tried.is_empty() {
        Err(anyhow!("nvcc not found (tried {places})"))
    } else {
        Err(anyhow!(
            "no working nvcc (tried {places}): {}",
            tried.join("; ")
        ))
    }
}

/// Where nvcc may be, best first. A variable that names it goes alone.
fn candidates(package: &Path) -> Vec<(&'static str, PathBuf)> {
    let named = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    if let Some(path) = named("ACCELERATE_NVCC") {
        return vec![("ACCELERATE_NVCC", path.into())];
    }
    let file = format!("nvcc{}", std::env::consts::EXE_SUFFIX);
    let mut list = Vec::new();
    // `NVCC`, also with the target as prefix or suffix, as every crate with CUDA code reads it. Without it cc gives a
    // bare name, whether there is such a file or not.
    let tool = cc::Build::new()
        .cuda(true)
        .debug(false)
        .opt_level(3)
        .warnings(false)
        .cargo_metadata(false)
        .cargo_warnings(false)
        .try_get_compiler();
    if let Ok(tool) = tool
        && tool.path().is_absolute()
    {
        list.push(("NVCC", tool.path().to_owned()));
    }
    for name in ["CUDA_HOME", "CUDA_PATH"] {
        if let Some(root) = named(name) {
            list.push((name, PathBuf::from(root).join("bin").join(&file)));
        }
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    list.extend(std::env::split_paths(&path).map(|folder| ("PATH", folder.join(&file))));
    list.push((
        "/usr/local/cuda",
        Path::new("/usr/local/cuda/bin").join(&file),
    ));
    for folder in package.ancestors() {
        list.extend(wheels(&folder.join(".cuda")).map(|path| (".cuda", path)));
    }
    list.retain(|(_, path)| path.is_file());
    if list.is_empty() {
        // Asking Python costs some 30 ms: last.
        list.extend(python_wheels().map(|path| ("the wheels of Python", path)));
    }
    list.dedup_by(|a, b| a.1 == b.1);
    list
}

/// nvcc in a folder of installed wheels.
fn wheels(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let nvidia = folder.join("nvidia");
    ["cu13", "cuda_nvcc"]
        .map(|package| nvidia.join(package).join("bin/nvcc"))
        .into_iter()
        .filter(|path| path.is_file())
}

fn python_wheels() -> impl Iterator<Item = PathBuf> {
    let script = "import sysconfig; print(sysconfig.get_path('purelib'))";
    let output = Command::new("python3").args(["-c", script]).output();
    let folder = output
        .ok()
        .filter(|output| output.status.success())
        .and_then(|output| String::from_utf8(output.stdout).ok())
        .map(|text| PathBuf::from(text.trim()));
    folder.into_iter().flat_map(|folder| wheels(&folder))
}

/// An nvcc that runs.
pub(crate) struct Nvcc {
    tool: Tool,
    /// The user's, after ours.
    arguments: Vec<String>,
}

impl Nvcc {
    pub(crate) fn path(&self) -> &Path {
        &self.tool.path
    }

    /// What it is called with.
    fn flags(&self, arch: &str) -> Vec<String> {
        [flags(arch), self.arguments.clone()].concat()
    }

    /// That, and what it takes from its environment.
    fn key(&self, arch: &str) -> String {
        let mut all = self.flags(arch);
        all.extend(ENVIRONMENT.map(|name| std::env::var(name).unwrap_or_default()));
        all.join(" ")
    }

    /// The PTX of an empty kernel, if it can compile: an nvcc without a host compiler, or unpacked without its execute bits,
    /// cannot.
    pub(crate) fn probe(&self, arch: &str, cache: &Cache) -> Result<String> {
        let path = self.path().to_string_lossy();
        let key = Key::new(&["probe", &path, &self.key(arch), &self.tool.version]);
        if let Some(ptx) = cache.text(&key) {
            return Ok(ptx);
        }
        let empty = "extern \"C\" __global__ void probe() {}\n";
        self.compile("probe", empty, arch, &key, cache)
    }

    /// Compiles, and stores the PTX under the key.
    fn compile(
        &self,
        name: &str,
        source: &str,
        arch: &str,
        key: &Key,
        cache: &Cache,
    ) -> Result<String> {
        let compile = |scratch: &Path| self.compile_in(scratch, name, source, arch);
        let ptx = cache.in_scratch(key, compile)?;
        cache.put(key, ptx.as_bytes())?;
        Ok(ptx)
    }

    fn compile_in(&self, scratch: &Path, name: &str, source: &str, arch: &str) -> Result<String> {
        // A path without the user's name: nvcc hands it to tools that go by the locale.
        let [input, output] = ["kernels.cu", "kernels.ptx"].map(|file| scratch.join(file));
        std::fs::write(&input, source)
            .with_context(|| format!("cannot write {}", input.display()))?;
        let files = [&*input, &*output];
        if let Err(Said { error, all }) = self.tool.make(&self.flags(arch), files, scratch)? {
            if all.contains("host compiler") || all.contains("cc1plus") {
                bail!(
                    "{} finds no host compiler (install g++): {all}",
                    self.path().display()
                );
            }
            return Err(Refusal {
                code: Code::Cuda,
                name: name.to_owned(),
                foreign: is_foreign(source),
                error,
                said: all,
            }
            .into());
        }
        std::fs::read_to_string(&output)
            .with_context(|| format!("nvcc left no {}", output.display()))
    }
}

/// Whether CUDA C holds text of the user's.
pub(crate) fn is_foreign(source: &str) -> bool {
    source.contains("\nnamespace foreign_")
}
