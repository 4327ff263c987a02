//! A sparse matrix, in rows of (column, value), times a vector.
//!
//! kernels: 2 (scan, reduce)
//! bytes: 24s + 8n + 4x + 16
//! shapes: lengths s, entries n, xs x
//! lengths: lengths n
//! values: entries 0..1

accelerate! {
    pub fn smvm(lengths: &Vector<u32>, entries: &Vector<(u32, f32)>, xs: &Vector<f32>) -> Vector<f32> {
        entries.map(|(column, value)| value * xs[column as usize]).sum_segmented(&lengths)
    }
}
