//! The images of every artifact: what nvcc and ptxas make, and what is said where they cannot.

use crate::architectures::Architectures;
use crate::cache::Cache;
use crate::container::{Content, Image};
use crate::{nvcc, ptxas, warn};
use accelerate_compiler::Compiled;
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::path::Path;

/// What came of the kernels.
#[derive(Default)]
pub(crate) struct Images {
    /// By artifact: PTX, the portable one first, then cubins.
    pub(crate) made: BTreeMap<String, Vec<Image>>,
    /// By artifact, what nvcc finds wrong with our code.
    pub(crate) refused: BTreeMap<String, String>,
}

/// How images are made: what `Config` and the environment say.
pub(crate) struct Settings<'a> {
    pub(crate) architectures: Architectures,
    /// Further arguments for nvcc.
    pub(crate) nvcc: &'a [String],
    /// Whether it is an error if there are no images.
    pub(crate) required: bool,
}

/// Makes them; without a working nvcc none, and without a working ptxas PTX alone.
///
/// # Errors
/// If CUDA is required and anything is missing.
pub(crate) fn build(
    sources: &[(&str, &Compiled)],
    settings: &Settings<'_>,
    package: &Path,
    cache: &Cache,
) -> Result<Images> {
    let (architectures, required) = (&settings.architectures, settings.required);
    let lacking = |missing: anyhow::Error, instead: &str| -> Result<()> {
        if required {
            return Err(missing).context("CUDA is required");
        }
        warn(&format!(
            "{missing}; {instead} (set `ACCELERATE_CUDA=require` to make this an error)"
        ));
        Ok(())
    };
    let compiled = nvcc::compile_all(
        sources,
        &architectures.compiled(),
        settings.nvcc,
        package,
        cache,
    );
    let (nvcc, compiled) = match compiled {
        Ok(compiled) => compiled,
        Err(missing) => {
            lacking(missing, "the CPU will be used")?;
            return Ok(Images::default());
        }
    };
    let assembled = match architectures.sass.is_empty() {
        true => ptxas::Outcome::default(),
        false => ptxas::assemble_all(sources, &architectures.sass, &compiled.ptx, &nvcc, cache)
            .or_else(|missing| {
                let instead = "no SASS is embedded, and drivers will compile the PTX";
                lacking(missing, instead).map(|()| ptxas::Outcome::default())
            })?,
    };
    let refusals = compiled.refusals.values().chain(&assembled.refusals);
    for refusal in refusals {
        if required {
            bail!("{}", refusal.report());
        }
        warn(&refusal.to_string());
    }
    for failure in compiled.failures.iter().chain(&assembled.failures) {
        if required {
            bail!("{failure}");
        }
        warn(failure);
    }
    let of = |artifact: &str, hash: &str| {
        // The emulated device reads the first line.
        let ptx = |arch| {
            let ptx = compiled.ptx.get(artifact)?.get(arch)?;
            let named = format!("// accelerate-module: {hash}\n{ptx}");
            Some(Content::Ptx(named))
        };
        let cubin = |arch| {
            let cubin = assembled.cubins.get(artifact)?.get(arch)?;
            Some(Content::Cubin(cubin.clone()))
        };
        let image = |arch: &String, content: Option<Content>| {
            Some(Image {
                architecture: arch.clone(),
                content: content?,
            })
        };
        let ptx = architectures.ptx.iter().map(|arch| image(arch, ptx(arch)));
        let sass = (architectures.sass.iter()).map(|arch| image(arch, cubin(arch)));
        ptx.chain(sass).flatten().collect()
    };
    Ok(Images {
        made: (sources.iter())
            .map(|&(artifact, of_function)| {
                let images = of(artifact, &of_function.hash);
                (artifact.to_owned(), images)
            })
            .collect(),
        refused: (compiled.refusals.into_iter())
            .map(|(artifact, refusal)| (artifact, refusal.error))
            .collect(),
    })
}
