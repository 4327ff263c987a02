//! A map before, which the sort computes, and one after it, from the greatest on.
//!
//! kernels: 6 (sort, elementwise)
//! shapes: xs n

accelerate! {
    pub fn scores(xs: &Vector<i32>) -> Vector<f32> {
        xs.map(|x| x ^ 0x55).sort().reverse().map(|x| x as f32 * 0.5)
    }
}
