//! The smallest integers of each target: one instruction of the device for each.
//!
//! kernels: 1 (scatter)
//! shapes: keys n, xs n
//! values: keys 0..10

accelerate! {
    pub fn smallest(keys: &Vector<u32>, xs: &Vector<u32>) -> (Vector<u32>, Vector<i64>) {
        let elements = xs.map(|x| (x, x as i64 - 7));
        keys.reduce_by_index(elements, 10, (u32::MAX, 0), |a, x| (a.0.min(x.0), a.1.min(x.1))).unzip()
    }
}
