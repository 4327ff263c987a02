//! The budgets: a kernel in a regime, what a round of it is, and what it may cost.

use super::count::{Anchor, Elements};
use Elements::{Items, Loaded, Number, Products, Stored};

/// What an entry may cost.
#[derive(Clone, Copy)]
pub(super) struct Budget {
    /// What it is called in the table.
    pub(super) kernel: &'static str,
    /// A program of the corpus.
    pub(super) program: &'static str,
    pub(super) entry: &'static str,
    /// Which loop goes through the elements, and how many of them a thread has in a round.
    pub(super) anchor: Anchor,
    pub(super) elements: Elements,
    /// How often each loop inside goes round, in the order of their addresses.
    pub(super) trips: &'static [f64],
    /// Bytes that have to be moved for an element; none where memory is not the limit.
    pub(super) bytes: Option<f64>,
    /// Instructions an element.
    pub(super) most: f64,
    /// Threads that a multiprocessor must have room for.
    pub(super) resident: u32,
    /// KiB of loads that its threads must have asked for before one of them needs it.
    pub(super) in_flight: u32,
    /// Whether no atomic operation may wait for what was there.
    pub(super) unanswered: bool,
}

impl Budget {
    pub(super) const fn of(
        kernel: &'static str,
        program: &'static str,
        entry: &'static str,
        elements: Elements,
        bytes: f64,
        most: f64,
    ) -> Budget {
        Budget {
            kernel,
            program,
            entry,
            anchor: Anchor::Loads,
            elements,
            trips: &[],
            bytes: Some(bytes),
            most,
            resident: 0,
            in_flight: 0,
            unanswered: false,
        }
    }

    const fn trips(self, trips: &'static [f64]) -> Budget {
        Budget { trips, ..self }
    }

    /// The loop has most of these.
    const fn anchored(self, name: &'static str) -> Budget {
        Budget {
            anchor: Anchor::Of(name),
            ..self
        }
    }

    /// Memory is not its limit.
    const fn computes(self) -> Budget {
        Budget {
            bytes: None,
            ..self
        }
    }

    const fn resident(self, resident: u32) -> Budget {
        Budget { resident, ..self }
    }

    const fn in_flight(self, in_flight: u32) -> Budget {
        Budget { in_flight, ..self }
    }

    const fn unanswered(self) -> Budget {
        Budget {
            unanswered: true,
            ..self
        }
    }
}

/// In the order of the table.
pub(super) static BUDGETS: [Budget; 37] = [
    // Maps and folds.
    Budget::of("map, f32", "saxpy", "saxpy_map", Loaded(8.0), 12.0, 5.0),
    Budget::of(
        "dot product, f32",
        "dotp",
        "dotp_reduce_grid",
        Loaded(8.0),
        8.0,
        4.0,
    ),
    Budget::of(
        "row sums, a block",
        "sum_rows",
        "rows_rows_block",
        Loaded(4.0),
        4.0,
        3.0,
    ),
    Budget::of(
        "column sums",
        "sum_columns",
        "columns_rows_columns",
        Loaded(4.0),
        4.0,
        2.5,
    )
    .in_flight(32),
    Budget::of(
        "column sums, each apart",
        "sum_middle",
        "middle_rows_columns",
        Loaded(4.0),
        4.0,
        5.5,
    )
    .in_flight(32),
    Budget::of(
        "columns in order",
        "fold_columns",
        "composed_rows_columns",
        Loaded(8.0),
        8.0,
        5.0,
    )
    .in_flight(32),
    Budget::of(
        "sparse rows, a block",
        "smvm",
        "smvm_rows_block",
        Loaded(12.0),
        12.0,
        // Two are for rows that start anywhere.
        17.0,
    ),
    // The tiles of a path, whose rows are longer than they are.
    Budget::of(
        "sparse rows, equal shares",
        "smvm",
        "smvm_rows_balanced",
        Items,
        12.0,
        150.0,
    )
    .anchored("ATOMG")
    .trips(&[0.25, 3.0, 1.0, 1.0, 1.0]),
    Budget::of(
        "Black-Scholes",
        "black_scholes",
        "black_scholes_map",
        Stored(8.0),
        20.0,
        165.0,
    )
    .computes(),
    // Rows that their threads keep, by a warp and by a block: 32 elements a thread.
    Budget::of(
        "softmax, rows of 1,024",
        "softmax",
        "softmax_rows_warp_32",
        Number(32.0),
        8.0,
        26.0,
    )
    .resident(1024)
    .in_flight(48),
    Budget::of(
        "softmax, rows of 2,048",
        "softmax",
        "softmax_rows_block",
        Number(32.0),
        8.0,
        30.0,
    )
    .resident(1024)
    .in_flight(48),
    Budget::of(
        "layer norm, rows of 1,024",
        "layer_norm",
        "layer_norm_rows_warp_32",
        Number(32.0),
        8.0,
        9.5,
    )
    .resident(1024)
    .in_flight(48),
    Budget::of(
        "layer norm, rows of 2,048",
        "layer_norm",
        "layer_norm_rows_block",
        Number(32.0),
        8.0,
        13.5,
    )
    .resident(1024)
    .in_flight(48),
    // Scans, and what is one.
    Budget::of(
        "scan, f32",
        "scan_cumsum",
        "cumsum_scan_chained",
        Items,
        8.0,
        20.0,
    ),
    Budget::of(
        "scan, f32, one block",
        "scan_cumsum",
        "cumsum_scan_block",
        Items,
        8.0,
        16.0,
    ),
    Budget::of(
        "scan, exclusive",
        "scan_exclusive",
        "offsets_scan_chained",
        Items,
        8.0,
        20.0,
    ),
    Budget::of(
        "scan of maps",
        "scan_affine",
        "compose_scan_chained",
        Items,
        16.0,
        42.0,
    ),
    Budget::of(
        "filter, i32",
        "filter",
        "positive_scan_chained",
        Items,
        6.0,
        22.0,
    ),
    Budget::of(
        "partition of pairs",
        "partition",
        "signs_scan_chained",
        Items,
        10.0,
        39.0,
    ),
    // Sorts: the counts of all digits, and the pass of one.
    Budget::of(
        "sort, u32, counts",
        "sort",
        "sorted_sort",
        Number(16.0),
        4.0,
        17.0,
    )
    .anchored("ATOMS"),
    Budget::of("sort, u32, a pass", "sort", "sorted_sort", Items, 8.0, 48.0)
        .anchored("POPC")
        .resident(768),
    // Scatters.
    Budget::of(
        "scatter, f32, checked",
        "scatter_sums",
        "sums_scatter",
        Loaded(12.0),
        12.0,
        16.0,
    )
    .unanswered(),
    Budget::of(
        "histogram",
        "histogram",
        "histogram_scatter",
        Loaded(1.0),
        1.0,
        6.0,
    )
    .unanswered(),
    Budget::of(
        "histogram, tables",
        "histogram",
        "histogram_scatter_tables",
        Loaded(1.0),
        1.0,
        15.0,
    )
    .unanswered(),
    // Neighbours, products and views.
    Budget::of(
        "5-point stencil",
        "jacobi",
        "step_map",
        Stored(4.0),
        8.0,
        40.0,
    ),
    Budget::of(
        "5-point stencil, inside",
        "jacobi",
        "step_map_near",
        Stored(4.0),
        8.0,
        17.0,
    ),
    Budget::of(
        "separable blur, inside",
        "stencil_gauss",
        "gauss_map_near",
        Number(8.0),
        8.0,
        52.0,
    )
    // Points, four at a time.
    .anchored("BAR")
    .trips(&[2.0]),
    Budget::of(
        "5x5 window, inside",
        "blur",
        "blur_map_near",
        Number(8.0),
        8.0,
        75.0,
    )
    .anchored("BAR")
    .trips(&[2.0]),
    Budget::of(
        "17x17 window with weights, inside",
        "stencil_convolution",
        "convolved_map_near",
        Number(4.0),
        8.0,
        760.0,
    )
    .computes(),
    Budget::of(
        "7-point stencil, 3-D, inside",
        "stencil_cube",
        "laplace_map_near",
        Stored(4.0),
        8.0,
        26.0,
    ),
    Budget::of(
        "all pairs of a plane, fast math",
        "fast_forces",
        "fast_forces_rows_tiled",
        Number(4.0),
        4.0,
        14.5,
    )
    .anchored("MUFU")
    .computes(),
    Budget::of(
        "matrix product",
        "matmul",
        "matmul_rows_tiled",
        Products,
        4.0,
        1.12,
    )
    .anchored("FFMA")
    .computes(),
    Budget::of(
        "matrix product, tiles of 64",
        "matmul",
        "matmul_rows_tiled_64",
        Products,
        4.0,
        1.2,
    )
    .anchored("FFMA")
    .computes(),
    Budget::of(
        "matrix product, tiles of 32",
        "matmul",
        "matmul_rows_tiled_32",
        Products,
        4.0,
        1.32,
    )
    .anchored("FFMA")
    .computes(),
    Budget::of(
        "transpose and sum",
        "transpose",
        "plus_transposed_map",
        Loaded(8.0),
        12.0,
        15.0,
    ),
    Budget::of(
        "transpose, f64, a batch",
        "transpose_batch",
        "each_transposed_map",
        Loaded(8.0),
        16.0,
        16.0,
    ),
    Budget::of(
        "transpose, u8",
        "transpose_bytes",
        "negative_map",
        Loaded(1.0),
        2.0,
        15.0,
    ),
];
