//! One result more than elements; the squares are computed inside.
//!
//! shapes: xs n

accelerate! {
    pub fn whole(xs: &Vector<i64>) -> Vector<i64> {
        xs.scan(17, |a, x| a + x * x)
    }
}
