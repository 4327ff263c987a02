//! Segments as the state of a loop, and chosen by a branch.
//!
//! shapes: rows.values n, rows.offsets s
//! offsets: rows.offsets n
//! values: rows.values -99..99

accelerate! {
    pub fn rounds(rows: Segmented<i32>, rounds: u8) -> (Vector<i32>, Segmented<i32>) {
        let sums = rows.map_segments(|row| row.sum());
        let mut rows = rows;
        for k in 0..(rounds % 3) as i32 {
            rows = rows.map_segments(|row| row.filter(|x| x % 3 != k));
        }
        (sums, if rounds > 100 { rows } else { rows.map_segments(|row| row.map(|x| x + 1)) })
    }
}
