//! What is kept of each segment has other lengths.
//!
//! shapes: rows.values n, rows.offsets s
//! offsets: rows.offsets n
//! values: rows.values -9..9

accelerate! {
    pub fn kept(rows: &Segmented<i32>) -> (Segmented<i32>, Segmented<i32>, Segmented<usize>, Vector<i32>, Segmented<i32>) {
        let positive = rows.map_segments(|row| row.filter(|x| x > 0));
        let (even, sums) = positive.map_segments(|row| {
            let n = row.len() as i32;
            let even = row.filter_map(|x| if x % 2 == 0 { Some(x + n) } else { None });
            (even, even.sum())
        });
        let above = rows.map_segments(|row| {
            let mean = row.sum() / row.len().max(1) as i32;
            row.indices_of(|x| x > mean)
        });
        (positive, even, above, sums, rows.map_segments(|row| row.dedup().sort()))
    }
}
