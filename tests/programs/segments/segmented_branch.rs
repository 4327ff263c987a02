//! Branches in the closure, by the segment and by the element.
//!
//! shapes: rows.values n, rows.offsets s
//! offsets: rows.offsets n
//! values: rows.values -9..9

accelerate! {
    pub fn branches(rows: &Segmented<i32>) -> (Segmented<i32>, Vector<i32>) {
        rows.map_segments(|row| {
            let scaled = row.map(|x| if x > 0 { row.max() - x } else { x });
            let first = if row.len() > 2 { row[2] + row.min() } else { -1 };
            (scaled, first)
        })
    }
}
