//! What is kept of each segment has other lengths.
//!
//! shapes: rows.values n, rows.offsets s
//! offsets: rows.offsets n
//! values: rows.values -9..9

accelerate! {
    pub fn kept(rows: &Segmented<i32>) -> (Segmented<i32>, Vector<i32>) {
        let positive = rows.map_segments(|row| row.filter(|x| x > 0));
        positive.map_segments(|row| {
            let n = row.len() as i32;
            (row.map(|x| x + n), row.sum())
        })
    }
}
