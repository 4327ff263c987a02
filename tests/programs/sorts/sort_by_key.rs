//! By a key that is computed where the elements are first read.
//!
//! kernels: 5 (sort)
//! bytes: 60n
//! shapes: xs n

accelerate! {
    pub fn nearest(xs: &Vector<f32>, to: f32) -> Vector<f32> {
        xs.sort_by_key(|x| (x - to).abs())
    }
}
