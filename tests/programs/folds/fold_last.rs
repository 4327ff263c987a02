//! Keeping the right operand is associative, not commutative.
//!
//! kernels: 1 (reduce)
//! shapes: xs n

accelerate! {
    pub fn last_of(xs: &Vector<i32>) -> i32 {
        xs.fold1(|_, b| b)
    }
}
