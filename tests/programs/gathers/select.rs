//! Reading at indices from an array.
//!
//! kernels: 1 (elementwise)
//! shapes: xs k, indices n
//! values: indices 0..40
//! work: indices 0..k

accelerate! {
    pub fn pick(xs: &Vector<i64>, indices: &Vector<usize>) -> Vector<i64> {
        xs.select(indices)
    }
}
