//! Counts over a matrix, whose rows are as one.
//!
//! kernels: 1 (scatter)
//! shapes: m (h, w)

accelerate! {
    pub fn levels(m: &Matrix<f32>) -> Vector<u32> {
        m.map(|x| (x.abs().min(0.99) * 16.0) as u32).histogram(16)
    }
}
