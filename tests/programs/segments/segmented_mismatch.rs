//! Lengths that mostly do not add up.
//!
//! shapes: lengths s, xs n
//! values: lengths 0..3
//! work: fails

accelerate! {
    pub fn failing(lengths: &Vector<u32>, xs: &Vector<i32>) -> (Segmented<i32>, Vector<i32>) {
        let rows = Segmented::new(xs, &lengths);
        let sums = rows.map_segments(|row| row.sum());
        (rows.map_segments(|row| row.map(|x| x - row.sum())), sums)
    }
}
