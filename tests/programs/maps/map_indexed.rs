//! The index beside the element.
//!
//! kernels: 1 (elementwise)
//! bytes: 8m n
//! shapes: m (m, n)

accelerate! {
    pub fn ramp(m: &Matrix<f32>) -> Matrix<f32> {
        m.map_indexed(|(i, j), x| x * i as f32 + j as f32)
    }
}
