//! Places by what stands there.
//!
//! kernels: 3 (sort)
//! shapes: xs n

accelerate! {
    pub fn places(xs: &Vector<f64>) -> Vector<usize> {
        (0..xs.len()).sort_by(|&i, &j| xs[j].abs().total_cmp(&xs[i].abs()))
    }
}
