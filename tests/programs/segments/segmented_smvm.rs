//! A sparse matrix, in rows of (column, value), times a vector: one kernel.
//!
//! kernels: 1 (reduce)
//! shapes: offsets s, entries n, xs x
//! offsets: offsets n
//! values: entries 0..1

accelerate! {
    pub fn smvm(offsets: &Vector<u32>, entries: &Vector<(u32, f32)>, xs: &Vector<f32>) -> Vector<f32> {
        let rows = Segmented::new(entries, Offsets::new(&offsets));
        rows.map_segments(|row| row.map(|(column, value)| value * xs[column as usize]).sum())
    }
}
