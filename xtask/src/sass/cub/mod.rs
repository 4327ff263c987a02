//! `cargo xtask sass --against cub`: what CUB's kernels cost an element for the same jobs, beside ours. CUB's headers are fetched
//! when this is asked for, and at no other time.

mod jobs;
mod table;

use super::budgets::BUDGETS;
use super::count::{self, Round};
use super::measure::{Measured, each};
use super::tools::{Assembled, Tools};
use crate::cuda;
use anyhow::{Context, Result, bail};
use jobs::{ALSO, JOBS, Job};
use std::fs;
use std::path::Path;
use table::{Compared, Counted};

const SOURCE: &str = include_str!("jobs.cu");

/// The table of the jobs that have this in a name.
pub(super) fn compare(filter: &str, tools: &Tools) -> Result<String> {
    let wanted = |job: &&Job| job.kernel.contains(filter) || job.entry.contains(filter);
    let jobs: Vec<&Job> = JOBS.iter().filter(wanted).collect();
    if jobs.is_empty() {
        bail!("no job has `{filter}` in its name");
    }
    let include = cuda::cub()?;
    let version = version(&include)?;
    // What was made of another version is not taken for this one's.
    let source = format!("// CUB {version}\n{SOURCE}");
    let defines = jobs.iter().map(|job| job.define).collect();
    let assembled = each(defines, |define| {
        let name = format!("cub-{}", define.to_lowercase());
        tools.assemble_library(&source, &name, define, &include)
    });
    let budgets = BUDGETS.iter().chain(&ALSO);
    let budgets = budgets.filter(|budget| jobs.iter().any(|job| job.kernel == budget.kernel));
    let measured = Measured::of(budgets.collect(), tools);
    let compared = jobs.iter().map(|job| {
        let rows = &mut measured.rows.iter();
        let assembled = assembled[job.define].as_ref();
        Compared {
            kernel: job.kernel,
            ours: rows.find(|row| row.budget.kernel == job.kernel),
            theirs: assembled
                .map_err(|error| format!("{error:#}"))
                .and_then(|assembled| counted(job, assembled).map_err(|why| format!("{why:#}"))),
            note: job.note,
        }
    });
    Ok(table::write(&version, &compared.collect::<Vec<_>>()))
}

/// CUB's version, as its headers have it.
fn version(include: &Path) -> Result<String> {
    let path = include.join("cub/version.cuh");
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let number = text.lines().find_map(|line| {
        let rest = line.strip_prefix("#define CUB_VERSION ")?;
        rest.split_whitespace().next()?.parse::<u32>().ok()
    });
    let number = number.with_context(|| format!("no version in {}", path.display()))?;
    let [major, minor, patch] = [number / 100_000, number / 100 % 1000, number % 100];
    Ok(format!("{major}.{minor}.{patch}"))
}

fn counted(job: &Job, assembled: &Assembled) -> Result<Counted> {
    let mut all = assembled.resources.iter();
    let resources = all.find(|one| one.entry.contains(job.entry));
    let resources = resources.with_context(|| format!("no entry has `{}`", job.entry))?;
    if all.any(|one| one.entry.contains(job.entry)) {
        bail!("several entries have `{}`", job.entry);
    }
    if resources.threads == 0 {
        bail!("`{}` does not tell its threads", job.entry);
    }
    let round = Round {
        anchor: job.anchor,
        elements: job.elements,
        items: 0,
        trips: job.trips,
        warps: f64::from(resources.threads) / 32.0,
        path: Some(job.path),
    };
    Ok(Counted {
        cost: count::count(&assembled.functions, &resources.entry, &round)?,
        resources: resources.clone(),
    })
}
