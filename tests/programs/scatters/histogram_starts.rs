//! Where the elements of each bin begin: whether anybody asks for the counts depends on their number alone, which the host
//! knows.
//!
//! kernels: 2 (scatter, scan)
//! shapes: keys n
//! values: keys 0..9, bins 0..20

accelerate! {
    pub fn starts(keys: &Vector<u32>, bins: usize) -> Vector<u32> {
        keys.histogram(bins).scan(0, |a, b| a + b)
    }
}
