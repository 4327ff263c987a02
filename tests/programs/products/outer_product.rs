//! Every pair.
//!
//! kernels: 1 (elementwise)
//! bytes: 8m n + 8m + 8n
//! shapes: x m, y n

accelerate! {
    pub fn pairs(x: &Vector<f64>, y: &Vector<f64>) -> Matrix<f64> {
        x.outer_product(y)
    }
}
