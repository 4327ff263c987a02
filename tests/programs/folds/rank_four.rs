//! Rank 4: sums of the two inner axes.
//!
//! kernels: 1 (reduce)
//! shapes: x (a, b, c, d)

accelerate! {
    pub fn planes(x: &Array<f64, 4>) -> Matrix<f64> {
        x.sum().sum()
    }
}
