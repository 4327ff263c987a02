//! CUDA C for the kernels of a plan: one file per function, on top what it uses of the prelude.
//!
//! In goes a [`Plan`]; out come the text of a complete `.cu` file and, for each kernel, its entries: variants of the
//! kernel for different shapes of the data. The runtime chooses among them at each launch (see [`Regime`]). The text
//! compiles with nvcc and NVRTC (flags `-fmad=false -ftz=false -prec-div=true -prec-sqrt=true`) and, for the
//! emulated device, with g++ (`-std=c++20 -ffp-contract=off`); it includes nothing. Files of foreign functions stand in it, each
//! in a namespace of its own.
//!
//! A kernel's parameters: its buffers and its scalars, each in the kernel's order, then `accelerate_failure*, u32 epoch` if
//! [`Entry::failure`], then `void* partials, unsigned* tickets` if [`Entry::partial_bytes`] is not zero, then `u64 most,
//! unsigned* left` if [`Entry::leaves`], then the number of the launch if there are several.

mod addresses;
mod assign;
mod body;
mod domain;
mod elementwise;
mod fold;
mod foreign;
mod lines;
mod loops;
mod merges;
mod narrow;
mod rowwise;
mod scalar;
mod scatters;
mod sorts;
mod staged;
mod state;
mod tiles;
mod transposed;
mod vector;
mod walk;
mod windows;

#[cfg(test)]
mod tests;

pub use crate::codegen::prelude::{PRELUDE, Prelude};
use crate::codegen::{names, prelude};
use crate::options::Tiling;
use crate::plan::{Kernel, Plan, Skeleton};
use crate::spans::SpanId;
use body::Code;
use std::fmt::Write as _;

/// A file of CUDA C.
#[derive(Clone, Debug)]
pub struct Module {
    /// The complete text.
    pub source: String,
    /// Where its own part begins, after what it uses of the prelude and the files of foreign functions.
    own: usize,
    /// The lines of its own part, from 0, that come from a place of the source.
    places: Vec<(usize, SpanId)>,
    /// By kernel of the plan.
    pub kernels: Vec<Vec<Entry>>,
}

/// One `extern "C" __global__` function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// How it spreads the work.
    pub regime: Regime,
    /// Threads per block. Any smaller multiple of 32 is right too: tests reach several blocks with little data so.
    pub threads: u32,
    /// Elements that a thread works on at once: a good grid has about `elements / (threads * items)` blocks, and no
    /// more than are resident together. Any grid is right.
    pub items_per_thread: u32,
    /// Elements of a row that a thread keeps in registers: what rows that fit have more of than once is read and computed once.
    /// 0 if it keeps none, or its rows are short.
    pub kept: u32,
    /// Dynamic shared memory per block; with [`Regime::Tables`] for each copy of an element of the target.
    pub shared_bytes: u32,
    /// Bytes of `partials` per row and block, or with [`Regime::Chained`] of a published state; 0 if the entry takes
    /// neither `partials` nor `tickets`. `tickets` holds one `u32` per row (more with `Chained`), zero before the launch
    /// and again after it.
    pub partial_bytes: u32,
    /// 32: to be launched only if the length of every buffer, the number of rows (or elements), the size of the domain
    /// of each phase, and the scalars in [`Entry::small`] are below 2^31. 64: always right.
    pub index_bits: u32,
    /// Positions in the kernel's scalars.
    pub small: Vec<usize>,
    /// Whether it takes an `accelerate_failure*` and the epoch: the number of a round of the host's loops.
    pub failure: bool,
    /// Whether it may leave rows of more than `most` elements to a second launch, or takes them: [`Regime::Balanced`]. `left`
    /// is a word that is zero before the first launch, is not if rows have been left, and is again after the second. Without
    /// a second one `most` is `u64::MAX`.
    pub leaves: bool,
}

/// How an entry spreads its work over threads. Grids are one-dimensional where nothing else is said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Regime {
    /// Independent elements, grid-stride.
    Elementwise,
    /// Independent points that combine into few elements: as `Elementwise`, with a table of them in each block. Blocks of
    /// one `blockIdx.y` have tables of one of `gridDim.y` ranges of the elements, as equal as can be. The last argument says
    /// how many copies a table has of an element: 1, 2, 4, .. 32.
    Tables,
    /// A thread per row, grid-stride over rows. For many short rows, and for rows whose neighbours lie next to each
    /// other in memory (reductions of an outer axis).
    Thread,
    /// So many lanes of a warp per row: `threads / lanes` rows per block, grid-stride.
    Warp {
        /// 4 to 32.
        lanes: u32,
    },
    /// A block per row, grid-stride.
    Block,
    /// `gridDim.x` blocks per row; `gridDim.y` strides over rows. The last block of a row finishes it.
    Grid,
    /// A scan, `gridDim.x` blocks per row, which take its tiles (of `threads` times `items` elements each, of the
    /// launch's `threads`) in order; `gridDim.y` strides over rows. `partials` is not used. A row of `t` tiles, at least
    /// one, takes `tickets` of 8 bytes and `partial_bytes` for each tile, for each 32 tiles and for each 1024 tiles.
    Chained,
    /// Rows whose lengths are those of segments of an axis: equal shares of elements and rows together (the path), whatever
    /// the lengths. `tickets` as of `Chained`, for a single row of as many elements as the path. All rows if `left` is null,
    /// else those that the launch before has left: it was told the same.
    Balanced {
        /// Position in the kernel's scalars of the axis' extent: for each `segments` of the rows there is one.
        axis: usize,
        /// Position of their number; none if there is one axis for all rows.
        segments: Option<usize>,
    },
    /// A group of neighbouring rows per block, which share its threads evenly, grid-stride: for reductions of an outer axis with
    /// fewer rows than the device has threads. A group is 32 rows, or a power of two that is enough for all.
    Columns,
    /// As `Columns`, with `gridDim.x` blocks per group; `gridDim.y` strides over groups. `partials` and `tickets` are as of
    /// `Grid`, `partials` for each row that a group has room for, `tickets` one per group.
    ColumnsGrid,
    /// Rows that fit a tile of `threads` times `items` elements, each sorted by a block, or a warp if it has no more than 32
    /// elements; grid-stride.
    SortRows,
    /// Rows of any length, sorted by several blocks each. The entry is launched `passes` times and once before; its last
    /// argument is the number of the launch. `gridDim.x` blocks per row and `gridDim.y` strides over rows at first, then
    /// all blocks take tiles of all rows (of `threads` times `items` elements each) in order. `partials` is words of
    /// `partial_bytes`: one for each pass and 256 for each row and pass, zero before the first launch, and twice 256 for each
    /// tile. `tickets` is not used.
    Sort {
        /// One for each byte of the keys.
        passes: u32,
    },
    /// Rows of any length, sorted by a comparison. The entry is launched once for tiles (of `threads` times `items` elements
    /// each, of the launch's `threads`, a power of two), and twice more as often as a tile must be doubled to hold a row; its
    /// last argument is the number of the launch. All are grid-stride over tiles. `partials` is words of `partial_bytes`,
    /// twice one for each tile of all rows: the first half zero before the first launch. `tickets` is not used.
    Merge,
    /// A contraction: a block per tile, grid-stride over tiles, of exactly `threads`.
    Tiled {
        /// Rows and columns of a tile.
        tile: [u32; 2],
        /// Positions of their extents in the kernel's scalars; without the first a tile has one row.
        extents: (Option<usize>, usize),
    },
    /// Points that look at their neighbours: a block per tile, grid-stride over tiles, of exactly `threads`.
    Windows {
        /// Points of a tile along up to three axes, outermost first; 1 along all others.
        tile: [u32; 3],
        /// Positions of these axes' extents in the kernel's scalars.
        extents: [Option<usize>; 3],
    },
}

/// Writes a plan's kernels. Tiles that are not the plan's are as large as told.
pub fn write(plan: &Plan, tiles: Tiling) -> Module {
    let mut own = String::new();
    let mut kernels = Vec::new();
    let mut places = Vec::new();
    let mut written = 0;
    for kernel in &plan.kernels {
        let (text, entries) = marked(kernel, tiles);
        let summary = kernel.summary.replace('\n', " ");
        let _ = write!(own, "\n// {}: {summary}\n", kernel.name);
        let (text, of_kernel) = lines::taken(&names::resolved(&text), written + 2);
        written += 2 + text.matches('\n').count();
        own.push_str(&text);
        places.extend(of_kernel);
        kernels.push(entries);
    }
    let mut source = prelude::OWN.needed(&own);
    source.push_str(&foreign::files(plan, &own));
    let prelude = source.len();
    source.push_str(&own);
    Module {
        source,
        own: prelude,
        places,
        kernels,
    }
}

/// Writes one kernel, without the prelude.
#[cfg(test)]
fn write_kernel(kernel: &Kernel, tiles: Tiling) -> (String, Vec<Entry>) {
    let (text, entries) = marked(kernel, tiles);
    (lines::taken(&names::resolved(&text), 0).0, entries)
}

/// Writes one kernel, with marks on the names that are not its skeleton's, and on lines that have a place.
pub(in crate::codegen) fn marked(kernel: &Kernel, tiles: Tiling) -> (String, Vec<Entry>) {
    let facts = walk::Facts::of(kernel);
    let narrow = narrow::Narrow::of(kernel, &facts);
    let code = Code::new(kernel, &facts, &narrow);
    match &kernel.skeleton {
        Skeleton::Elementwise(parts) => {
            let (mut text, mut entries) = elementwise::write(code, parts, tiles);
            if let [part] = &parts[..]
                && let Some(windows) = &part.windows
            {
                let code = Code::new(kernel, &facts, &narrow);
                let (more, tiled) = windows::write(code, part, windows);
                text.push('\n');
                text.push_str(&more);
                entries.extend(tiled);
            }
            (text, entries)
        }
        Skeleton::Scatter {
            extents,
            vars,
            body,
            condition,
            index,
            fold,
            size,
            targets,
            meeting,
        } => {
            let parts = scatters::Scatter {
                extents,
                vars,
                body,
                condition: *condition,
                index: *index,
                fold,
                size: *size,
                targets,
                meeting,
            };
            scatters::write(code, &parts)
        }
        Skeleton::Sort {
            extents,
            vars,
            body,
            length,
            read: _,
            parts,
            keys,
            by,
            items,
        } => {
            let parts = sorts::Sort {
                extents,
                vars,
                body,
                length: *length,
                parts,
                keys: *keys,
                by: by.as_deref(),
                items: *items,
            };
            match parts.by {
                Some(by) => merges::write(code, &parts, by),
                None => sorts::write(code, &parts),
            }
        }
        Skeleton::Staged {
            extents,
            vars,
            rooms,
            stages,
            points,
        } => {
            let parts = staged::Staged {
                extents,
                vars,
                rooms,
                stages,
                points: *points,
            };
            staged::write(code, &parts)
        }
        Skeleton::Rowwise {
            extents,
            vars,
            phases,
            tiles,
            products: _,
        } => rowwise::write(code, extents, vars, phases, tiles.as_deref()),
    }
}

impl Module {
    /// What the kernels use of the prelude, and the files of foreign functions.
    pub fn prelude(&self) -> &str {
        &self.source[..self.own]
    }

    /// The kernels, without the prelude.
    pub fn own(&self) -> &str {
        &self.source[self.own..]
    }

    /// The entries as a table, beside which `ptxas -v` puts registers and spills.
    pub fn entries(&self) -> String {
        let mut table = String::from(
            "entry | regime | threads | items | partial bytes | index bits | failure\n",
        );
        for entry in self.kernels.iter().flatten() {
            let _ = writeln!(
                table,
                "{} | {:?} | {} | {} | {} | {} | {}",
                entry.name,
                entry.regime,
                entry.threads,
                entry.items_per_thread,
                entry.partial_bytes,
                entry.index_bits,
                entry.failure,
            );
        }
        table
    }
}

/// What all entries of a kernel share: parameters and arguments.
struct Variants {
    failure: bool,
    /// Blocks that a multiprocessor must have registers for; 0 where ptxas decides.
    resident: u32,
}

impl Variants {
    fn of(code: &Code<'_>) -> Variants {
        Variants {
            failure: code.facts.checks,
            resident: 0,
        }
    }

    /// The parameter list: of the kernel's function (`internal`) or of an entry.
    fn parameters(&self, code: &Code<'_>, internal: bool) -> String {
        let mut list = Vec::new();
        for (buffer, name) in code.kernel.buffers.iter().zip(&code.buffers) {
            let constant = if buffer.writes { "" } else { "const " };
            list.push(format!(
                "{constant}{}* __restrict__ {name}",
                buffer.leaf.name()
            ));
        }
        for scalar in &code.kernel.scalars {
            let repr = if internal {
                code.repr(*scalar).name()
            } else {
                code.leaf(*scalar).name()
            };
            list.push(format!("const {repr} {}", code.text(*scalar)));
        }
        if self.failure {
            list.push("accelerate_failure* failure".to_owned());
            list.push("const u32 epoch".to_owned());
        }
        list.join(", ")
    }

    /// A list too long for a line is broken after each parameter.
    fn broken(list: &str) -> String {
        if names::plain(list).len() > 100 {
            format!("\n    {}", list.replace(", ", ",\n    "))
        } else {
            list.to_owned()
        }
    }

    /// The arguments that an entry passes on.
    fn arguments(&self, code: &Code<'_>) -> String {
        let (buffers, rooms) = code.buffers.split_at(code.kernel.buffers.len());
        let mut list = buffers.to_vec();
        list.extend(code.kernel.scalars.iter().map(|scalar| code.text(*scalar)));
        if self.failure {
            list.push("failure".to_owned());
            list.push("epoch".to_owned());
        }
        list.extend(rooms.iter().cloned());
        list.join(", ")
    }

    fn entry(
        &self,
        code: &Code<'_>,
        regime: Regime,
        name: &str,
        threads: u32,
        wide: bool,
    ) -> Entry {
        Entry {
            name: name.to_owned(),
            regime,
            threads,
            items_per_thread: 1,
            kept: 0,
            shared_bytes: 0,
            partial_bytes: 0,
            index_bits: if wide { 64 } else { 32 },
            small: code.narrow.small.clone(),
            failure: self.failure,
            leaves: false,
        }
    }

    /// The head of an entry.
    fn open_entry(&self, code: &mut Code<'_>, entry: &Entry) {
        let scratch = if entry.partial_bytes > 0 {
            ", void* partials, u32* tickets"
        } else {
            ""
        };
        let left = match entry.leaves {
            true => ", const u64 most, u32* left",
            false => "",
        };
        let launch = match entry.regime {
            Regime::Sort { .. } | Regime::Merge => ", const u32 accelerate_launch",
            Regime::Tables => ", const u32 accelerate_copies",
            _ => "",
        };
        let parameters = self.parameters(code, false);
        let parameters = Variants::broken(&format!("{parameters}{scratch}{left}{launch}"));
        code.line("");
        let bounds = match self.resident {
            0 => entry.threads.to_string(),
            blocks => format!("{}, {blocks}", entry.threads),
        };
        code.line(format!(
            "extern \"C\" __global__ void __launch_bounds__({bounds})"
        ));
        code.open(format!("{}({parameters})\n{{", entry.name));
    }
}
