//! ptxas: finding the one that fits nvcc, and making cubins of PTX.

use crate::cache::{Cache, Key};
use crate::nvcc::{Nvcc, is_foreign};
use crate::parallel::in_parallel;
use crate::refusal::{Code, Refusal};
use crate::tool::{Said, Tool};
use accelerate_compiler::Compiled;
use anyhow::{Context, Result, anyhow};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What came of the PTX.
#[derive(Default)]
pub(crate) struct Outcome {
    /// By artifact and architecture.
    pub(crate) cubins: BTreeMap<String, BTreeMap<String, Vec<u8>>>,
    /// What it finds wrong with our code.
    pub(crate) refusals: Vec<Refusal>,
    /// Why others were not assembled.
    pub(crate) failures: Vec<String>,
}

/// A cubin that is not in the cache.
struct Missing<'a> {
    artifact: &'a str,
    name: &'a str,
    foreign: bool,
    ptx: String,
    arch: &'a str,
    key: Key,
}

/// The cubins of every source for every architecture whose PTX there is, from the cache or from ptxas.
///
/// # Errors
/// If there is no working ptxas: what was tried.
pub(crate) fn assemble_all(
    sources: &[(&str, &Compiled)],
    architectures: &[String],
    ptx: &BTreeMap<String, BTreeMap<String, String>>,
    nvcc: &Nvcc,
    cache: &Cache,
) -> Result<Outcome> {
    let mut tried = Vec::new();
    for path in candidates(nvcc.path()) {
        let Some(ptxas) = Tool::at(&path).map(Ptxas) else {
            tried.push(format!("{} does not run", path.display()));
            continue;
        };
        let mut outcome = Outcome::default();
        let mut missing = Vec::new();
        for &(artifact, compiled) in sources {
            let cubins = outcome.cubins.entry(artifact.to_owned()).or_default();
            for arch in architectures {
                let Some(ptx) = ptx.get(artifact).and_then(|of| of.get(arch)) else {
                    continue;
                };
                let ptx = marked(ptx, &compiled.hash);
                let key = ptxas.key("cubin", &ptx, arch);
                match cache.get(&key) {
                    Some(cubin) => {
                        cubins.insert(arch.clone(), cubin);
                    }
                    None => missing.push(Missing {
                        artifact,
                        name: &compiled.name,
                        foreign: is_foreign(&compiled.cuda.source),
                        ptx,
                        arch,
                        key,
                    }),
                }
            }
        }
        let first = missing.first().map(|missing| missing.arch);
        if let Some(Err(error)) = first.map(|arch| ptxas.probe(arch, nvcc, cache)) {
            tried.push(format!("{error:#}"));
            continue;
        }
        println!("cargo::rerun-if-changed={}", path.display());
        let results = in_parallel(&missing, |missing| ptxas.assemble(missing, cache));
        for (missing, result) in missing.iter().zip(results) {
            match result.map_err(anyhow::Error::downcast::<Refusal>) {
                Ok(cubin) => {
                    let cubins = outcome.cubins.entry(missing.artifact.to_owned());
                    cubins.or_default().insert(missing.arch.to_owned(), cubin);
                }
                Err(Ok(refusal)) => outcome.refusals.push(refusal),
                Err(Err(error)) => outcome.failures.push(format!("{error:#}")),
            }
        }
        return Ok(outcome);
    }
    let places = "beside nvcc, PATH";
    Err(match tried.is_empty() {
        true => anyhow!("ptxas not found (tried {places})"),
        false => anyhow!("no working ptxas (tried {places}): {}", tried.join("; ")),
    })
}

/// Where ptxas may be, best first: with the nvcc whose PTX it is to read.
fn candidates(nvcc: &Path) -> Vec<PathBuf> {
    let file = format!("ptxas{}", std::env::consts::EXE_SUFFIX);
    let mut list = vec![nvcc.with_file_name(&file)];
    // A toolkit may have links to its nvcc elsewhere.
    list.extend(nvcc.canonicalize().map(|path| path.with_file_name(&file)));
    let path = std::env::var_os("PATH").unwrap_or_default();
    list.extend(std::env::split_paths(&path).map(|folder| folder.join(&file)));
    list.retain(|path| path.is_file());
    list.dedup();
    list
}

/// PTX with a symbol that names its program: a cubin keeps no comments. The text that is embedded goes without: split by entry, it would
/// have to stay whole for a variable that has no value.
fn marked(ptx: &str, hash: &str) -> String {
    format!("{ptx}\n.visible .global .align 1 .b8 accelerate_module_{hash}[1];\n")
}

/// A ptxas that runs.
struct Ptxas(Tool);

impl Ptxas {
    fn key(&self, kind: &str, ptx: &str, arch: &str) -> Key {
        Key::new(&[kind, ptx, &flags(arch).join(" "), &self.0.version])
    }

    /// Whether it takes the PTX of this nvcc: that of an older toolkit does not.
    fn probe(&self, arch: &str, nvcc: &Nvcc, cache: &Cache) -> Result<()> {
        let ptx = nvcc.probe(arch, cache)?;
        let path = self.0.path.to_string_lossy();
        let key = self.key(&format!("probe of {path}"), &ptx, arch);
        if cache.get(&key).is_some() {
            return Ok(());
        }
        let made = cache.in_scratch(&key, |scratch| {
            self.assemble_in(scratch, &ptx, arch)?
                .map_err(|said| anyhow!("{path}: {}", said.error))
        });
        cache.put(&key, &made?)
    }

    /// Assembles, and stores the cubin under its key.
    fn assemble(&self, missing: &Missing<'_>, cache: &Cache) -> Result<Vec<u8>> {
        let Missing { ptx, arch, key, .. } = missing;
        let made = cache.in_scratch(key, |scratch| self.assemble_in(scratch, ptx, arch))?;
        let cubin = made.map_err(|Said { error, all }| Refusal {
            code: Code::Ptx((*arch).to_owned()),
            name: missing.name.to_owned(),
            foreign: missing.foreign,
            error,
            said: all,
        })?;
        cache.put(key, &cubin)?;
        Ok(cubin)
    }

    /// The cubin, or what it says against the PTX.
    fn assemble_in(
        &self,
        scratch: &Path,
        ptx: &str,
        arch: &str,
    ) -> Result<std::result::Result<Vec<u8>, Said>> {
        let [input, output] = ["kernels.ptx", "kernels.cubin"].map(|file| scratch.join(file));
        std::fs::write(&input, ptx).with_context(|| format!("cannot write {}", input.display()))?;
        let files = [&*input, &*output];
        if let Err(said) = self.0.make(&flags(arch), files, scratch)? {
            return Ok(Err(said));
        }
        let cubin = std::fs::read(&output)
            .with_context(|| format!("ptxas left no {}", output.display()))?;
        Ok(Ok(cubin))
    }
}

/// As for PTX: what the text leaves open must not be contracted either.
fn flags(arch: &str) -> [String; 3] {
    [
        format!("-arch=sm_{arch}"),
        "-O3".into(),
        "-fmad=false".into(),
    ]
}
