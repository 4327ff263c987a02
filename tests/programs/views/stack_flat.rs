//! Three vectors one after the other, as a matrix that is flat.
//!
//! kernels: 1 (elementwise)
//! choices: 0
//! shapes: xs n, ys n

accelerate! {
    pub fn flat(xs: &Vector<i64>, ys: &Vector<i64>) -> Vector<i64> {
        stack((xs, ys, xs + ys)).flatten()
    }
}
