//! Ranges with steps, in both directions.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n
//! values: xs 0..40

accelerate! {
    pub fn weighted(xs: &Vector<u32>) -> Vector<u64> {
        xs.map(|n| {
            let mut sum = 0u64;
            for i in (0..n).step_by(3) {
                sum = sum * 3 + i as u64;
            }
            for i in (1..=n).rev() {
                sum ^= i as u64;
            }
            for i in (2..n).step_by(2).rev().step_by(3) {
                sum = sum * 5 + i as u64;
            }
            sum
        })
    }
}
