//! Windows of three at every second place, as a matrix.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n

accelerate! {
    pub fn sums(xs: &Vector<i32>) -> Vector<i32> {
        xs.map(|x| x * x).slide(3, 2).sum()
    }
}
