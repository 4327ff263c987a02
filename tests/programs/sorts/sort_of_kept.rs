//! What a condition keeps that may fail, sorted: the condition is asked once for each element, not once more to count them.
//!
//! kernels: 7 (scan, sort, scan)
//! shapes: xs n, level m
//! values: xs 0..m, level -2..2

accelerate! {
    pub fn fresh(xs: &Vector<u32>, level: &Vector<i32>) -> Vector<u32> {
        xs.filter(|x| level[x as usize] < 0).sort().unique()
    }
}
