//! Three vectors as the rows of a matrix.
//!
//! kernels: 1 (elementwise)
//! choices: 0
//! bytes: 20n
//! shapes: xs n, ys n

accelerate! {
    pub fn stacked(xs: &Vector<f32>, ys: &Vector<f32>) -> Matrix<f32> {
        stack((xs, ys, xs.zip(ys).map(|(x, y)| x * y)))
    }
}
