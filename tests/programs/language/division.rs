//! Division that can fail: an error with the line.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n, ys n
//! values: ys -3..60
//! work: ys 1..60

accelerate! {
    pub fn quotients(xs: &Vector<i64>, ys: &Vector<i64>) -> Vector<i64> {
        xs.zip(ys).map(|(x, y)| x / y)
    }
}
