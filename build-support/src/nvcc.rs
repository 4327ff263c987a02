//! nvcc: finding one that works, and running it.

use crate::cache::{Cache, Key};
use crate::flags::flags;
use accelerate_compiler::Compiled;
use anyhow::{Context, Result, anyhow, bail};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What came of the kernels.
#[derive(Default)]
pub(crate) struct Outcome {
    /// By artifact and by the number of the architecture.
    pub(crate) ptx: BTreeMap<String, BTreeMap<usize, String>>,
    /// By artifact, what it finds wrong with our code.
    pub(crate) refusals: BTreeMap<String, Refusal>,
    /// Why others were not compiled.
    pub(crate) failures: Vec<String>,
}

/// CUDA C that nvcc does not take: a bug of ours, or of a foreign function.
#[derive(Debug)]
pub(crate) struct Refusal {
    /// The function.
    name: String,
    /// Whether it holds text of the user's.
    foreign: bool,
    /// nvcc's first error.
    pub(crate) error: String,
    /// The command and all that it said.
    said: String,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Refusal {
            name,
            foreign,
            error,
            ..
        } = self;
        let repository = env!("CARGO_PKG_REPOSITORY");
        if *foreign {
            return write!(
                f,
                "nvcc refuses the CUDA code of `{name}`, which will run on the CPU: {error}\nit holds foreign functions: look whether \
                 their files declare them as `__device__`, with the names and types that they have in Rust"
            );
        }
        write!(
            f,
            "nvcc refuses the CUDA code of `{name}`, which will run on the CPU: {error}\nthis is a bug of accelerate, not of your \
             program: please report it with the function `{name}` at {repository}"
        )
    }
}

impl std::error::Error for Refusal {}

impl Refusal {
    /// With everything that nvcc said.
    pub(crate) fn report(&self) -> String {
        format!("{self}\n{}", self.said)
    }
}

/// A source that is not in the cache.
struct Missing<'a> {
    artifact: &'a str,
    name: &'a str,
    source: &'a str,
    arch: usize,
    key: Key,
}

/// The PTX of every source for every architecture, from the cache or from nvcc.
///
/// # Errors
/// If there is no working nvcc: what was tried.
pub(crate) fn compile_all(
    sources: &[(&str, &Compiled)],
    architectures: &[String],
    package: &Path,
    cache: &Cache,
) -> Result<Outcome> {
    let flags: Vec<Vec<String>> = architectures.iter().map(|arch| flags(arch)).collect();
    let mut tried = Vec::new();
    for (origin, path) in candidates(package) {
        let Some(nvcc) = Nvcc::at(&path) else {
            tried.push(format!("{origin}: {} does not run", path.display()));
            continue;
        };
        let mut outcome = Outcome::default();
        let mut missing = Vec::new();
        for &(artifact, compiled) in sources {
            let source = &*compiled.cuda.source;
            let images = outcome.ptx.entry(artifact.to_owned()).or_default();
            for (arch, flags) in flags.iter().enumerate() {
                let key = Key::new(&["ptx", source, &flags.join(" "), &nvcc.version]);
                match cache.get(&key) {
                    Some(ptx) => {
                        images.insert(arch, ptx);
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
        let first = missing.first().map(|missing| &flags[missing.arch]);
        if let Some(Err(error)) = first.map(|flags| nvcc.probe(flags, cache)) {
            tried.push(format!("{origin}: {error:#}"));
            continue;
        }
        println!("cargo::rerun-if-changed={}", path.display());
        let results = in_parallel(&missing, |missing| {
            let flags = &flags[missing.arch];
            nvcc.compile(missing.name, missing.source, flags, &missing.key, cache)
        });
        for (missing, result) in missing.iter().zip(results) {
            match result {
                Ok(ptx) => {
                    let images = outcome.ptx.entry(missing.artifact.to_owned());
                    images.or_default().insert(missing.arch, ptx);
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
        return Ok(outcome);
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

/// An nvcc that says its version.
struct Nvcc {
    path: PathBuf,
    version: String,
    /// Whether it runs without random addresses. Its optimiser goes by them at places: the same source gave two different
    /// PTX files in one of six runs. A container may forbid this, and then they may differ.
    steady: bool,
}

impl Nvcc {
    fn at(path: &Path) -> Option<Nvcc> {
        let version = |steady: bool| {
            let output = Nvcc::command(path, steady).arg("--version").output().ok()?;
            let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
            (output.status.success() && !version.is_empty()).then_some(version)
        };
        let found = |steady: bool| {
            version(steady).map(|version| Nvcc {
                path: path.to_owned(),
                version,
                steady,
            })
        };
        found(true).or_else(|| found(false))
    }

    fn command(path: &Path, steady: bool) -> Command {
        if !steady {
            return Command::new(path);
        }
        let mut command = Command::new("setarch");
        command.arg("--addr-no-randomize").arg(path);
        command
    }

    /// Whether it can compile: an nvcc without a host compiler, or unpacked without its execute bits, cannot.
    fn probe(&self, flags: &[String], cache: &Cache) -> Result<()> {
        let path = self.path.to_string_lossy();
        let key = Key::new(&["probe", &path, &flags.join(" "), &self.version]);
        if cache.get(&key).is_some() {
            return Ok(());
        }
        let empty = "extern \"C\" __global__ void probe() {}\n";
        self.compile("probe", empty, flags, &key, cache).map(drop)
    }

    /// Compiles, and stores the PTX under the key.
    fn compile(
        &self,
        name: &str,
        source: &str,
        flags: &[String],
        key: &Key,
        cache: &Cache,
    ) -> Result<String> {
        let scratch = cache.scratch(key)?;
        let outcome = self.compile_in(&scratch, name, source, flags);
        // Nothing depends on the scratch files any more; what cannot be removed is in nobody's way.
        let _ = std::fs::remove_dir_all(&scratch);
        let ptx = outcome?;
        cache.put(key, &ptx)?;
        Ok(ptx)
    }

    fn compile_in(
        &self,
        scratch: &Path,
        name: &str,
        source: &str,
        flags: &[String],
    ) -> Result<String> {
        // A path without the user's name: nvcc hands it to tools that go by the locale.
        let [input, output] = ["kernels.cu", "kernels.ptx"].map(|file| scratch.join(file));
        std::fs::write(&input, source)
            .with_context(|| format!("cannot write {}", input.display()))?;
        let mut command = Nvcc::command(&self.path, self.steady);
        command.args(flags).arg("-o").arg(&output).arg(&input);
        let shown = format!("{command:?}");
        let result = command
            .output()
            .with_context(|| format!("cannot run {shown}"))?;
        if !result.status.success() {
            let said = String::from_utf8_lossy(&result.stderr);
            if said.contains("host compiler") || said.contains("cc1plus") {
                bail!(
                    "{} finds no host compiler (install g++): {}",
                    self.path.display(),
                    said.trim()
                );
            }
            return Err(Refusal {
                name: name.to_owned(),
                foreign: source.contains("\nnamespace foreign_"),
                error: first_error(&said, scratch)
                    .unwrap_or_else(|| format!("it ends with {}", result.status)),
                said: format!("{shown}\n{}", said.trim()),
            }
            .into());
        }
        std::fs::read_to_string(&output)
            .with_context(|| format!("nvcc left no {}", output.display()))
    }
}

/// The first error that nvcc tells, without the folder of its files.
fn first_error(said: &str, scratch: &Path) -> Option<String> {
    let lines = || said.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut errors = lines().filter(|line| line.contains("error"));
    let line = errors.next().or_else(|| lines().next())?;
    let folder = format!("{}/", scratch.display());
    Some(line.replace(&folder, ""))
}

/// Runs on as many threads as cargo allows.
fn in_parallel<T: Sync, R: Send>(items: &[T], run: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let jobs = std::env::var("NUM_JOBS")
        .ok()
        .and_then(|jobs| jobs.parse().ok());
    let threads = jobs.unwrap_or(1).min(items.len());
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((index, item)) = {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    items.get(index).map(|item| (index, item))
                } {
                    let result = run(item);
                    results
                        .lock()
                        .expect("no thread panics")
                        .push((index, result));
                }
            });
        }
    });
    let mut results = results.into_inner().expect("no thread panics");
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_their_order() {
        let items: Vec<usize> = (0..100).collect();
        assert_eq!(in_parallel(&items, |item| item * 2)[99], 198);
    }
}
