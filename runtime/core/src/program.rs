//! What the macro emits beside the code of a function: static data.

use crate::element::Leaf;
use crate::failure::Site;
use crate::image::{self, Content};

/// A compiled function.
#[derive(Debug)]
pub struct Program {
    /// Its name.
    pub name: &'static str,
    /// Of the printed program: names the artifact and must be found in it.
    pub hash: &'static str,
    /// Its images in one file, if they were built: PTX, the portable one first, and cubins.
    pub images: Option<&'static [u8]>,
    /// Without images: what nvcc found wrong with the CUDA C, if it was there and did.
    pub refused: Option<&'static str>,
    /// CUDA C, for the run-time compiler.
    pub cuda: &'static str,
    /// In the plan's order.
    pub kernels: &'static [Kernel],
    /// In program order.
    pub sites: &'static [Site],
}

impl Program {
    /// The portable PTX as text, if it was built.
    pub fn ptx(&self) -> Option<&'static str> {
        let images = image::read(self.images?, self.hash)?;
        images.iter().find_map(|image| match image.content {
            Content::Ptx(text) => text.to_str().ok(),
            Content::Cubin(_) => None,
        })
    }
}

/// A kernel.
#[derive(Debug)]
pub struct Kernel {
    /// Its name.
    pub name: &'static str,
    /// What its buffers hold.
    pub buffers: &'static [Leaf],
    /// Its variants: functions of the CUDA C.
    pub entries: &'static [Entry],
}

/// One variant of a kernel.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The function's name.
    pub name: &'static str,
    /// How threads share the work.
    pub regime: Regime,
    /// Threads of a block.
    pub threads: u32,
    /// Elements that a thread has in hand at once.
    pub items: u32,
    /// Elements of a row that a thread keeps in registers; 0 if it keeps none.
    pub kept: u32,
    /// Dynamic shared memory of a block; with [`Regime::Tables`] for each copy of an element of the target.
    pub shared: u32,
    /// Scratch memory that a row's or group's block needs for its partial result.
    pub partial: u32,
    /// Whether its index arithmetic has 32 bits: not for sizes from 2^31 on.
    pub narrow: bool,
    /// Positions of the scalars that must be small, too, if it is narrow.
    pub small: &'static [usize],
    /// Whether it takes a failure record.
    pub failure: bool,
    /// Whether it can leave its longest rows to [`Regime::Balanced`], or takes them.
    pub leaves: bool,
}

/// How the threads of a launch share its work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Regime {
    /// Independent elements, a grid-stride loop.
    Elementwise,
    /// The same for points that combine into few elements: each block has a table of its own for one range of them, with
    /// several copies of each.
    Tables,
    /// One thread for each row.
    Thread,
    /// This many neighbouring lanes of a warp for each row.
    Warp {
        /// 4 to 32.
        lanes: u32,
    },
    /// One block for each row.
    Block,
    /// Several blocks for each row; the last one finishes.
    Grid,
    /// A scan: several blocks for each row, which take its tiles in order.
    Chained,
    /// Rows that are segments of an axis, in equal shares whatever their lengths.
    Balanced {
        /// Positions among the kernel's scalars: of the axis' extent ...
        axis: usize,
        /// ... and of the number of its segments; none if there is one axis for all rows.
        segments: Option<usize>,
    },
    /// A group of neighbouring rows for each block, 32 or as many as there are: rows that run down the columns of memory.
    Columns,
    /// Several blocks for each such group.
    ColumnsGrid,
    /// A block for each row, which sorts it: it fits a tile of the block; a warp, if it has no more than 32 elements.
    SortRows,
    /// Rows of any length sorted by several blocks, in so many launches and one before.
    Sort {
        /// One for each byte of the keys.
        passes: u32,
    },
    /// Rows of any length sorted by a comparison: a launch for tiles, and two for each round of merges.
    Merge,
    /// A contraction: a block for each tile of rows and columns.
    Tiled {
        /// Rows and columns of a tile.
        tile: [u32; 2],
        /// Positions of their extents among the kernel's scalars; without the first a tile has one row.
        extents: (Option<usize>, usize),
    },
    /// Elements that look at their neighbours: a block for each tile of them.
    Windows {
        /// Elements of a tile along up to three axes.
        tile: [u32; 3],
        /// Positions of their extents among the kernel's scalars; along all other axes a tile has one element.
        extents: [Option<usize>; 3],
    },
}
