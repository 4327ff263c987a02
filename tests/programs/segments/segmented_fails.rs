//! An index out of a segment, and the largest of an empty one.
//!
//! shapes: rows.values n, rows.offsets s
//! offsets: rows.offsets n
//! values: rows.values 0..5
//! work: fails

accelerate! {
    pub fn failing(rows: &Segmented<u8>) -> (Vector<u8>, Segmented<u8>) {
        rows.map_segments(|row| (row.map(|x| row[x as usize]).fold(0, |a, b| a + b), row.map(|x| row.max() - x)))
    }
}
