//! Drivers: run the generated code of a kernel over lanes and threads.
//!
//! In come a kernel (raw pointers and scalars, with generic methods over [`Lanes`](crate::lanes::Lanes)) and its
//! extents. A domain is cut into chunks that depend on its extents only; chunks go to threads, lanes run along a
//! chunk. So results depend neither on the number of threads nor, for all but the math functions, on the instruction
//! set: reductions keep 32 virtual lanes, fold them by a fixed tree, and combine chunks in order; scans have blocks of
//! 32 elements in a fixed network, and contractions fold each element in order.

mod blocks;
mod chunks;
mod dispatch;
mod each;
mod fill;
mod fold;
mod merge;
mod order;
mod records;
mod rows;
mod scan;
mod scatter;
mod search;
mod sort;
mod state;
mod threads;
mod tiles;
mod transposed;

pub use blocks::{Blocks, FoldBlocks, Rooms, blocks};
pub use chunks::Size;
pub use dispatch::{Build, Level, Versions, choose, level};
pub use each::Each;
pub(crate) use fill::fill;
pub use fold::Fold;
pub use merge::{Merge, merge};
pub use order::Ordered;
pub use records::Records;
pub use rows::{Execute, Rows, elementwise, row, rows};
pub use scan::Scan;
pub use scatter::{Scatter, scatter};
pub use search::{near, segment};
pub use sort::{Sort, sort};
pub use state::State;
pub use tiles::{Contraction, Extents, contraction};
pub use transposed::{Axes, Loaded, Transposed, transposed};

use crate::failure::Failure;
use crate::lanes::{Lanes, Mask, Value};

/// Reports the failure of the lanes in `mask`.
#[cold]
#[inline(never)]
pub fn fail<L: Lanes>(failures: &Failure, site: u32, mask: L::Mask, values: [L::I64; 2]) {
    for lane in 0..L::W {
        if mask.lane(lane) {
            failures.report(site, [values[0].lane(lane), values[1].lane(lane)]);
        }
    }
}

/// The largest of the lanes in `mask`; zero without any.
#[inline(always)]
pub fn greatest<L: Lanes>(x: L::U64, mask: L::Mask) -> u64 {
    let x = L::U64::select(mask, x, Value::splat(0));
    let mut result = 0;
    for lane in 0..L::W {
        result = result.max(x.lane(lane));
    }
    debug_assert!(mask.any() || result == 0);
    result
}
