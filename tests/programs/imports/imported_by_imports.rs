//! An import whose block imports, and what fails in it.
//!
//! kernels: 1 (elementwise)
//! bytes: 12n + 4k
//! shapes: xs n, at n, table k
//! values: at -1..4
//! work: at 0..k

accelerate! {
    use crate::programs::imports::lookup::found;

    pub fn looked_up(xs: &Vector<f32>, at: &Vector<i32>, table: &Vector<f32>) -> Vector<f32> {
        xs.zip_with(at, |x, i| x * found(table, i as usize))
    }
}
