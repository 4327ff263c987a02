//! Tuples in tuples.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n

accelerate! {
    pub fn shuffle(xs: &Vector<((i32, f32), (u8, (bool, i64)))>) -> Vector<((bool, i32), f32, i64)> {
        xs.map(|((a, b), (c, (d, e)))| ((d && c > 3, a), b * 2.0, e - c as i64))
    }
}
