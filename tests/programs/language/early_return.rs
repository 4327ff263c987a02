//! Return from the middle of a helper.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n
//! values: xs -5.0..30.0

accelerate! {
    fn root(x: f64) -> f64 {
        if x < 0.0 {
            return -1.0;
        }
        let mut guess = x + 1.0;
        for _ in 0..40 {
            let next = 0.5 * (guess + x / guess);
            if next == guess {
                return next;
            }
            guess = next;
        }
        guess
    }

    pub fn roots(xs: &Vector<f64>) -> Vector<f64> {
        xs.map(|x| root(x))
    }
}
