//! Vectors of any length for each element, one after the other; what an element alone decides is asked once for each.
//!
//! shapes: ns n, xs n
//! values: ns 0..9

accelerate! {
    pub fn spread(ns: &Vector<u32>, xs: &Vector<f32>) -> (Vector<u32>, Vector<f32>, Vector<f32>) {
        let divisors = ns.flat_map(|n| (1..n + 1).filter(|d| n % d == 0));
        let steps = xs.zip(ns).flat_map(|(x, n)| generate(n as usize, |k| x * (k as f32 - 0.5)));
        (divisors, steps, xs.flat_map(|x| fill(3, x)))
    }
}
