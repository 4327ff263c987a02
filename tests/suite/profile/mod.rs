//! What accesses of kernels cost in memory, counted on the emulated device: sectors of its memory and wavefronts of a
//! block's, over as few as there could be; and that a plan moves the bytes that `COST` tells, in as many launches.
//!
//! Every entry of narrow indices is run, on extents that fill blocks and begin rows at sectors: what is above the best is then
//! the kernel's doing.

mod exceptions;

use crate::entries::{Draw, Loaded};
use crate::kept::Kept;
use crate::programs::DRIVERS;
use crate::report::Report;
use crate::traffic::Traffic;
use crate::workers;
use accelerate_compiler::ir::{Parameter, Program, eval};
use accelerate_compiler::plan::Polynomial;
use accelerate_compiler::{Compiled, Options};
use emulator::Emulator;
use emulator::profile::{Access, Place};
use exceptions::{GATHERS, LESS, OFFENDERS};
use harness::corpus::{self, Driver};
use harness::inputs::{self, Floats};
use harness::value::Arguments;
use std::collections::BTreeMap;

const TIER: &str = "profile";

/// Programs that together have every skeleton and every regime, and the extents of some: see [`sizes`].
const PROGRAMS: [(&str, &[(&str, u64)]); 47] = [
    ("saxpy", &[]),
    ("map_chain", &[]),
    ("small_integers", &[]),
    ("struct_parameter", &[]),
    ("outer_product", &[]),
    ("interleave", &[]),
    ("stack", &[]),
    ("gather", &[]),
    ("moving_average", &[]),
    ("jacobi", &[]),
    ("stencil_gauss", &[]),
    ("stencil_cube", &[]),
    ("stencil_canny", &[]),
    ("transpose", &[]),
    ("transpose_plus", &[("n", 128)]),
    ("transpose_batch", &[]),
    ("transpose_bytes", &[]),
    ("transpose_pairs", &[]),
    ("transpose_mirrored", &[("m", 64), ("n", 64)]),
    ("transpose_joined", &[]),
    ("permute_axes", &[]),
    ("permute_ranks", &[]),
    ("dotp", &[]),
    ("min_max", &[]),
    ("sum_rows", &[]),
    ("sum_columns", &[]),
    ("fold_columns", &[]),
    ("argmax_rows", &[]),
    ("matvec", &[]),
    ("softmax", &[("m", 16), ("n", 1024)]),
    ("layer_norm", &[("m", 16), ("n", 1024)]),
    ("matmul", &[]),
    (
        "product_batched",
        &[("k", 16), ("l", 2), ("m", 32), ("n", 64)],
    ),
    ("product_transposed", &[]),
    ("product_distances", &[]),
    ("min_plus", &[]),
    ("scan_cumsum", &[]),
    ("scan_affine", &[]),
    ("scan_columns", &[]),
    ("filter", &[]),
    ("partition", &[]),
    ("sort", &[]),
    ("scatter_sums", &[]),
    ("histogram", &[]),
    ("scatter_unique", &[]),
    ("smvm", &[("n", 8192), ("s", 256), ("x", 1024)]),
    ("segments_skewed", &[("n", 8192), ("s", 256)]),
];
/// Entries of one kernel whose threads keep what they have read of a row: no byte is read again.
const ONCE: [(&str, &str); 4] = [
    ("softmax", "softmax_rows_warp_32"),
    ("softmax", "softmax_rows_block"),
    ("layer_norm", "layer_norm_rows_warp_32"),
    ("layer_norm", "layer_norm_rows_block"),
];
/// Programs whose tables are compared under several seeds of the scheduler: one of each way in which threads work together.
const SEEDED: [&str; 8] = [
    "saxpy",
    "dotp",
    "sum_columns",
    "matmul",
    "scan_cumsum",
    "sort",
    "histogram",
    "segments_skewed",
];
const SEEDS: u64 = 5;

/// Extents by the number of symbols.
const EXTENTS: [&[u64]; 4] = [&[8192], &[64, 128], &[32, 64, 64], &[4, 16, 32, 64]];
/// Blocks of a launch.
const BLOCKS: u32 = 4;

/// Bytes of a sector.
const SECTOR: u64 = 32;
/// Sectors and wavefronts, over as few as there could be.
const SECTORS: f64 = 1.15;
const WAVEFRONTS: f64 = 2.0;
/// By how much a ratio may be below what is written of it.
const ROUNDED: f64 = 0.01;

/// Entries of a program that cost more. The lists may only shrink.
struct Offenders {
    program: &'static str,
    reason: &'static str,
    /// Entries, how they access memory, and the ratio of the worst place.
    places: &'static [(&'static str, Access, f64)],
}

/// Runs the tier.
pub(crate) fn run(report: &mut Report) {
    if !report.wants(TIER) {
        return;
    }
    let emulator = match emulator::load() {
        Ok(emulator) => emulator,
        Err(error) => {
            if workers::claims(report.claims(), TIER, "skipped") {
                report.skip(TIER, PROGRAMS.len(), &format!("{error:#}"));
            }
            return;
        }
    };
    let told = !report.is_much();
    for driver in DRIVERS.iter() {
        let extents = PROGRAMS
            .iter()
            .find(|(program, _)| *program == driver.program);
        let Some((program, extents)) = extents else {
            continue;
        };
        if !report.selects(program) || !workers::claims(report.claims(), TIER, program) {
            continue;
        }
        let mut offenders = 0;
        report.case(TIER, program, || {
            let asked = Asked::of(driver, extents)?;
            let seeds = match SEEDED.contains(program) {
                true => SEEDS,
                false => 1,
            };
            let found = asked.profile(emulator, &asked.compiled.cuda.source, seeds)?;
            if told {
                tell(&found.places);
            }
            asked.moves(&found.moved)?;
            asked.reads_once(&found.places)?;
            offenders = judge(program, &found.places)?;
            Ok(())
        });
        report.count(TIER, "offenders", offenders);
    }
    let planted = "an access that is apart is found";
    if report.selects("") && workers::claims(report.claims(), TIER, "planted") {
        report.case(TIER, planted, || plant(emulator));
    }
}

/// A program with its arguments.
struct Asked {
    program: &'static str,
    compiled: Compiled,
    arguments: Arguments,
    /// Of the parameters' extents and of scalars, as `COST` names them.
    symbols: BTreeMap<String, i64>,
}

/// What was counted.
struct Found {
    places: Vec<Place>,
    /// Of each run of all.
    moved: Vec<Traffic>,
}

impl Asked {
    fn of(driver: &Driver, extents: &[(&str, u64)]) -> Result<Asked, String> {
        let compiled = corpus::compile(driver, &Options::default())?;
        let header = corpus::header(driver.program);
        let sizes = sizes(&header, extents);
        let arguments = inputs::arguments(&compiled.lowered, &header, &sizes, Floats::Real, 1);
        let symbols = symbols(&compiled.lowered, &arguments);
        Ok(Asked {
            program: driver.program,
            compiled,
            arguments,
            symbols,
        })
    }

    /// Runs every entry of a text once under each seed. All seeds must give the same.
    fn profile(&self, emulator: &Emulator, text: &str, seeds: u64) -> Result<Found, String> {
        emulator.profile(true);
        let found = self.counted(emulator, text, seeds);
        emulator.profile(false);
        emulator.instrument(false);
        found
    }

    fn counted(&self, emulator: &Emulator, text: &str, seeds: u64) -> Result<Found, String> {
        let compiled = &self.compiled;
        let scalars: Vec<_> = self.arguments.scalars.iter().copied().collect();
        let arrays: Vec<eval::Array> = self.arguments.arrays.iter().cloned().collect();
        let loaded = Loaded::once(emulator, compiled, text, Kept::Narrow)?;
        let entries = |entries: &Vec<_>| Kept::Narrow.of(entries).len();
        let rounds = compiled.cuda.kernels.iter().map(entries).max().unwrap_or(0);
        let mut found: Option<Found> = None;
        for seed in 0..seeds {
            emulator.profile(true);
            emulator.seed(seed);
            emulator.residency(BLOCKS);
            emulator.end_of_page(false);
            let mut moved = Vec::new();
            for round in 0..rounds {
                let result = loaded.run_drawn(&scalars, &arrays, |entries| Draw {
                    entry: round % entries.len(),
                    grid: (BLOCKS, 1),
                    threads: entries[round % entries.len()].1.threads,
                    copies: 1,
                    most: u64::MAX,
                })?;
                result.map_err(|failed| format!("it fails: {failed:?}"))?;
                moved.push(loaded.moved());
            }
            let places = emulator.places();
            if let Some(first) = &found
                && (first.places != places || first.moved != moved)
            {
                let other = places.iter().find(|place| !first.places.contains(place));
                return Err(format!("seed {seed} gives another table: {other:?}"));
            }
            found.get_or_insert(Found { places, moved });
        }
        found.ok_or_else(|| "no seed".to_owned())
    }

    /// Whether so many bytes are moved as `COST` tells, in so many launches.
    fn moves(&self, moved: &[Traffic]) -> Result<(), String> {
        let cost = self.compiled.plan.static_cost();
        let less = LESS.iter().any(|(program, _)| *program == self.program);
        let told = |polynomial: &Polynomial| self.value(polynomial);
        let (read, written) = (told(&cost.read)?, told(&cost.written)?);
        let mut fewer = false;
        for moved in moved {
            let Traffic {
                launches,
                read: was_read,
                written: was_written,
            } = *moved;
            if launches > u64::from(cost.kernels) {
                return Err(format!(
                    "{launches} launches, and `COST` tells {}",
                    cost.kernels
                ));
            }
            if was_read > read || was_written > written {
                return Err(format!(
                    "{was_read} bytes are read and {was_written} written, and `COST` tells {read} and {written}"
                ));
            }
            fewer |= was_read < read || was_written < written;
            if fewer && !less {
                return Err(format!(
                    "only {was_read} bytes are read and {was_written} written, and `COST` tells {read} and {written}"
                ));
            }
        }
        match less && !fewer {
            true => Err("it moves what `COST` tells: remove it from the list".to_owned()),
            false => Ok(()),
        }
    }

    /// Whether the entries that keep what they have read read nothing again.
    fn reads_once(&self, places: &[Place]) -> Result<(), String> {
        let read = self.value(&self.compiled.plan.static_cost().read)?;
        let most = SECTORS * (read / SECTOR) as f64;
        for (_, entry) in ONCE.iter().filter(|(program, _)| *program == self.program) {
            let of_entry = |place: &&Place| place.kernel == *entry && place.access == Access::Read;
            let units: u64 = places
                .iter()
                .filter(of_entry)
                .map(|place| place.units)
                .sum();
            if units == 0 || units as f64 > most {
                return Err(format!(
                    "{entry}: {units} sectors are read, and `COST` tells {read} bytes"
                ));
            }
        }
        Ok(())
    }

    fn value(&self, polynomial: &Polynomial) -> Result<u64, String> {
        let mut sum = 0;
        for (factor, product) in &polynomial.terms {
            let mut term = *factor;
            for symbol in product {
                let known = self.symbols.get(symbol);
                term *=
                    known.ok_or_else(|| format!("`COST` has `{symbol}`, which has no value"))?;
            }
            sum += term;
        }
        Ok(sum as u64)
    }
}

/// Sizes of a program's symbols, in the order of their names.
fn sizes(header: &corpus::Header, named: &[(&str, u64)]) -> BTreeMap<String, u64> {
    let mut symbols: Vec<&String> = header.shapes.values().flatten().collect();
    symbols.sort();
    symbols.dedup();
    let extents = EXTENTS[symbols.len().saturating_sub(1).min(EXTENTS.len() - 1)];
    let usual = symbols
        .into_iter()
        .cloned()
        .zip(extents.iter().copied().cycle());
    let mut sizes: BTreeMap<String, u64> = usual.collect();
    sizes.extend(named.iter().map(|&(name, size)| (name.to_owned(), size)));
    sizes
}

/// What `COST` calls the extents and scalars of arguments.
fn symbols(program: &Program, arguments: &Arguments) -> BTreeMap<String, i64> {
    let mut symbols = BTreeMap::new();
    let (mut scalars, mut arrays) = (arguments.scalars.iter(), arguments.arrays.iter());
    for parameter in &program.parameters {
        match parameter {
            Parameter::Scalars { name, leaves } => {
                for (leaf, _) in leaves {
                    let name = match leaf.as_str() {
                        "" => name.clone(),
                        leaf => format!("{name}.{leaf}"),
                    };
                    symbols.extend(scalars.next().map(|scalar| (name, scalar.as_i64())));
                }
            }
            Parameter::Array { name, .. } => {
                let extents = arrays.next().map_or(&[][..], |array| &array.extents);
                for (axis, &extent) in extents.iter().enumerate() {
                    let symbol = match extents.len() {
                        1 => format!("{name}.len()"),
                        _ => format!("{name}.shape().{axis}"),
                    };
                    symbols.insert(symbol, extent as i64);
                }
            }
        }
    }
    symbols
}

/// The worst place of each kernel and access that is above its bound.
fn above(places: &[Place]) -> BTreeMap<(&str, Access), &Place> {
    let mut worst: BTreeMap<(&str, Access), &Place> = BTreeMap::new();
    for place in places {
        let bound = match place.access {
            // As many as the data say.
            Access::Atomic | Access::SharedAtomic => continue,
            Access::Read | Access::Write => SECTORS,
            Access::SharedRead | Access::SharedWrite => WAVEFRONTS,
        };
        if place.ratio() <= bound {
            continue;
        }
        let worst = worst.entry((&place.kernel, place.access)).or_insert(place);
        if place.ratio() > worst.ratio() {
            *worst = place;
        }
    }
    worst
}

/// Whether what is above its bound is known to be; how much that is.
fn judge(program: &str, places: &[Place]) -> Result<usize, String> {
    let above = above(places);
    let gathers = |kernel, access| GATHERS.contains(&(program, kernel, access));
    let of_program = || OFFENDERS.iter().filter(|one| one.program == program);
    let known = |kernel, access| {
        of_program().find_map(|one| {
            let mut places = one.places.iter();
            let (.., most) = places.find(|place| (place.0, place.1) == (kernel, access))?;
            Some((*most, one.reason))
        })
    };
    let mut problems = Vec::new();
    for (&(kernel, access), place) in &above {
        let ratio = place.ratio();
        let problem = match known(kernel, access) {
            _ if gathers(kernel, access) => continue,
            None => "it is on no list".to_owned(),
            Some((most, reason)) if ratio > most + ROUNDED => {
                format!("more than {most:.2} ({reason})")
            }
            Some((most, _)) if ratio < most - ROUNDED => {
                format!("less than {most:.2}: lower it in the list")
            }
            Some(_) => continue,
        };
        let at = &place.place;
        problems.push(format!("{kernel}: {access} {ratio:.2} at {at}: {problem}"));
    }
    let listed = of_program().flat_map(|one| one.places);
    let listed = listed.map(|&(kernel, access, _)| (kernel, access));
    let gathers = GATHERS.iter().filter(|one| one.0 == program);
    for (kernel, access) in listed.chain(gathers.map(|one| (one.1, one.2))) {
        if !above.contains_key(&(kernel, access)) {
            problems.push(format!(
                "{kernel}: {access} is within its bound: remove it from the list"
            ));
        }
    }
    match problems.is_empty() {
        true => Ok(above.len()),
        false => Err(problems.join("\n")),
    }
}

fn tell(places: &[Place]) {
    for place in places {
        let lanes = place.lanes as f64 / place.requests as f64;
        let Place {
            kernel,
            access,
            requests,
            most,
            ..
        } = place;
        let access = access.to_string();
        let ratio = place.ratio();
        println!(
            "{kernel:<34} {access:<13} {requests:>8} {lanes:>6.2} {ratio:>6.2} {most:>6} {}",
            place.place
        );
    }
}

/// Lanes of a warp that are eight elements apart: the result is the same, and the tier must say what it costs.
fn plant(emulator: &Emulator) -> Result<(), String> {
    let (program, extents) = PROGRAMS[0];
    let driver = DRIVERS.iter().find(|driver| driver.program == program);
    let asked = Asked::of(driver.ok_or("no such program")?, extents)?;
    let source = &asked.compiled.cuda.source;
    let together = "Index(blockIdx.x) * blockDim.x + threadIdx.x";
    let apart = "Index(blockIdx.x) * blockDim.x + threadIdx.x % 32 * 8 + threadIdx.x / 32";
    if source.matches(together).count() != 1 {
        return Err(format!("`{together}` stands in the prelude no more"));
    }
    let found = asked.profile(emulator, &source.replace(together, apart), 1)?;
    let problem = judge(program, &found.places).err().unwrap_or_default();
    for access in [Access::Read, Access::Write] {
        let expected = format!("{access} 2.00 at ");
        if !problem.contains(&expected) {
            return Err(format!("`{expected}` is not told, but: {problem}"));
        }
    }
    Ok(())
}
