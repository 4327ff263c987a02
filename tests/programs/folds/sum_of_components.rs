//! Sums and products of tuples, fixed arrays and structs: each component for itself, in one fold.
//!
//! kernels: 4 (reduce, reduce, scan, reduce)
//! shapes: ps (m, n), lengths k
//! lengths: lengths n

accelerate! {
    pub struct Point {
        pub at: [f32; 2],
        pub count: (u32, i64),
    }

    pub fn sum_of_components(
        ps: &Matrix<Point>,
        lengths: &Vector<usize>,
    ) -> (Vector<Point>, (u32, i64), f32, Matrix<(f32, u32)>) {
        let (sum, squares, count) = ps.map(|p| (p.at[0], p.at[0] * p.at[0], 1_u32)).sum_all();
        let mean = sum / count as f32;
        let pairs = ps.map(|p| (p.at[1], p.count.0));
        (
            ps.sum(),
            ps.map(|p| p.count).product_all(),
            squares / count as f32 - mean * mean,
            pairs.sum_segmented(lengths),
        )
    }
}
