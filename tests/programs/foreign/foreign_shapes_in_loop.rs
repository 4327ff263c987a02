//! A foreign function in a loop, whose body fits its arguments in no round, in the first one, or in all.
//!
//! shapes: a (m, k), b (l, n)
//! values: a -2.0..2.0, b -2.0..2.0, rounds 0..4
//! work: fails

accelerate! {
    #[foreign(rust = crate::foreign::product)]
    fn product(a: &Matrix<f32>, b: &Matrix<f32>) -> Matrix<f32> {
        a.matmul(b)
    }

    pub fn foreign_shapes_in_loop(a: &Matrix<f32>, b: &Matrix<f32>, rounds: u32) -> Matrix<f32> {
        let mut c = a;
        for _ in 0..rounds {
            c = product(&c, b);
        }
        c
    }
}
