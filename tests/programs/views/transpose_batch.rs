//! The matrices of a batch, each transposed.
//!
//! kernels: 1 (elementwise)
//! bytes: 16l m n
//! shapes: c (l, m, n)

accelerate! {
    pub fn each_transposed(c: &Cube<f64>) -> Cube<f64> {
        c.outer().map(|m| m.transpose().map(|x| x * 2.0))
    }
}
