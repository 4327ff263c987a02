//! The distinct elements of each segment, and how many of what is kept of it.
//!
//! kernels: 24
//! shapes: rows.values n, rows.offsets s
//! offsets: rows.offsets n
//! values: rows.values -9..9

accelerate! {
    pub fn distinct(rows: &Segmented<i16>) -> (Segmented<i16>, Vector<usize>) {
        rows.map_segments(|row| {
            let positive = row.filter(|x| x > 0).map(|x| (x > 4, x % 3));
            (row.unique(), positive.unique().len())
        })
    }
}
