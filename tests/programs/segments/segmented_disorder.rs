//! Offsets in any order: whatever is done with the segments fails alike.
//!
//! shapes: rows.values n, rows.offsets s
//! values: rows.offsets 0..70
//! work: fails

accelerate! {
    pub fn failing(rows: &Segmented<u32>) -> (Segmented<u32>, Segmented<u32>) {
        rows.map_segments(|row| (row.sort(), row.concat(row).filter(|x| x > 9).cumsum()))
    }
}
