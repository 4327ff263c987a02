//! What a closure gives, where it gives something.
//!
//! kernels: 1 (scan)
//! bytes: 12n + 8
//! shapes: xs n
//! values: xs -10..10

accelerate! {
    pub fn reciprocals(xs: &Vector<i32>) -> Vector<f64> {
        xs.filter_map(|x| if x != 0 { Some(1.0 / x as f64) } else { None })
    }
}
