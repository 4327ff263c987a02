//! A scan of each segment, and a fold of what it gives.
//!
//! shapes: rows.values n, rows.offsets s
//! offsets: rows.offsets n

accelerate! {
    pub fn highest(rows: &Segmented<i32>) -> (Vector<i32>, Segmented<i32>) {
        rows.map_segments(|row| {
            let sums = row.map(|x| x % 100).cumsum();
            let highest = sums.fold(0, |a, b| a.max(b));
            (highest, sums.reverse().map(|x| highest - x).cummax())
        })
    }
}
