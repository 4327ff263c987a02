//! A closure over plain elements that gives arrays: they become the inner axes.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n, ys k

accelerate! {
    pub fn distances(xs: &Vector<f32>, ys: &Vector<f32>) -> (Matrix<f32>, Matrix<bool>) {
        xs.map(|x| (ys.map(|y| (x - y).abs()), ys.map(|y| x < y)))
    }
}
