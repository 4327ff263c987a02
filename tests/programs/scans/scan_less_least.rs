//! Operands need a reduction of another array, which fails if that is empty: computed once, and not for an empty scan.
//!
//! kernels: 2 (reduce, scan)
//! shapes: xs n, ys m

accelerate! {
    pub fn above(xs: &Vector<i32>, ys: &Vector<i32>) -> Vector<i32> {
        xs.map(|x| x - ys.min()).cumsum()
    }
}
