//! Two sides that turn out to be one array, under a condition that may fail: it is evaluated all the same.
//!
//! shapes: a n, f m
//! values: f 0..6, j 0..6

accelerate! {
    pub fn either(a: &Vector<f64>, f: &Vector<usize>, j: usize) -> Vector<f64> {
        if f[f[j]] == 3 { a.reverse().reverse() } else { a.clone() }
    }
}
