//! Places in the order that a comparison says: by keys, where it compares the same of both, downwards too, or along with the
//! sort, where it says something else.
//!
//! shapes: xs n, m (h, w)
//! values: m -9..9

accelerate! {
    pub fn places(xs: &Vector<f64>, m: &Matrix<(i32, i32)>) -> (Vector<usize>, Matrix<usize>, Vector<usize>) {
        (
            xs.argsort_by(|a, b| b.abs().total_cmp(&a.abs())),
            m.argsort_by(|a, b| (a.0 + a.1).cmp(&(b.0 + b.1)).then(b.0.cmp(&a.0))),
            xs.argsort_by(|a, b| if *a < 0.0 && *b < 0.0 { b.total_cmp(a) } else { a.total_cmp(b) }),
        )
    }
}
