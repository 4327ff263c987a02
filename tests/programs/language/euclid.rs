//! Euclidean division of integers and floats.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n

accelerate! {
    pub fn remainders(xs: &Vector<i32>) -> Vector<(i32, i32, u32)> {
        xs.map(|x| (x.rem_euclid(7), x.div_euclid(7), x.abs_diff(100)))
    }
}
