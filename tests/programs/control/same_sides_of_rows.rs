//! Two sides of a branch in a closure that turn out to be one row, under a condition that may fail.
//!
//! shapes: m (m, n), f p
//! values: f 0..6
//! work: fails

accelerate! {
    pub fn either(m: &Matrix<f64>, f: &Vector<usize>) -> Matrix<f64> {
        m.rows().map(|r| if f[r.len()] == 3 { r.reverse().reverse() } else { r.clone() })
    }
}
