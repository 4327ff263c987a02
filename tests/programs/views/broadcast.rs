//! Broadcasts and new axes.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n, m (m, n)

accelerate! {
    pub fn centred(m: &Matrix<f32>, xs: &Vector<f32>) -> Matrix<f32> {
        m - xs.expand_axis(0).broadcast_to(m.shape())
    }
}
