//! Wrapping arithmetic, guarded division, shifts.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n, ys n

accelerate! {
    pub fn mixed(xs: &Vector<i32>, ys: &Vector<i32>) -> Vector<i32> {
        xs.zip(ys).map(|(x, y)| {
            let d = if y == 0 { 1 } else { y };
            (x * 31 + y) / d ^ (x % d) - ((x << 3) >> (y & 7))
        })
    }
}
