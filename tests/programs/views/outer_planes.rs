//! The planes of a cube, each transposed and scaled.
//!
//! kernels: 1 (elementwise)
//! shapes: c (l, m, n)

accelerate! {
    pub fn flipped(c: &Cube<f32>) -> Cube<f32> {
        c.outer().map(|plane| plane.transpose().map(|x| x * 2.0))
    }
}
