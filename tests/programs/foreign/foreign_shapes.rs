//! Foreign functions whose bodies do not fit their arguments: told before they are called, by the host, in a branch and in the
//! third round of a loop too.
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

    pub fn foreign_shapes(a: &Matrix<f32>, b: &Matrix<f32>) -> Matrix<f32> {
        product(a, b)
    }

    pub fn foreign_shapes_in_branch(a: &Matrix<f32>, b: &Matrix<f32>, rounds: u32) -> Matrix<f32> {
        if rounds > 2 { product(a, b) } else { a }
    }

    pub fn foreign_shapes_in_loop(a: &Matrix<f32>, b: &Matrix<f32>, rounds: u32) -> Matrix<f32> {
        let mut c = a;
        for _ in 0..rounds {
            c = product(&c, b);
        }
        c
    }
}
