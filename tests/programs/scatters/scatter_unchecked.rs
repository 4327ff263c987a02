//! Each target at most once, as somebody promises.
//!
//! kernels: 1 (scatter)
//! shapes: xs n

accelerate! {
    pub fn evens_first(xs: &Vector<i32>) -> Vector<i32> {
        let n = xs.len();
        let half = (n + 1) / 2;
        unsafe {
            xs.scatter_unique_unchecked(xs.map(|x| x - 1), |i, _| {
                Some(if i % 2 == 0 { i / 2 } else { half + i / 2 })
            })
        }
    }
}
