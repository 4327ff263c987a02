//! A foreign function in each round of a loop, another one before it, whose result is used by all rounds, and one that no branch
//! reaches before the third.
//!
//! shapes: a (n, n), xs n
//! values: a -0.5..0.5, xs -2.0..2.0, rounds 0..5

accelerate! {
    #[foreign(rust = crate::foreign::product)]
    fn product(a: &Matrix<f32>, b: &Matrix<f32>) -> Matrix<f32> {
        a.matmul(b)
    }

    #[foreign(rust = crate::foreign::doubled)]
    fn doubled(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| x + x)
    }

    pub fn foreign_in_loop(a: &Matrix<f32>, xs: &Vector<f32>, rounds: u32) -> (Matrix<f32>, Vector<f32>) {
        let twice = doubled(xs);
        let mut b = a;
        let mut ys = xs;
        for round in 0..rounds {
            b = product(a, &b.map(|x| x * 0.5));
            if round > 1 {
                ys = doubled(&(ys * 0.25));
            }
            ys = ys + twice;
        }
        (b, ys)
    }
}
