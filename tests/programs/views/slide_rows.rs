//! Windows of rows: a cube.
//!
//! kernels: 1 (elementwise)
//! shapes: m (r, c)

accelerate! {
    pub fn windows(m: &Matrix<(f32, i32)>) -> Cube<(i32, f32)> {
        m.slide(2, 1).map(|(x, k)| (k + 1, x))
    }
}
