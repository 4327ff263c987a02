//! New axes: k copies of a vector, and each element n times.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n, ys k

accelerate! {
    pub fn table(xs: &Vector<f32>, ys: &Vector<f32>) -> Matrix<f32> {
        let rows = ys.map(|y| y * 2.0).replicate(s![.., xs.len()]);
        xs.replicate(ys.len()).zip_with(&rows, |x, y| x + y)
    }
}
