//! A map of each segment is one of all values; so is a chain of them.
//!
//! shapes: rows.values n, rows.offsets s
//! offsets: rows.offsets n

accelerate! {
    pub fn doubled(rows: &Segmented<f32>, k: f32) -> (Segmented<f32>, Vector<usize>, usize) {
        let twice = rows.map_segments(|row| row.map(|x| x * 2.0));
        (twice.map_segments(|row| row.map(|x| x + k)), twice.lengths(), rows.len())
    }
}
