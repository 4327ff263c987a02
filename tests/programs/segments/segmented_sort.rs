//! Each segment sorted, by keys too, and the places of its elements in order.
//!
//! shapes: rows.values n, rows.offsets s
//! offsets: rows.offsets n
//! values: rows.values -9..9

accelerate! {
    pub fn sorted(rows: &Segmented<(i8, u16)>) -> (Segmented<(i8, u16)>, Segmented<(i8, u16)>, Segmented<usize>, Vector<i8>) {
        rows.map_segments(|row| {
            let sorted = row.sort();
            let median = if row.is_empty() { 0 } else { sorted[row.len() / 2].0 };
            (sorted, row.sort_by_key(|(a, _)| -a), row.map(|(a, _)| a).argsort(), median)
        })
    }
}
