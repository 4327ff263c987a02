//! What a closure computes before a loop, which may have no rounds: once for an element, also where only a branch of the loop needs
//! it.
//!
//! kernels: 2 (elementwise, elementwise)
//! shapes: xs n
//! values: rounds 0..40, xs -3.0..3.0

accelerate! {
    pub fn sums(xs: &Vector<f32>, rounds: u32) -> (Vector<f32>, Vector<f32>) {
        let some = xs.map(|x| {
            let weight = (x * x).exp();
            let mixed = (x * 1000.0) as u32;
            let mixed = (mixed ^ mixed >> 7).wrapping_mul(2246822519);
            let mixed = (mixed ^ mixed >> 13).wrapping_mul(3266489917);
            let mut sum = 0.0;
            for k in 0..rounds {
                if k % 3 == 0 {
                    sum += weight;
                } else if k % 5 == 0 {
                    sum -= (mixed ^ mixed >> 16) as f32;
                }
            }
            sum
        });
        let all = xs.windows(3).map(|w| {
            let weight = (w[0] - w[2]).exp();
            let mut sum = 0.0;
            for k in 0..rounds {
                sum += weight * k as f32;
            }
            sum
        });
        (some, all)
    }
}
