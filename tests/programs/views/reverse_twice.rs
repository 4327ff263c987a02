//! Reversing twice costs nothing.
//!
//! kernels: 0
//! bytes: 0
//! shapes: xs n

accelerate! {
    pub fn same(xs: &Vector<f64>) -> Vector<f64> {
        xs.reverse().reverse()
    }
}
