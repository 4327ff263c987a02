//! Products of matrices of floats of 16 bits: products and sums in `f32`, rounded once.
//!
//! kernels: 2 (contraction, reduce)
//! shapes: a (h, k), b (k, w), x w

accelerate! {
    pub fn half_matmul(a: &Matrix<f16>, b: &Matrix<f16>, x: &Vector<bf16>) -> (Matrix<f16>, Vector<bf16>) {
        (a.matmul(b), b.map(|b| b as bf16).matvec(x))
    }
}
