//! The largest eigenvalue by powers, until there is nothing left: what ends the loop is read once a round.
//!
//! kernels: 4 (elementwise, reduce, reduce, elementwise)
//! shapes: a (n, n)
//! values: a 0.0..2.0, rounds 0..4

accelerate! {
    pub fn largest(a: &Matrix<f64>, rounds: usize) -> (f64, Vector<f64>) {
        let mut x = fill(a.shape().0, 1.0);
        let mut lambda = 0.0;
        for _ in 0..rounds {
            let y = a.matvec(&x);
            let length = y.dot(&y).sqrt();
            lambda = y.dot(&x) / x.dot(&x);
            if length == 0.0 {
                break;
            }
            x = y.map(|v| v / length);
        }
        (lambda, x)
    }
}
