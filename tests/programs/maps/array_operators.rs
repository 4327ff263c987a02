//! Operators on whole arrays and scalars.
//!
//! kernels: 1 (elementwise)
//! bytes: 12m n
//! shapes: a (m, n), b (m, n)

accelerate! {
    pub fn blend(a: &Matrix<f32>, b: &Matrix<f32>, t: f32) -> Matrix<f32> {
        a * (1.0 - t) + b * t - 2.0
    }
}
