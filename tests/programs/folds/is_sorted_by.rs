//! Whether what a closure says holds of each element and the next one, and whether keys are in order: of one element or none it
//! does. A key may fail.
//!
//! shapes: xs n, m (h, w)
//! values: m -9..9
//! work: m 1..9

accelerate! {
    pub fn in_order(xs: &Vector<f64>, m: &Matrix<(i32, i32)>) -> (bool, bool, Vector<bool>, Vector<bool>) {
        (
            xs.is_sorted_by(|a, b| a >= b),
            xs.is_sorted_by(|a, b| *a <= *b + 1.0),
            m.is_sorted_by(|a, b| a.0 < b.0 || a.1 < b.1),
            m.is_sorted_by_key(|(a, b)| 100 / (a + b)),
        )
    }
}
