//! What only a segment with elements has, found in a branch that asks whether it has any: threads share each fold all the same.
//!
//! kernels: 1 (reduce)
//! shapes: rows.values n, rows.offsets s
//! offsets: rows.offsets n

accelerate! {
    pub fn extremes(rows: &Segmented<f32>) -> (Vector<f32>, Vector<usize>, Vector<f32>) {
        (
            rows.map_segments(|row| if row.is_empty() { 0.0 } else { row.max() }),
            rows.map_segments(|row| if row.len() > 0 { row.argmin() + 1 } else { 0 }),
            rows.map_segments(|row| {
                if row.len() == 0 {
                    return -1.0;
                }
                let most = row.fold1(|a, b| if a.abs() < b.abs() { b } else { a });
                row.map(|x| x / (most.abs() + 1.0)).sum()
            }),
        )
    }
}
