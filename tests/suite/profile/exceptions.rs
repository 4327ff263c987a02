//! What costs more than the best, and why. The lists may only shrink.

use super::Offenders;
use emulator::profile::Access::{self, Read, SharedRead, SharedWrite, Write};

/// Reads and stores whose places the data say.
pub(super) const GATHERS: [(&str, &str, Access); 6] = [
    ("scatter_unique", "turned_scatter", Write),
    ("gather", "strided_map", Read),
    ("filter", "positive_scan_block", Write),
    ("filter", "positive_scan_chained", Write),
    ("partition", "signs_scan_block", Write),
    ("partition", "signs_scan_chained", Write),
];

/// Programs that move less than `COST` tells, which is what they move at most.
pub(super) const LESS: [(&str, &str); 8] = [
    ("filter", "as many as are kept"),
    ("gather", "those that are asked for"),
    ("histogram", "bins to which nothing comes"),
    ("partition", "as many as are kept"),
    ("scatter_sums", "bins to which nothing comes"),
    ("smvm", "elements of the vector that are asked for"),
    ("transpose_mirrored", "elements on one side of the diagonal"),
    (
        "sort",
        "rows that a block sorts, or digits that are all alike, take no passes",
    ),
];

const AROUND: &str = "each of a thread's four neighbours reads around itself, so that lanes read every fourth element";
const ACROSS: &str = "its rows lie across the matrix, so that neighbouring lanes read rows apart: the regime for that is another one";
const OF_A_THREAD: &str =
    "rows of a thread are a row apart for neighbouring lanes, which share the sectors in turns";
const SEGMENTS: &str = "segments are not aligned: the ends of packs are predicated loads of an element each, and short ones have parts of a warp";
const EDGES: &str = "a tile's rows begin between sectors";

/// Others that are above their bounds.
pub(super) const OFFENDERS: [Offenders; 27] = [
    Offenders {
        program: "argmax_rows",
        reason: "a lane goes through four neighbours one by one, as the order of operands asks",
        places: &[
            ("best_rows_block", Read, 4.00),
            ("best_rows_grid", Read, 4.00),
            ("best_rows_warp_16", Read, 4.00),
            ("best_rows_warp_32", Read, 4.00),
            ("best_rows_warp_4", Read, 4.00),
            ("best_rows_warp_8", Read, 4.00),
        ],
    },
    Offenders {
        program: "argmax_rows",
        reason: OF_A_THREAD,
        places: &[("best_rows_thread", Read, 8.00)],
    },
    Offenders {
        program: "jacobi",
        reason: AROUND,
        places: &[("step_map", Read, 4.06)],
    },
    Offenders {
        program: "jacobi",
        reason: EDGES,
        places: &[("step_map_near", Read, 1.19)],
    },
    Offenders {
        program: "layer_norm",
        reason: OF_A_THREAD,
        places: &[
            ("layer_norm_rows_thread", Read, 2.00),
            ("layer_norm_rows_thread", Write, 2.00),
        ],
    },
    Offenders {
        program: "matmul",
        reason: ACROSS,
        places: &[
            ("matmul_rows_block", Read, 8.00),
            ("matmul_rows_grid", Read, 8.00),
            ("matmul_rows_warp_16", Read, 4.00),
            ("matmul_rows_warp_32", Read, 8.00),
            ("matmul_rows_warp_8", Read, 2.00),
        ],
    },
    Offenders {
        program: "matvec",
        reason: OF_A_THREAD,
        places: &[("apply_rows_thread", Read, 1.94)],
    },
    Offenders {
        program: "min_plus",
        reason: ACROSS,
        places: &[
            ("shortest_rows_block", Read, 8.00),
            ("shortest_rows_grid", Read, 8.00),
            ("shortest_rows_warp_16", Read, 4.00),
            ("shortest_rows_warp_32", Read, 8.00),
            ("shortest_rows_warp_8", Read, 2.00),
        ],
    },
    Offenders {
        program: "moving_average",
        reason: AROUND,
        places: &[("smooth_map", Read, 4.12)],
    },
    Offenders {
        program: "outer_product",
        reason: "a thread's four neighbours read one element each",
        places: &[("pairs_map", Read, 1.89)],
    },
    Offenders {
        program: "product_batched",
        reason: ACROSS,
        places: &[
            ("products_rows_block", Read, 4.0),
            ("products_rows_grid", Read, 4.0),
            ("products_rows_warp_16", Read, 4.0),
            ("products_rows_warp_32", Read, 4.0),
            ("products_rows_warp_8", Read, 2.0),
        ],
    },
    Offenders {
        program: "product_distances",
        reason: OF_A_THREAD,
        places: &[("distances_rows_thread", Read, 1.94)],
    },
    Offenders {
        program: "product_transposed",
        reason: OF_A_THREAD,
        places: &[("product_rows_thread", Read, 2.00)],
    },
    Offenders {
        program: "product_transposed",
        reason: ACROSS,
        places: &[
            ("product_rows_block", Read, 4.00),
            ("product_rows_grid", Read, 4.00),
            ("product_rows_warp_16", Read, 4.00),
            ("product_rows_warp_32", Read, 4.00),
            ("product_rows_warp_4", Read, 4.00),
            ("product_rows_warp_8", Read, 4.00),
        ],
    },
    Offenders {
        program: "scan_columns",
        reason: ACROSS,
        places: &[
            ("columns_scan_block", Read, 8.00),
            ("columns_scan_chained", Read, 8.00),
            ("columns_scan_thread", Write, 8.00),
            ("columns_scan_warp_16", Read, 4.00),
            ("columns_scan_warp_32", Read, 8.00),
            ("columns_scan_warp_4", Write, 2.00),
            ("columns_scan_warp_8", Read, 2.00),
        ],
    },
    Offenders {
        program: "segments_skewed",
        reason: SEGMENTS,
        places: &[
            ("chained_rows_balanced", Read, 1.71),
            ("chained_rows_block", Read, 2.97),
            ("chained_rows_grid", Read, 2.97),
            ("chained_rows_thread", Read, 5.05),
            ("chained_rows_warp_16", Read, 3.22),
            ("chained_rows_warp_32", Read, 2.97),
            ("chained_rows_warp_4", Read, 3.96),
            ("chained_rows_warp_8", Read, 3.58),
        ],
    },
    Offenders {
        program: "softmax",
        reason: OF_A_THREAD,
        places: &[
            ("softmax_rows_thread", Read, 2.00),
            ("softmax_rows_thread", Write, 2.00),
        ],
    },
    Offenders {
        program: "stencil_canny",
        reason: EDGES,
        places: &[("gradient_map_near", Read, 1.19)],
    },
    Offenders {
        program: "stencil_canny",
        reason: AROUND,
        places: &[("gradient_map", Read, 4.00)],
    },
    Offenders {
        program: "stencil_gauss",
        reason: EDGES,
        places: &[("gauss_map_near", Read, 1.19)],
    },
    Offenders {
        program: "stencil_gauss",
        reason: AROUND,
        places: &[("gauss_map", Read, 2.12)],
    },
    Offenders {
        program: "sum_rows",
        reason: OF_A_THREAD,
        places: &[("rows_rows_thread", Read, 2.00)],
    },
    Offenders {
        program: "scatter_sums",
        reason: "a pack of 32 bytes is read in two accesses, each of half a sector",
        places: &[
            ("sums_scatter", Read, 1.67),
            ("sums_scatter_tables", Read, 1.67),
        ],
    },
    Offenders {
        program: "smvm",
        reason: SEGMENTS,
        places: &[
            ("smvm_rows_balanced", Read, 1.64),
            ("smvm_rows_balanced", Write, 1.43),
            ("smvm_rows_block", Read, 1.36),
            ("smvm_rows_grid", Read, 1.36),
            ("smvm_rows_thread", Read, 3.62),
            ("smvm_rows_warp_16", Read, 1.78),
            ("smvm_rows_warp_32", Read, 1.37),
            ("smvm_rows_warp_4", Read, 3.33),
            ("smvm_rows_warp_8", Read, 2.72),
        ],
    },
    Offenders {
        program: "smvm",
        reason: "threads fold as many neighbours each as their path has: a stride that is no multiple of a warp's",
        places: &[("smvm_rows_balanced", SharedRead, 2.32)],
    },
    Offenders {
        program: "sort",
        reason: "a thread has eight digits next to each other, and lanes are eight words apart",
        places: &[
            ("sorted_sort", Read, 8.0),
            ("sorted_sort", SharedRead, 8.0),
            ("sorted_sort", SharedWrite, 8.0),
        ],
    },
    Offenders {
        program: "sort",
        reason: "counts of a tile go to bins between sectors",
        places: &[("sorted_sort", Write, 1.25)],
    },
];
