//! Each segment by a comparison.
//!
//! shapes: rows.values n, rows.offsets s
//! offsets: rows.offsets n
//! values: rows.values.0 -3..3

accelerate! {
    pub fn sorted(rows: &Segmented<(i64, u16)>) -> Segmented<(i64, u16)> {
        rows.map_segments(|row| row.sort_by(|a, b| (b.0 * b.0).cmp(&(a.0 * a.0)).then(a.0.cmp(&b.0))))
    }
}
