//! Programs as debug builds have them: one lane, with assertions.

// Lints take a tenth of the time that it takes to compile what the macro writes, which allows them all.
#![allow(clippy::all, reason = "generated code")]

#[macro_use]
extern crate accelerate;

use harness::corpus::Driver;

pub mod foreign;

/// The programs' public functions.
#[allow(clippy::type_complexity, reason = "generated code")]
pub const DRIVERS: &[Driver] = include!(concat!(env!("OUT_DIR"), "/drivers.rs"));

/// The programs: see the `README.md` of their folder.
#[path = "../../programs"]
pub mod programs {
    pub mod applications {
        pub mod barnes_hut;
        pub mod breadth_first;
        pub mod conjugate_gradients;
        pub mod conjugate_gradients_sparse;
        pub mod contrast;
        pub mod correlation;
        pub mod descent;
        pub mod fast_bodies;
        pub mod fast_forces;
        pub mod gram_schmidt;
        pub mod gravity;
        pub mod hidden_markov;
        pub mod inverse_cdf;
        pub mod inverse_cdf_stored;
        pub mod k_means;
        pub mod layer_norm;
        pub mod mandelbrot;
        pub mod md5;
        pub mod page_rank;
        pub mod quickhull;
        pub mod rmse;
        pub mod sha256;
        pub mod softmax_in_loop;
        pub mod softmax_product;
        pub mod sparse_product;
        pub mod standardize;
        pub mod viterbi;
    }

    pub mod control {
        pub mod branch_arrays;
        pub mod branch_of_each_other;
        pub mod branch_of_elements;
        pub mod branch_of_loop;
        pub mod branch_of_none;
        pub mod branch_per_row;
        pub mod branch_per_row_folded;
        pub mod converge;
        pub mod counted_checks;
        pub mod damped;
        pub mod fold_failing_in_branch;
        pub mod fold_of_constants;
        pub mod folds_of_a_branch;
        pub mod folds_of_loops_in_branch;
        pub mod for_elements;
        pub mod for_rows;
        pub mod greatest_after_loop;
        pub mod growing;
        pub mod guard_in_branch;
        pub mod guarded_by_elements;
        pub mod guarded_count;
        pub mod guarded_extent;
        pub mod guarded_folds;
        pub mod guarded_segment;
        pub mod invariant_in_branch;
        pub mod loop_carrying_unread;
        pub mod loop_in_branch_per_row;
        pub mod loop_of_constants;
        pub mod loop_of_kept;
        pub mod loop_of_roots;
        pub mod loop_over_chosen;
        pub mod loop_unwanted;
        pub mod loops_in_turn;
        pub mod once_a_round;
        pub mod once_a_row;
        pub mod once_after_return;
        pub mod once_an_element;
        pub mod once_as_argument;
        pub mod once_on_top;
        pub mod power_iteration;
        pub mod rescaled;
        pub mod row_products_in_branch;
        pub mod same_sides;
        pub mod same_sides_of_rows;
        pub mod scalar_loop_failing;
        pub mod states_of_one_length;
        pub mod states_of_two_lengths;
        pub mod unreachable_arms;
    }

    pub mod filters {
        pub mod dedup;
        pub mod filter;
        pub mod filter_affine;
        pub mod filter_all;
        pub mod filter_argmax;
        pub mod filter_ends;
        pub mod filter_failing;
        pub mod filter_fold;
        pub mod filter_histogram;
        pub mod filter_in_branch;
        pub mod filter_in_loop;
        pub mod filter_lengths;
        pub mod filter_max;
        pub mod filter_mean;
        pub mod filter_near;
        pub mod filter_of_scan;
        pub mod filter_outer;
        pub mod filter_reads;
        pub mod filter_rows;
        pub mod filter_rows_partition;
        pub mod filter_scan;
        pub mod filter_small;
        pub mod filter_struct;
        pub mod filter_sum;
        pub mod filter_twice;
        pub mod filter_while;
        pub mod filter_zip;
        pub mod indices_of;
        pub mod kept_cubes;
        pub mod kept_ranks;
        pub mod unique;
        pub mod unique_floats;
        pub mod unique_of_sorted;
        pub mod unique_tuples;
    }

    pub mod folds {
        pub mod all_any;
        pub mod any_index;
        pub mod argmax_rows;
        pub mod argmin_argmax;
        pub mod column_summary;
        pub mod dotp;
        pub mod fold_affine;
        pub mod fold_columns;
        pub mod fold_initial;
        pub mod fold_last;
        pub mod fold_mapped;
        pub mod fold_matrices;
        pub mod fold_median;
        pub mod folds_of_one_read;
        pub mod functions_of_axes;
        pub mod is_sorted;
        pub mod is_sorted_by;
        pub mod many_folds;
        pub mod matrices_of_four;
        pub mod mean;
        pub mod min_max;
        pub mod nearest_and_distance;
        pub mod normalise;
        pub mod rank_four;
        pub mod reduce_axes;
        pub mod reduce_ranks;
        pub mod row_summary;
        pub mod samples_of_arrays;
        pub mod scalar_result;
        pub mod sum_all;
        pub mod sum_columns;
        pub mod sum_integers;
        pub mod sum_middle;
        pub mod sum_of_components;
        pub mod sum_of_generic;
        pub mod sum_rows;
        pub mod two_reductions;
        pub mod variance;
    }

    pub mod foreign {
        pub mod foreign_between;
        pub mod foreign_in_loop;
        pub mod foreign_in_scalar_loop;
        pub mod foreign_nested;
        pub mod foreign_of_filtered;
        pub mod foreign_product;
        pub mod foreign_public;
        pub mod foreign_read;
        pub mod foreign_scalars;
        pub mod foreign_shapes;
        pub mod foreign_shapes_in_branch;
        pub mod foreign_shapes_in_loop;
        pub mod foreign_tuple;
        pub mod foreign_tuple_of_one;
        pub mod foreign_without_kernels;
    }

    pub mod gathers {
        pub mod binary_search;
        pub mod binary_search_pairs;
        pub mod data_dependent_length;
        pub mod first_last;
        pub mod gather;
        pub mod gather_of_loops;
        pub mod gather_of_normalized;
        pub mod gather_of_row_sums;
        pub mod gathered_rows_of_folds;
        pub mod out_of_bounds;
        pub mod partition_point;
        pub mod read_of_empty;
        pub mod select;
    }

    pub mod halves {
        pub mod brain_rows;
        pub mod half_bits;
        pub mod half_conversions;
        pub mod half_fold;
        pub mod half_matmul;
        pub mod half_records;
        pub mod half_reductions;
        pub mod half_scans;
        pub mod half_scatter;
        pub mod half_sort;
        pub mod half_stencil;
    }

    pub mod imports {
        pub mod geometry;
        pub mod imported_by_imports;
        pub mod imported_functions;
        pub mod imported_items;
        pub mod lookup;
    }

    pub mod language {
        pub mod alternatives;
        pub mod ascii;
        pub mod assertions;
        pub mod bundle;
        pub mod bundle_loop;
        pub mod bundle_parts;
        pub mod bytes;
        pub mod closures;
        pub mod collatz;
        pub mod comparisons;
        pub mod conditions_with_let;
        pub mod constants;
        pub mod contracts;
        pub mod division;
        pub mod early_return;
        pub mod enum_parameter;
        pub mod enums;
        pub mod euclid;
        pub mod fixed_arrays;
        pub mod float_bits;
        pub mod float_neighbours;
        pub mod float_tests;
        pub mod functions_of_functions;
        pub mod gcd;
        pub mod generic_rank;
        pub mod generic_structs;
        pub mod helpers;
        pub mod impl_complex;
        pub mod integer_exact;
        pub mod integer_powers;
        pub mod integer_roots;
        pub mod integer_roots_fail;
        pub mod items_in_functions;
        pub mod labelled_blocks;
        pub mod labelled_loops;
        pub mod leaving_operands;
        pub mod letters;
        pub mod match_ranges;
        pub mod match_structs;
        pub mod names_host;
        pub mod names_inputs;
        pub mod names_tiles;
        pub mod names_unicode;
        pub mod never_values;
        pub mod option_elements;
        pub mod option_fields;
        pub mod option_methods;
        pub mod option_more;
        pub mod option_result;
        pub mod options;
        pub mod pattern_parameters;
        pub mod range_contains;
        pub mod saturating;
        pub mod stepped_for;
        pub mod structs;
        pub mod wide_products;
    }

    pub mod laws {
        pub mod law_folds;
        pub mod law_greatest;
        pub mod law_rows;
        pub mod law_split_windows;
        pub mod law_stencil_impulse;
        pub mod law_stencil_shift;
    }

    pub mod maps {
        pub mod array_comparisons;
        pub mod array_operators;
        pub mod fill;
        pub mod foreign_failing;
        pub mod foreign_functions;
        pub mod foreign_of_host;
        pub mod foreign_of_rows;
        pub mod generate_2d;
        pub mod invariant_division;
        pub mod iota;
        pub mod linspace;
        pub mod map_chain;
        pub mod map_indexed;
        pub mod map_to_arrays;
        pub mod materialize;
        pub mod nested_deep;
        pub mod range_vector;
        pub mod saxpy;
        pub mod shared_producer;
        pub mod unzip;
        pub mod wrapped_indices;
        pub mod zip_three;
        pub mod zip_with;
    }

    pub mod products {
        pub mod matmul;
        pub mod matmul_nested;
        pub mod matvec;
        pub mod matvec_fused;
        pub mod min_plus;
        pub mod nearest;
        pub mod outer_product;
        pub mod product_batched;
        pub mod product_coded;
        pub mod product_complex;
        pub mod product_distances;
        pub mod product_layer;
        pub mod product_nearest;
        pub mod product_of_tagged;
        pub mod product_ordered;
        pub mod product_transposed_left;
        pub mod products_checked;
        pub mod products_losses;
        pub mod products_of_two_lengths;
        pub mod recurrent;
        pub mod similar_rows;
    }

    pub mod rows {
        pub mod columns_normalized;
        pub mod flattened_rows;
        pub mod functions_of_rows;
        pub mod normalized_and_stacked;
        pub mod normalized_around;
        pub mod normalized_behind;
        pub mod normalized_folded;
        pub mod normalized_in_another_order;
        pub mod normalized_joined;
        pub mod normalized_stacked;
        pub mod row_of_locals;
        pub mod row_tuples;
        pub mod rows_bisected;
        pub mod rows_counted;
        pub mod rows_in_loops;
        pub mod rows_iterated;
        pub mod rows_long;
        pub mod rows_looping;
        pub mod rows_looping_folded;
        pub mod rows_nested;
        pub mod rows_of_states;
        pub mod rows_ranks;
        pub mod rows_reduced;
        pub mod rows_relax;
        pub mod rows_rotated;
        pub mod rows_rotated_by;
        pub mod rows_summed;
        pub mod rows_windows_folded;
        pub mod short_rows_folded;
        pub mod staged_counted;
        pub mod staged_stored;
    }

    pub mod scans {
        pub mod many_scans;
        pub mod prefixes_of_stencils;
        pub mod scan_affine;
        pub mod scan_affine_right;
        pub mod scan_beside_pair;
        pub mod scan_both_ways;
        pub mod scan_columns;
        pub mod scan_cube;
        pub mod scan_cumsum;
        pub mod scan_cumulative;
        pub mod scan_deep;
        pub mod scan_drawdown;
        pub mod scan_exclusive;
        pub mod scan_exclusive_right;
        pub mod scan_exclusive_rows;
        pub mod scan_failing;
        pub mod scan_failing_chosen;
        pub mod scan_failing_filtered;
        pub mod scan_failing_padded;
        pub mod scan_failing_rows;
        pub mod scan_failing_segments;
        pub mod scan_failing_shifted;
        pub mod scan_failing_stacked;
        pub mod scan_first_last;
        pub mod scan_fused;
        pub mod scan_fused_both;
        pub mod scan_highest;
        pub mod scan_in_branch;
        pub mod scan_less_least;
        pub mod scan_matrices;
        pub mod scan_normalised;
        pub mod scan_of_empty;
        pub mod scan_of_no_rows;
        pub mod scan_of_rows;
        pub mod scan_of_scans;
        pub mod scan_of_stencil_rows;
        pub mod scan_of_stencils_in_branches;
        pub mod scan_planes;
        pub mod scan_ranks;
        pub mod scan_reduced;
        pub mod scan_reduced_asserted;
        pub mod scan_reduced_back;
        pub mod scan_reduced_from;
        pub mod scan_reduced_in_order;
        pub mod scan_reduced_total;
        pub mod scan_row_start;
        pub mod scan_row_sums;
        pub mod scan_segmented;
        pub mod scan_segmented_cubes;
        pub mod scan_segmented_exclusive;
        pub mod scan_segmented_exclusive_right;
        pub mod scan_segmented_loop;
        pub mod scan_segmented_mismatch;
        pub mod scan_segmented_planes;
        pub mod scan_segmented_rows;
        pub mod scan_segmented_whole;
        pub mod scan_segments;
        pub mod scan_shifted;
        pub mod scan_small;
        pub mod scan_then_fold;
        pub mod scan_total;
        pub mod scan_twice;
        pub mod scan_whole;
        pub mod scan_whole_right;
        pub mod scan_wide;
    }

    pub mod scatters {
        pub mod histogram;
        pub mod histogram_after_filter;
        pub mod histogram_between;
        pub mod histogram_bins;
        pub mod histogram_image;
        pub mod histogram_in_branch;
        pub mod histogram_of_chosen;
        pub mod histogram_of_found;
        pub mod histogram_rows;
        pub mod histogram_starts;
        pub mod ordered_exact;
        pub mod ordered_last;
        pub mod ordered_loop;
        pub mod ordered_sums;
        pub mod ordered_tuples;
        pub mod reduce_by_index_rows;
        pub mod scatter_closure;
        pub mod scatter_extremes;
        pub mod scatter_first;
        pub mod scatter_fused;
        pub mod scatter_in_branch;
        pub mod scatter_in_loop;
        pub mod scatter_in_place;
        pub mod scatter_into_nothing;
        pub mod scatter_last_into_nothing;
        pub mod scatter_of_rows;
        pub mod scatter_rows;
        pub mod scatter_rows_in_branch;
        pub mod scatter_scalar;
        pub mod scatter_smallest;
        pub mod scatter_sums;
        pub mod scatter_to_itself;
        pub mod scatter_turned;
        pub mod scatter_unchecked;
        pub mod scatter_unique;
        pub mod scatter_unique_checked;
        pub mod scatter_unread;
    }

    pub mod segments {
        pub mod elements_as_segments;
        pub mod flat_map;
        pub mod repeat_each;
        pub mod segmented_branch;
        pub mod segmented_control;
        pub mod segmented_disorder;
        pub mod segmented_extremes;
        pub mod segmented_fails;
        pub mod segmented_filter;
        pub mod segmented_lengths;
        pub mod segmented_map;
        pub mod segmented_nested;
        pub mod segmented_of_rows;
        pub mod segmented_scan_folded;
        pub mod segmented_scans;
        pub mod segmented_softmax;
        pub mod segmented_sort;
        pub mod segmented_unique;
        pub mod segments_affine;
        pub mod segments_again;
        pub mod segments_branch;
        pub mod segments_cube;
        pub mod segments_disorder;
        pub mod segments_ends;
        pub mod segments_extremes;
        pub mod segments_fused;
        pub mod segments_giant;
        pub mod segments_in_rows;
        pub mod segments_lengths;
        pub mod segments_loop;
        pub mod segments_matrices;
        pub mod segments_mismatch;
        pub mod segments_offsets;
        pub mod segments_per_row;
        pub mod segments_ranks;
        pub mod segments_rows;
        pub mod segments_shifted;
        pub mod segments_summary;
        pub mod segments_taken;
        pub mod segments_whole;
    }

    pub mod sorts {
        pub mod argsort_by;
        pub mod argsort_reads;
        pub mod network_combinators;
        pub mod order_statistics;
        pub mod sort;
        pub mod sort_after_filter;
        pub mod sort_alike;
        pub mod sort_by_field;
        pub mod sort_by_fused;
        pub mod sort_by_key;
        pub mod sort_by_segments;
        pub mod sort_columns;
        pub mod sort_cube;
        pub mod sort_distinct;
        pub mod sort_failing;
        pub mod sort_few;
        pub mod sort_in_branch_of_pages;
        pub mod sort_in_branch_of_rows;
        pub mod sort_in_branch_per_row;
        pub mod sort_kept;
        pub mod sort_medians;
        pub mod sort_of_chosen;
        pub mod sort_of_every_type;
        pub mod sort_of_kept;
        pub mod sort_of_normalized;
        pub mod sort_of_products;
        pub mod sort_options;
        pub mod sort_prefix;
        pub mod sort_prefix_sum;
        pub mod sort_select;
        pub mod sort_structs;
        pub mod sort_then_map;
        pub mod sort_total_order;
        pub mod sort_tuples;
        pub mod sort_wide;
        pub mod top_few;
        pub mod top_many;
        pub mod top_rows;
    }

    pub mod stencils {
        pub mod blur;
        pub mod convolution_by_generate;
        pub mod elements_of_neighbours;
        pub mod jacobi;
        pub mod median_filter;
        pub mod moving_average;
        pub mod relaxation;
        pub mod stencil_ball;
        pub mod stencil_by_formula;
        pub mod stencil_canny;
        pub mod stencil_constant;
        pub mod stencil_convolution;
        pub mod stencil_cube;
        pub mod stencil_extrema;
        pub mod stencil_frozen_border;
        pub mod stencil_function;
        pub mod stencil_gauss;
        pub mod stencil_jacobi;
        pub mod stencil_life;
        pub mod stencil_long;
        pub mod stencil_loops;
        pub mod stencil_mirror;
        pub mod stencil_of_functions;
        pub mod stencil_of_normalized;
        pub mod stencil_of_roots;
        pub mod stencil_of_rows;
        pub mod stencil_of_stencil_mixed;
        pub mod stencil_pairs;
        pub mod stencil_places;
        pub mod stencil_ranks;
        pub mod stencil_rows;
        pub mod stencil_separable;
        pub mod stencil_steps;
        pub mod stencil_three;
        pub mod stencil_two;
        pub mod stencil_wide;
    }

    pub mod views {
        pub mod broadcast;
        pub mod chunks;
        pub mod chunks_exact;
        pub mod columns;
        pub mod concat;
        pub mod concat_axis;
        pub mod concat_of_folds;
        pub mod concat_of_row_sums;
        pub mod concat_parts;
        pub mod flatten_reshape;
        pub mod forward_difference;
        pub mod halves;
        pub mod interleave;
        pub mod join_planes;
        pub mod joined_by_hand;
        pub mod joined_of_empty;
        pub mod joined_rows;
        pub mod joined_then_read;
        pub mod outer_planes;
        pub mod pad_boundaries;
        pub mod pad_constant;
        pub mod pad_vector;
        pub mod pad_wrap;
        pub mod pairs;
        pub mod permute_axes;
        pub mod pieces_ranks;
        pub mod replicate;
        pub mod reshape_map;
        pub mod reverse_twice;
        pub mod rotate;
        pub mod row_column;
        pub mod row_of_device;
        pub mod slice_matrix;
        pub mod slice_of_device;
        pub mod slice_steps;
        pub mod slide;
        pub mod slide_rows;
        pub mod split_join;
        pub mod split_rows;
        pub mod stack;
        pub mod stack_flat;
        pub mod stack_of_rows;
        pub mod take_skip;
        pub mod transpose;
        pub mod transpose_batch;
        pub mod transpose_bytes;
        pub mod transpose_joined;
        pub mod transpose_plus;
        pub mod transpose_twice;
        pub mod views_ranks;
        pub mod views_shapes;
        pub mod window_at_a_point;
        pub mod windows;
        pub mod windows_of_rows;
    }
    pub mod wide {
        pub mod wide_checked;
        pub mod wide_dot;
        pub mod wide_fixed_point;
        pub mod wide_floats;
        pub mod wide_forms;
        pub mod wide_high;
        pub mod wide_law;
        pub mod wide_modular;
        pub mod wide_of_host;
        pub mod wide_primes;
        pub mod wide_random;
        pub mod wide_shifts;
    }
}
