//! Closures in the closure: another array for each element, and all pairs of a segment's elements.
//!
//! shapes: rows.values n, rows.offsets s, ys m
//! offsets: rows.offsets n
//! values: rows.values -99..99, ys -99..99

accelerate! {
    pub fn nearest(rows: &Segmented<i32>, ys: &Vector<i32>) -> (Segmented<i32>, Vector<i32>) {
        rows.map_segments(|row| {
            let closest = row.map(|x| ys.fold(1000, |least, y| least.min((x - y).abs())));
            let farthest = row.map(|x| row.map(|y| (x - y).abs()).fold(0, |a, b| a.max(b)));
            (closest.zip(farthest).map(|(a, b)| a + b), farthest.map(|d| d / 2).sum())
        })
    }
}
