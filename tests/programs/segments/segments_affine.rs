//! Operators that do not commute, on tuples: affine maps after one another, from a first one.
//!
//! kernels: 1 (reduce)
//! shapes: at k, xs n
//! offsets: at n

accelerate! {
    pub fn composed(at: &Vector<u64>, xs: &Vector<(i32, i32)>) -> Vector<(i32, i32)> {
        xs.fold_segmented(Offsets::new(&at), (3, 1), |(a, b), (c, d)| (a * c, b * c + d))
    }
}
