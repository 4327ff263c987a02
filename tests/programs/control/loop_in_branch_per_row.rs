//! Rounds over rows in a branch whose condition is what keeps a read in bounds: of all rows at once, each under its condition.
//!
//! kernels: 3
//! shapes: m (h, w)
//! values: k 0..40

accelerate! {
    pub fn doubled(k: usize, m: &Matrix<i32>) -> Vector<i32> {
        m.rows().map(|row| {
            if k < row.len() && row[0] > 0 {
                let mut xs = row.map(|x| x + 1);
                for _ in 0..3 {
                    xs = xs.map(|x| x * 2 + row[k]);
                }
                xs[0]
            } else {
                0
            }
        })
    }
}
