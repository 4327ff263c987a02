//! Columns, each divided by its sum: lanes run across them, whatever their length.
//!
//! shapes: m (m, n)
//! values: m 1.0..2.0
//! sizes: m 1 n 40, m 3 n 33, m 100 n 31, m 50 n 100, m 1000 n 32, m 0 n 40

accelerate! {
    pub fn normalized(m: &Matrix<f64>) -> Matrix<f64> {
        m.columns().map(|column| {
            let total = column.sum();
            column.map(|x| x / total)
        })
    }
}
