//! Only the branch taken runs.
//!
//! kernels: 1 (elementwise, elementwise)
//! shapes: xs n, ys n

accelerate! {
    pub fn either(xs: &Vector<f32>, ys: &Vector<f32>, first: bool) -> Vector<f32> {
        if first { xs.map(|x| x + 1.0) } else { ys.map(|y| y * y) }
    }
}
