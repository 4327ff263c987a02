//! Rows of one matrix and, behind them, of another one, each with sums that are stored: a side stores no rows that are
//! the other's.
//!
//! shapes: a (m, k), b (n, k)

accelerate! {
    pub fn correlated(a: &Matrix<i32>, b: &Matrix<i32>) -> Matrix<i32> {
        let left = a.rows().map(|row| {
            let sums = row.map(|x| row.map(|y| x * y).sum()).materialize();
            row.map(|x| sums.map(|s| s ^ x).max())
        });
        let right = b.rows().map(|row| row.map(|x| x + 1));
        left.concat_axis(0, right)
    }
}
