//! Whether elements are among the eight largest of their row, by bisection for the threshold: each round folds the row, and the
//! elements share what was found.
//!
//! kernels: 1 (rowwise)
//! bytes: 5m n
//! shapes: m (m, n)
//! values: m 0..1000

accelerate! {
    pub fn rows_bisected(m: &Matrix<i32>) -> Matrix<bool> {
        m.rows().map(|row| {
            let mut low = row.fold(0, |a, b| a.min(b)) - 1;
            let mut high = row.fold(0, |a, b| a.max(b));
            while high - low > 1 {
                let middle = low + (high - low) / 2;
                if row.map(|x| if x > middle { 1 } else { 0 }).sum() < 8 {
                    high = middle;
                } else {
                    low = middle;
                }
            }
            row.map(|x| x >= high && x > low)
        })
    }
}
