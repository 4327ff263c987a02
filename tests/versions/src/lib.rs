//! Programs as optimised builds have them: in a version for each instruction set.

// Lints take a tenth of the time that it takes to compile what the macro writes, which allows them all.
#![allow(clippy::all, reason = "generated code")]

#[macro_use]
extern crate accelerate;

use harness::corpus::Driver;

/// The programs' public functions.
#[allow(clippy::type_complexity, reason = "generated code")]
pub const DRIVERS: &[Driver] = include!(concat!(env!("OUT_DIR"), "/drivers.rs"));

/// The programs: see the `README.md` of their folder.
#[path = "../../programs"]
pub mod programs {
    pub mod applications {
        pub mod black_scholes;
        pub mod heat;
        pub mod softmax;
    }

    pub mod control {
        pub mod loop_failing;
    }

    pub mod filters {
        pub mod filter_fused;
        pub mod filter_map;
        pub mod partition;
    }

    pub mod folds {
        pub mod stored_and_folded;
    }

    pub mod halves {
        pub mod brain_arithmetic;
        pub mod half_arithmetic;
    }

    pub mod language {
        pub mod bits;
        pub mod casts;
        pub mod chars;
        pub mod fast_math;
        pub mod float_methods;
        pub mod float_signs;
        pub mod integer_arithmetic;
        pub mod math_double;
        pub mod math_functions;
        pub mod math_more;
        pub mod math_more_double;
        pub mod nested_tuples;
        pub mod small_integers;
        pub mod struct_parameter;
    }

    pub mod laws {
        pub mod law_views;
    }

    pub mod maps {
        pub mod stored_of_empty;
    }

    pub mod products {
        pub mod product_mapped;
        pub mod product_transposed;
        pub mod product_transposed_right;
        pub mod product_waves;
        pub mod products_least;
        pub mod products_loss;
        pub mod smvm;
    }

    pub mod rows {
        pub mod rows_failing;
        pub mod rows_halving;
    }

    pub mod scans {
        pub mod scan_loop;
        pub mod scan_segmented_offsets;
    }

    pub mod scatters {
        pub mod ordered_few;
        pub mod ordered_range;
        pub mod scatter_by_flags;
        pub mod scatter_cube;
        pub mod scatter_out_of_range;
    }

    pub mod segments {
        pub mod segmented_folds;
        pub mod segmented_mismatch;
        pub mod segmented_smvm;
        pub mod segments_argmax;
        pub mod segments_of_keys;
        pub mod segments_skewed;
    }

    pub mod sorts {
        pub mod network_bmerge;
        pub mod network_tsort;
        pub mod network_vsort;
        pub mod sort_by_fields;
        pub mod sort_by_keys;
        pub mod sort_by_places;
        pub mod sort_by_rows;
        pub mod sort_by_structs;
        pub mod sort_in_loop;
    }

    pub mod stencils {
        pub mod blur_mapped;
    }

    pub mod views {
        pub mod interleave_rows;
        pub mod interleave_stored;
        pub mod permute_ranks;
        pub mod transpose_mirrored;
        pub mod transpose_pairs;
    }
}
