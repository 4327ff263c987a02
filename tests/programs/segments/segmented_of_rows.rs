//! Rows and columns of a matrix as segments, of which closures keep and make arrays of other lengths.
//!
//! shapes: m (h, w)
//! values: m -9..9

accelerate! {
    pub fn kept(m: &Matrix<i32>) -> (Segmented<i32>, Vector<i32>) {
        let positive = m.rows().map_segments(|row| {
            let mean = row.sum() / (row.len() as i32).max(1);
            row.filter(|x| x > mean).cumsum()
        });
        let even = m.columns().map_segments(|column| column.filter(|x| x % 2 == 0).sort().fold(-1, |_, x| x));
        (positive, even)
    }
}
