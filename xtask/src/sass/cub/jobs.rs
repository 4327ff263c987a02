//! The jobs: which kernel of CUB does what one of the table does, and what a round of it is.

use crate::sass::budgets::Budget;
use crate::sass::count::{Anchor, Elements};
use crate::sass::path::{Part, Path};
use Elements::{Loaded, Number};

/// A kernel of CUB.
pub(super) struct Job {
    /// The kernel of the table that does the same; a name of its own if none does.
    pub(super) kernel: &'static str,
    /// What names it in `jobs.cu`.
    pub(super) define: &'static str,
    /// A part of its entry's name that no other entry has.
    pub(super) entry: &'static str,
    pub(super) anchor: Anchor,
    pub(super) elements: Elements,
    pub(super) trips: &'static [f64],
    pub(super) path: Path,
    /// What was counted.
    pub(super) note: &'static str,
}

impl Job {
    /// A loop through the elements.
    const fn of(
        kernel: &'static str,
        define: &'static str,
        entry: &'static str,
        elements: Elements,
        note: &'static str,
    ) -> Job {
        Job {
            kernel,
            define,
            entry,
            anchor: Anchor::Loads,
            elements,
            trips: &[],
            path: Path {
                prefers: &[],
                parts: &[],
            },
            note,
        }
    }

    /// A body for one tile.
    const fn tile(self) -> Job {
        Job {
            anchor: Anchor::Body,
            ..self
        }
    }

    /// How often each loop inside goes round.
    const fn trips(self, trips: &'static [f64]) -> Job {
        Job { trips, ..self }
    }

    /// What only some warps do.
    const fn parts(self, parts: &'static [Part]) -> Job {
        let path = Path { parts, ..self.path };
        Job { path, ..self }
    }

    /// Of two sides of a branch the one with such an instruction.
    const fn prefers(self, prefers: &'static [&'static str]) -> Job {
        let path = Path {
            prefers,
            ..self.path
        };
        Job { path, ..self }
    }
}

/// Kernels that the table does not have, and what no budget is for.
pub(super) static ALSO: [Budget; 1] = [Budget::of(
    "sum, f32",
    "sum_all",
    "total_reduce_grid",
    Loaded(4.0),
    4.0,
    f64::INFINITY,
)];

/// Kernels of CUB beside which there is none.
pub(super) const ALONE: [&str; 2] = ["merge sort, u32, tiles", "merge sort, u32, a pass"];

/// In the order of the table.
pub(super) static JOBS: [Job; 14] = [
    Job::of(
        "map, f32",
        "SAXPY",
        "transform_kernel",
        Number(3.0),
        "`DeviceTransform::Transform`, bulk copies: the 3 elements a thread that have 48 KiB in flight",
    )
    // One thread asks for the copies.
    .tile().trips(&[3.0]).parts(&[Part::of("UBLKCP", 1.0 / 8.0)])
    .prefers(&["UBLKCP"]),
    Job::of(
        "sum, f32",
        "SUM",
        "DeviceReduceKernel",
        Loaded(4.0),
        "`DeviceReduce::Sum`, the loop",
    ),
    Job::of(
        "dot product, f32",
        "DOT",
        "DeviceReduceKernel",
        Loaded(8.0),
        "`DeviceReduce::TransformReduce` of a zip iterator, the loop",
    )
    // What whole tiles have left over.
    .parts(&[Part::never("LDG", 58)]),
    Job::of(
        "row sums, a block",
        "SEGMENTS",
        "DeviceSegmentedReduceKernel",
        Loaded(4.0),
        "`DeviceSegmentedReduce::Sum` by offsets, the loop",
    ),
    Job::of(
        "scan, f32",
        "SCAN",
        "DeviceScanKernel",
        Loaded(4.0),
        "`DeviceScan::InclusiveSum`, a tile",
    )
    .tile().parts(&[Part::of("LD.STRONG", 1.0 / 4.0)]),
    Job::of(
        "scan, exclusive",
        "SCAN_EXCLUSIVE",
        "DeviceScanKernel",
        Loaded(4.0),
        "`DeviceScan::ExclusiveSum`, a tile",
    )
    .tile().parts(&[Part::of("LD.STRONG", 1.0 / 4.0)]),
    Job::of(
        "filter, i32",
        "FILTER",
        "DeviceSelectSweepKernel",
        Number(17.0),
        "`DeviceSelect::If`, a tile of which half is kept",
    )
    // 8.5 elements a thread are stored, four in a round.
    .tile().trips(&[0.5, 2.0]).parts(&[Part::of("LD.STRONG", 1.0 / 12.0)]),
    Job::of(
        "partition of pairs",
        "PARTITION",
        "DeviceSelectSweepKernel",
        Number(5.0),
        "`DevicePartition::If` of zip iterators, a tile; both parts keep their pairs",
    )
    .tile().parts(&[Part::of("LD.STRONG", 1.0 / 8.0)]),
    Job::of(
        "sort, u32, counts",
        "SORT",
        "DeviceRadixSortHistogramKernel",
        Number(16.0),
        "`DeviceRadixSort::SortKeys`, the loop: four digits, two in a round",
    )
    // What is left of an odd number of digits.
    .trips(&[2.0])
    .parts(&[Part::never("ATOMS", 16)]),
    Job::of(
        "sort, u32, a pass",
        "SORT",
        "DeviceRadixSortOnesweepKernel",
        Number(20.0),
        "`DeviceRadixSort::SortKeys`, a tile of a pass",
    )
    // A warp has eight counters a lane to clear, four in a round. Of twelve warps one takes the number of a tile and one adds the
    // counts up; eight have a digit for each thread.
    .tile()
    .trips(&[0.0, 2.0])
    .parts(&[
        Part::of("ATOMG", 1.0 / 12.0),
        Part::of("SHFL", 1.0 / 12.0),
        Part::of("LDG.STRONG", 8.0 / 12.0),
        Part::of("LDS", 8.0 / 12.0),
    ])
    // The other way is for keys with the same digit.
    .prefers(&["POPC"]),
    Job::of(
        "histogram",
        "HISTOGRAM",
        "DeviceHistogramSweepKernel",
        Loaded(1.0),
        "`DeviceHistogram::HistogramEven`, the loop with loads of four",
    ),
    Job::of(
        "histogram, tables",
        "HISTOGRAM",
        "DeviceHistogramSweepKernel",
        Loaded(1.0),
        "the same",
    ),
    Job::of(
        ALONE[0],
        "MERGE_SORT",
        "DeviceMergeSortBlockSortKernel",
        Number(17.0),
        "`DeviceMergeSort::SortKeysCopy`, a tile: 8 merges, 8.5 steps of a search on average",
    )
    .tile().trips(&[8.0, 8.5]),
    Job::of(
        ALONE[1],
        "MERGE_SORT",
        "DeviceMergeSortMergeKernel",
        Number(17.0),
        "`DeviceMergeSort::SortKeysCopy`, a tile of a merge: 12 steps of a search",
    )
    .tile().trips(&[12.0]),
];

#[cfg(test)]
mod tests {
    use super::{ALONE, ALSO, JOBS};
    use crate::sass::budgets::BUDGETS;

    #[test]
    fn jobs_are_those_of_the_table() {
        let rows = BUDGETS.iter().chain(&ALSO).map(|budget| budget.kernel);
        let names: Vec<&str> = rows.chain(ALONE).collect();
        let source = include_str!("jobs.cu");
        for job in &JOBS {
            assert!(names.contains(&job.kernel), "{}", job.kernel);
            let branch = format!("defined({})", job.define);
            assert!(source.contains(&branch), "{}", job.define);
        }
    }
}
