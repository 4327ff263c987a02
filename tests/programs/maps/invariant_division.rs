//! A reduction that can fail and that all elements share: it is computed once, but only where there are elements.
//!
//! kernels: 2 (reduce, elementwise)
//! shapes: xs n, ys m
//! values: ys 0..4
//! work: ys 1..4

accelerate! {
    pub fn scaled(xs: &Vector<i32>, ys: &Vector<i32>) -> Vector<i32> {
        xs.map(|x| x * ys.map(|y| 100 / y).sum())
    }
}
