//! A foreign function in a branch, whose body does not fit its arguments.
//!
//! shapes: a (m, k), b (l, n)
//! values: a -2.0..2.0, b -2.0..2.0, rounds 0..5
//! work: fails

accelerate! {
    #[foreign(rust = crate::foreign::product)]
    fn product(a: &Matrix<f32>, b: &Matrix<f32>) -> Matrix<f32> {
        assert!(a.shape().0 < 1000, "at most 999 rows");
        a.matmul(b)
    }

    pub fn foreign_shapes_in_branch(a: &Matrix<f32>, b: &Matrix<f32>, rounds: u32) -> Matrix<f32> {
        if rounds > 2 { product(a, b) } else { a }
    }
}
