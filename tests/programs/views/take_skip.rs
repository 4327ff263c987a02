//! Parts of a vector.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n
//! values: k 0..9

accelerate! {
    pub fn ends(xs: &Vector<i32>, k: usize) -> Vector<i32> {
        let front = xs.skip(k);
        let back = xs.take(xs.len() - k);
        front - back
    }
}
