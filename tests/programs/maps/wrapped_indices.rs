//! An index that a number from outside enters: below zero it wraps in 64 bits, of which narrow indices have 32.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n

accelerate! {
    pub fn turned(xs: &Vector<i32>, by: i64) -> Vector<i32> {
        let n = xs.len();
        xs.gather(n, |i| (by as usize + i) % n)
    }
}
