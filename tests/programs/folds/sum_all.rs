//! Every axis at once.
//!
//! kernels: 1 (reduce)
//! bytes: 4l m n + 4
//! shapes: c (l, m, n)

accelerate! {
    pub fn total(c: &Cube<f32>) -> f32 {
        c.sum_all()
    }
}
