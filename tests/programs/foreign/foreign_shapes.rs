//! A foreign function whose body does not fit its arguments, told before it is called.
//!
//! kernels: 1 (contraction)
//! shapes: a (m, k), b (l, n)
//! values: a -2.0..2.0, b -2.0..2.0
//! work: fails

accelerate! {
    #[foreign(rust = crate::foreign::product)]
    fn product(a: &Matrix<f32>, b: &Matrix<f32>) -> Matrix<f32> {
        assert!(a.shape().0 < 1000, "at most 999 rows");
        a.matmul(b)
    }

    pub fn foreign_shapes(a: &Matrix<f32>, b: &Matrix<f32>) -> Matrix<f32> {
        product(a, b)
    }
}
