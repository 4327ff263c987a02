//! Every entry of every kernel, on grids of any size, on the emulated device: the runtime would choose one by the shape of
//! the data, but each must be right for all. No runtime takes part: the plan is interpreted, its kernels are launched here.
//! So other plans than the default one can be run without compiling any Rust: those of each switch.

use crate::kept::{self, Kept, is_narrow, takes};
use crate::programs;
use crate::sorting::Sorting;
use crate::traffic::Traffic;
use accelerate_compiler::Compiled;
use accelerate_compiler::codegen::cuda;
use accelerate_compiler::ir::Site;
use accelerate_compiler::ir::eval::{self, Failed};
use accelerate_compiler::plan::{Kernel, KernelId, Phase, Skeleton, Value, interpret};
use accelerate_compiler::scalar::{Leaf, Scalar};
use emulator::Emulator;
use emulator::direct::{Function, Module, Shape};
use harness::inputs::Random;
use std::cell::Cell;
use std::path::{Path, PathBuf};

/// A plan with its kernels on the device.
pub(crate) struct Loaded<'a> {
    emulator: &'a Emulator,
    /// What is loaded.
    pub(crate) compiled: &'a Compiled,
    module: Option<Module>,
    /// Its file, if nobody will load it again.
    rubbish: Option<PathBuf>,
    functions: Vec<Vec<(Function, &'a cuda::Entry)>>,
    moved: Cell<Traffic>,
}

/// About how many threads a launch has time for, counted once for each row that they work on together.
const MOST_THREADS: u64 = 1 << 17;

/// About how many rows a launch has time to bring in order by one digit each, in passes over all.
const MOST_PASSES: u64 = 1 << 11;

/// What a block may have of shared memory that is asked for at launch, in bytes.
const MOST_SHARED: u64 = 48 << 10;

/// A launch's choices.
pub(crate) struct Draw {
    /// Among the kernel's.
    pub(crate) entry: usize,
    /// Blocks.
    pub(crate) grid: (u32, u32),
    /// Of a block.
    pub(crate) threads: u32,
    /// Of an element in a block's table, a power of two.
    pub(crate) copies: u32,
    /// Segments of more elements are left to a second launch, where they can be; there is none if they are all fewer.
    pub(crate) most: u64,
}

impl Draw {
    fn of(entries: &[(Function, &cuda::Entry)], random: &mut Random) -> Draw {
        let entry = random.below(entries.len() as u64) as usize;
        // More parts than a block has threads are another way through the fold of parts.
        let blocks = [1, 1, 2, 2, 3, 3, 7, 45][random.below(8) as usize];
        let regime = entries[entry].1.regime;
        let shares = entries[entry].1.partial_bytes > 0 || regime == cuda::Regime::Tables;
        let rows = match shares {
            true => 1 + random.below(3) as u32,
            false => 1,
        };
        // Small blocks reach several of them, and several warps, with little data.
        let all = entries[entry].1.threads;
        let threads = match regime {
            cuda::Regime::Tiled { .. } | cuda::Regime::Windows { .. } => all,
            cuda::Regime::Merge => [32, 32, 64, 128, all][random.below(5) as usize],
            _ => [32, 32, 64, 96, all][random.below(5) as usize],
        };
        Draw {
            entry,
            grid: (blocks, rows),
            threads,
            copies: match regime {
                cuda::Regime::Tables => [1, 2, 4, 32][random.below(4) as usize],
                _ => 1,
            },
            most: [u64::MAX, 0, 30, 100][random.below(4) as usize],
        }
    }

    /// Fewer threads where there are many rows for all of them: small blocks go the same ways.
    fn affordable(mut self, regime: cuda::Regime, rows: u64) -> Draw {
        let blocks = match regime {
            cuda::Regime::Block => 1,
            cuda::Regime::Grid | cuda::Regime::Chained => u64::from(self.grid.0),
            _ => return self,
        };
        if rows * blocks * u64::from(self.threads) > MOST_THREADS {
            self.threads = 32;
            self.grid.0 = self.grid.0.min(2);
        }
        self
    }
}

/// Where the CUDA C of all variants is written for the emulated device.
pub(crate) fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_TARGET_TMPDIR"), "/kernels"))
}

/// Removes CUDA C that was written for the device, and what it made of it.
fn remove(source: &Path) {
    let _ = std::fs::remove_file(source);
    let Some(stem) = source.file_stem().and_then(|stem| stem.to_str()) else {
        return;
    };
    let cached = emulator::cache().and_then(|folder| Ok(std::fs::read_dir(folder)?));
    for file in cached.into_iter().flatten().flatten() {
        if file.file_name().to_string_lossy().starts_with(stem) {
            let _ = std::fs::remove_file(file.path());
        }
    }
}

/// How long a failure record is.
const RECORD: usize = 32;

impl<'a> Loaded<'a> {
    /// Compiles the CUDA C of a program with g++ and loads the entries that are `kept`.
    pub(crate) fn new(
        emulator: &'a Emulator,
        compiled: &'a Compiled,
        kept: Kept,
    ) -> Result<Loaded<'a>, String> {
        // What the build script has left is compiled once for this and the next tier.
        let source = &compiled.cuda.source;
        let folders = programs::artifacts();
        let built = compiled.artifact.iter().flat_map(|name| {
            let file = move |folder: &Path| folder.join(name).with_extension("cu");
            folders.iter().map(move |folder| file(folder))
        });
        let mut built = built
            .into_iter()
            .filter(|path| std::fs::read_to_string(path).is_ok_and(|text| text == *source));
        match built.next() {
            Some(path) => Loaded::load(emulator, compiled, &path, false, kept.entries(compiled)),
            None => Loaded::with_text(emulator, compiled, source, kept),
        }
    }

    /// Only these entries, compiled fast; a kernel that has none is interpreted.
    pub(crate) fn only(
        emulator: &'a Emulator,
        compiled: &'a Compiled,
        kept: Vec<Vec<&'a cuda::Entry>>,
    ) -> Result<Loaded<'a>, String> {
        let path = Loaded::written(compiled, &compiled.cuda.source, &kept)?;
        Loaded::load(emulator, compiled, &path, true, kept)
    }

    /// As [`Loaded::new`], with this text for the program's CUDA C. It runs seldom, so it is compiled fast, and without
    /// the entries that are not `kept`.
    pub(crate) fn with_text(
        emulator: &'a Emulator,
        compiled: &'a Compiled,
        text: &str,
        kept: Kept,
    ) -> Result<Loaded<'a>, String> {
        let kept = kept.entries(compiled);
        let path = Loaded::written(compiled, text, &kept)?;
        Loaded::load(emulator, compiled, &path, true, kept)
    }

    /// The file of a text.
    fn written(
        compiled: &Compiled,
        text: &str,
        kept: &[Vec<&cuda::Entry>],
    ) -> Result<PathBuf, String> {
        let error = |error: std::io::Error| error.to_string();
        std::fs::create_dir_all(folder()).map_err(error)?;
        let text = kept::only(compiled, text, kept);
        let path = folder().join(format!("{}-{:016x}.cu", compiled.name, digest(&text)));
        if !path.exists() {
            let own = path.with_extension(std::process::id().to_string());
            std::fs::write(&own, text).map_err(error)?;
            std::fs::rename(&own, &path).map_err(error)?;
        }
        Ok(path)
    }

    /// As [`Loaded::with_text`], for a text that comes once: nothing is left of it.
    pub(crate) fn once(
        emulator: &'a Emulator,
        compiled: &'a Compiled,
        text: &str,
        kept: Kept,
    ) -> Result<Loaded<'a>, String> {
        let kept = kept.entries(compiled);
        let path = Loaded::written(compiled, text, &kept)?;
        let mut loaded = Loaded::load(emulator, compiled, &path, true, kept);
        match &mut loaded {
            Ok(loaded) => loaded.rubbish = Some(path),
            Err(_) => remove(&path),
        }
        loaded
    }

    /// To be compiled fast if it runs `seldom`; a text of the entries that are `kept`.
    fn load(
        emulator: &'a Emulator,
        compiled: &'a Compiled,
        path: &Path,
        seldom: bool,
        kept: Vec<Vec<&'a cuda::Entry>>,
    ) -> Result<Loaded<'a>, String> {
        let mut loaded = Loaded {
            emulator,
            compiled,
            module: None,
            rubbish: None,
            functions: Vec::new(),
            moved: Cell::default(),
        };
        if compiled.plan.kernels.is_empty() {
            return Ok(loaded);
        }
        let flags = match seldom {
            true => "// accelerate-flags: -O0\n",
            false => "",
        };
        let image = format!("// accelerate-source: {}\n{flags}", path.display());
        // What is wrong with this one is not to be told of the next.
        let module = emulator
            .module(&image)
            .inspect_err(|_| emulator.recover())?;
        loaded.module = Some(module);
        for entries in kept {
            let entries = entries.into_iter();
            let entries = entries.map(|entry| Ok((emulator.function(module, &entry.name)?, entry)));
            loaded
                .functions
                .push(entries.collect::<Result<_, String>>()?);
        }
        Ok(loaded)
    }

    /// Runs the plan; which entry runs on which grid follows from `seed`.
    pub(crate) fn run(
        &self,
        scalars: &[Scalar],
        arrays: &[eval::Array],
        seed: u64,
    ) -> Result<Result<Vec<eval::Output>, Failed>, String> {
        let mut random = Random(seed);
        self.run_drawn(scalars, arrays, |entries| Draw::of(entries, &mut random))
    }

    /// Runs the plan; which entry runs on which grid is said for each launch.
    pub(crate) fn run_drawn(
        &self,
        scalars: &[Scalar],
        arrays: &[eval::Array],
        mut draw: impl FnMut(&[(Function, &cuda::Entry)]) -> Draw,
    ) -> Result<Result<Vec<eval::Output>, Failed>, String> {
        let mut problem = None;
        let mut launch =
            |kernel: KernelId, buffers: &[(interpret::Memory, bool)], scalars: &[Scalar]| {
                let functions = &self.functions[kernel.0 as usize];
                if functions.is_empty() {
                    let kernel = &self.compiled.plan.kernels[kernel.0 as usize];
                    return interpret::launch(kernel, buffers, scalars);
                }
                let drawn = draw(functions);
                let launched = self.launch(kernel, buffers, scalars, drawn);
                launched.unwrap_or_else(|text| {
                    problem.get_or_insert(text);
                    Vec::new()
                })
            };
        let result = interpret::run_with(&self.compiled.plan, scalars, arrays, &mut launch);
        // What was seen when the memory was freed.
        let report = self.emulator.report();
        if !report.is_empty() {
            self.emulator.recover();
            problem.get_or_insert(report);
        }
        problem.map_or(Ok(result), Err)
    }

    /// What was moved since this was asked before.
    pub(crate) fn moved(&self) -> Traffic {
        self.moved.take()
    }

    fn launch(
        &self,
        kernel: KernelId,
        buffers: &[(interpret::Memory, bool)],
        scalars: &[Scalar],
        drawn: Draw,
    ) -> Result<Vec<Failed>, String> {
        let description = &self.compiled.plan.kernels[kernel.0 as usize];
        let domains = description.skeleton.domains().into_iter();
        let sizes = domains.map(|extents| product(description, extents, scalars));
        let rows = sizes.sum::<Result<u64, String>>()?;
        let target = match &description.skeleton {
            Skeleton::Scatter { size, .. } => Some(product(description, &[*size], scalars)?),
            _ => None,
        };
        if rows == 0 || target == Some(0) {
            return Ok(Vec::new());
        }
        let entries = &self.functions[kernel.0 as usize];
        let (mut function, mut entry) = entries[drawn.entry];
        if !takes(entry, scalars) {
            // Not every regime has an entry of wide indices.
            let right = || entries.iter().filter(|(_, other)| takes(other, scalars));
            let like = right().find(|(_, other)| other.regime == entry.regime);
            let found = like.or_else(|| right().next());
            (function, entry) = *found.ok_or("scalars that are too large for narrow indices")?;
        }
        let sort = Sorting::of(description, rows, scalars)?;
        if let Some(sort) = &sort {
            let room =
                |entry: &cuda::Entry| drawn.threads.min(entry.threads) * entry.items_per_thread;
            let fits = |entry: &cuda::Entry| sort.length <= u64::from(room(entry));
            let like =
                |(_, other): &&(Function, &cuda::Entry)| other.index_bits == entry.index_bits;
            let mut others = entries.iter().filter(like);
            match entry.regime {
                // Not even the largest block has room for every row; the other entry takes any.
                cuda::Regime::SortRows if !fits(entry) => {
                    let any = |(_, other): &&(Function, &cuda::Entry)| {
                        matches!(other.regime, cuda::Regime::Sort { .. })
                    };
                    (function, entry) = *others.find(any).ok_or("a sort of any rows")?;
                }
                // The runtime would not choose it either.
                cuda::Regime::Sort { passes } if sort.rows * u64::from(passes) > MOST_PASSES => {
                    let whole = |(_, other): &&(Function, &cuda::Entry)| {
                        other.regime == cuda::Regime::SortRows && fits(other)
                    };
                    (function, entry) = *others.find(whole).unwrap_or(&(function, entry));
                }
                _ => {}
            }
        }
        let table = match (&description.skeleton, entry.regime) {
            (Skeleton::Scatter { size, .. }, cuda::Regime::Tables) => {
                let range = product(description, &[*size], scalars)?.div_ceil(drawn.grid.1.into());
                range * u64::from(drawn.copies) * u64::from(entry.shared_bytes)
            }
            _ => u64::from(entry.shared_bytes),
        };
        let mut shared = (table as u32).next_multiple_of(8);
        if entry.regime == cuda::Regime::Tables && table > MOST_SHARED {
            // The runtime would not choose it either.
            let bits = entry.index_bits;
            let any = |(_, entry): &&(Function, &cuda::Entry)| {
                entry.regime == cuda::Regime::Elementwise && entry.index_bits == bits
            };
            (function, entry) = *entries.iter().find(any).ok_or("a scatter without tables")?;
            shared = entry.shared_bytes;
        }
        let mut drawn = drawn.affordable(entry.regime, rows);
        drawn.grid.1 = match entry.regime {
            cuda::Regime::Tables => drawn.grid.1,
            cuda::Regime::Merge => 1,
            _ if entry.partial_bytes == 0 => 1,
            _ => drawn.grid.1,
        };
        let (grid, blocks) = (drawn.grid, drawn.grid.0);
        let shares = entry.partial_bytes > 0;
        let mut memory = Vec::new();
        for (contents, writes) in buffers {
            let mut bytes = bytes(&contents.borrow());
            if *writes {
                // As the runtime does.
                bytes.resize(bytes.len().next_multiple_of(4), 0);
            }
            memory.push(self.emulator.upload(&bytes)?);
        }
        let mut arguments: Vec<u64> = memory.iter().map(|memory| memory.address()).collect();
        arguments.extend(scalars.iter().map(|scalar| scalar.bits));
        let record = self.emulator.upload(&[0; RECORD])?;
        if entry.failure {
            // A record for each launch: the interpreter of the plan knows which round it is.
            arguments.extend([record.address(), 0]);
        }
        if entry.regime == cuda::Regime::Tables {
            arguments.push(drawn.copies.into());
        }
        let groups = rows.next_multiple_of(32) as usize;
        let threads = drawn.threads.min(entry.threads);
        let launches = match entry.regime {
            cuda::Regime::Sort { passes } => Some(passes),
            cuda::Regime::Merge => sort.as_ref().map(|sort| sort.merges(entry, threads)),
            _ => None,
        };
        let mut scratch = vec![0xfb; groups * blocks as usize * entry.partial_bytes as usize];
        if let (Some(sort), Some(passes)) = (&sort, launches) {
            scratch = match entry.regime {
                cuda::Regime::Merge => sort.cuts(entry, threads),
                _ => sort.scratch(entry, threads, passes),
            };
        }
        let partials = self.emulator.upload(&scratch)?;
        let states = |entry: &cuda::Entry, elements: u64| {
            let tiles = elements.div_ceil(u64::from(threads * entry.items_per_thread));
            let tiles = tiles.max(1);
            let states = tiles + tiles.div_ceil(32) + tiles.div_ceil(1024);
            8 + states as usize * entry.partial_bytes as usize
        };
        let path = |entry: &cuda::Entry| match entry.regime {
            cuda::Regime::Balanced { axis, segments } => {
                let axes = segments.map_or(1, |segments| rows / scalars[segments].bits);
                Some(rows + axes * scalars[axis].bits)
            }
            _ => None,
        };
        let tickets = match entry.regime {
            cuda::Regime::Chained => groups * states(entry, chained(description, scalars)?),
            _ => match path(entry) {
                Some(path) => states(entry, path),
                None => groups * 4,
            },
        };
        let tickets = self.emulator.upload(&vec![0; tickets])?;
        // Segments that this launch leaves, and the one that takes them.
        let second = entries.iter().find(|(_, other)| {
            let alone = drawn.most == u64::MAX || path(entry).is_some();
            entry.leaves && !alone && path(other).is_some() && is_narrow(other) == is_narrow(entry)
        });
        let left = self.emulator.upload(&[0; 4])?;
        let leaves = match second {
            Some(_) => [drawn.most, left.address()],
            None => [u64::MAX, 0],
        };
        let mut second_arguments = arguments.clone();
        if shares {
            arguments.extend([partials.address(), tickets.address()]);
        }
        if entry.leaves {
            arguments.extend(leaves);
        }
        let shape = Shape {
            grid,
            threads,
            shared,
        };
        let where_ = |text: String| {
            format!(
                "{} on {grid:?} blocks of {threads}, {rows} rows: {text}",
                entry.name
            )
        };
        for launch in 0..=launches.unwrap_or(0) {
            if launches.is_some() {
                arguments.truncate(arguments.len() - usize::from(launch > 0));
                arguments.push(launch.into());
            }
            self.emulator
                .launch(function, shape, &arguments)
                .map_err(where_)?;
        }
        if let Some((function, entry)) = second {
            let path = path(entry).ok_or("a path")?;
            let tickets = self.emulator.upload(&vec![0; states(entry, path)])?;
            second_arguments.extend([0, tickets.address()]);
            second_arguments.extend(leaves);
            self.emulator
                .launch(*function, shape, &second_arguments)
                .map_err(where_)?;
            if (tickets.download()?.iter())
                .chain(&left.download()?)
                .any(|byte| *byte != 0)
            {
                return Err(where_(
                    "the second launch's words are not zero again".to_owned(),
                ));
            }
        }
        let moved = self.moved.get();
        self.moved
            .set(moved.and(self.emulator, &description.skeleton, &memory));
        for (memory, (contents, writes)) in memory.iter().zip(buffers) {
            if *writes {
                let leaf = contents.borrow().first().map(|scalar| scalar.leaf);
                if let Some(leaf) = leaf {
                    let mut written = elements(&memory.download()?, leaf);
                    written.truncate(contents.borrow().len());
                    *contents.borrow_mut() = written;
                }
            }
        }
        if tickets.download()?.iter().any(|byte| *byte != 0) {
            return Err(where_("the tickets are not zero again".to_owned()));
        }
        Ok(failure(&self.compiled.plan.sites, &record.download()?))
    }
}

impl Drop for Loaded<'_> {
    fn drop(&mut self) {
        if let Some(module) = self.module {
            self.emulator.unload(module);
        }
        if let Some(source) = &self.rubbish {
            remove(source);
        }
    }
}

/// The number of points of a domain, whose extents the launch passes.
pub(crate) fn product(
    kernel: &Kernel,
    extents: &[Value],
    scalars: &[Scalar],
) -> Result<u64, String> {
    let one = |value: &Value| {
        let mut passed = kernel.scalars.iter().zip(scalars);
        let found = passed.find(|(scalar, _)| *scalar == value);
        let found = found.map(|(_, scalar)| scalar.bits);
        found.ok_or_else(|| format!("{value:?} is no scalar of the kernel"))
    };
    extents.iter().map(one).product()
}

/// The elements of a row that is scanned.
fn chained(kernel: &Kernel, scalars: &[Scalar]) -> Result<u64, String> {
    let Skeleton::Rowwise { phases, .. } = &kernel.skeleton else {
        return Err("a scan without rows".to_owned());
    };
    let scan = phases.iter().find_map(|phase| match phase {
        Phase::Scan { extents, .. } => Some(extents),
        _ => None,
    });
    product(kernel, scan.ok_or("a scan is missing")?, scalars)
}

/// FNV-1a.
pub(crate) fn digest(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |state, byte| {
        (state ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}

fn bytes(elements: &[Scalar]) -> Vec<u8> {
    elements
        .iter()
        .flat_map(|scalar| {
            scalar
                .bits
                .to_le_bytes()
                .into_iter()
                .take(scalar.leaf.bytes())
        })
        .collect()
}

fn elements(bytes: &[u8], leaf: Leaf) -> Vec<Scalar> {
    let value = |chunk: &[u8]| {
        chunk
            .iter()
            .rev()
            .fold(0, |bits, &byte| bits << 8 | u64::from(byte))
    };
    bytes
        .chunks_exact(leaf.bytes())
        .map(|chunk| Scalar {
            leaf,
            bits: value(chunk),
        })
        .collect()
}

/// Reads `struct accelerate_failure`.
fn failure(sites: &[accelerate_compiler::ir::Place], record: &[u8]) -> Vec<Failed> {
    let word = |at: usize| u32::from_le_bytes(record[at..at + 4].try_into().expect("four bytes"));
    let value = |at: usize| i64::from_le_bytes(record[at..at + 8].try_into().expect("eight bytes"));
    match word(4) {
        0 => Vec::new(),
        site => {
            let site = Site(site - 1);
            // A record has room for two values; a site says how many it reports.
            let used = (0..2)
                .take_while(|k| {
                    let message = &sites[site.0 as usize].message;
                    let shown = [format!("{{{k}}}"), format!("{{{k}:i}}")];
                    shown.iter().any(|shown| message.contains(shown))
                })
                .count();
            vec![Failed {
                site,
                values: [value(8), value(16)][..used].to_vec(),
            }]
        }
    }
}
