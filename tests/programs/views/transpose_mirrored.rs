//! The upper triangle mirrored: only some elements are read from across the diagonal, and such reads may fail.
//!
//! kernels: 1 (elementwise)
//! shapes: m (m, n)
//! work: fails

accelerate! {
    pub fn mirrored(m: &Matrix<f32>) -> Matrix<f32> {
        m.map_indexed(|(i, j), x| if j < i { m[(j, i)] } else { x })
    }
}
