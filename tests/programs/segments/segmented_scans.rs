//! Scans of each segment: inclusive, by an operator that does not commute, with an initial value of the segment's own, and
//! from the right.
//!
//! shapes: rows.values n, rows.offsets s
//! offsets: rows.offsets n

accelerate! {
    pub fn scans(rows: &Segmented<u32>) -> (Segmented<u32>, Segmented<(u32, u32)>, Segmented<u32>, Segmented<u32>, Vector<u32>) {
        rows.map_segments(|row| {
            let n = row.len() as u32;
            let lines = row.map(|x| (x % 3 + 1, x)).scan1(|(a, b), (c, d)| (a * c, b * c + d));
            let (before, total) = row.rscan_exclusive(n, |a, b| a + b);
            (row.map(|x| x + n).cumsum(), lines, row.scan(n, |a, b| a ^ b), before, total)
        })
    }
}
