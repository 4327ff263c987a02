//! Integers in order: a count of all digits and a pass over each.
//!
//! kernels: 5 (sort)
//! bytes: 36n
//! shapes: xs n

accelerate! {
    pub fn sorted(xs: &Vector<u32>) -> Vector<u32> {
        xs.sort()
    }
}
