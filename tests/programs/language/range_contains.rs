//! Whether a value is within a range, open or closed at its ends.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n, ys n

accelerate! {
    pub fn range_contains(xs: &Vector<i32>, ys: &Vector<f32>, low: i32) -> Vector<(bool, bool, u8)> {
        xs.zip(ys).map(|(x, y)| {
            let close = (low..low + 10).contains(&x) || (0..=3).contains(&(x % 8));
            let half = (..1.5).contains(&y) && !(-2.0..=-1.0).contains(&y);
            (close, half && (i32::MIN..).contains(&low), if (..=low).contains(&x) { 1 } else { 2 })
        })
    }
}
