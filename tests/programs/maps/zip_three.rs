//! Zips of three arrays of different types.
//!
//! kernels: 1 (elementwise)
//! bytes: 17n
//! shapes: xs n, ys n, keep n

accelerate! {
    pub fn choose(xs: &Vector<f64>, ys: &Vector<f32>, keep: &Vector<bool>) -> Vector<f32> {
        zip((xs, ys, keep)).map(|(x, y, keep)| if keep { x as f32 } else { y })
    }
}
