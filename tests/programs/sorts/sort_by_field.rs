//! By a field, which is not moved twice; equal ones keep their order.
//!
//! kernels: 2 (sort)
//! bytes: 15n
//! shapes: xs n
//! values: xs 0..4

accelerate! {
    pub fn by_group(xs: &Vector<(u8, u32)>) -> Vector<(u8, u32)> {
        xs.sort_by_key(|(group, _)| group)
    }
}
