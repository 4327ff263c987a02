//! A sum of generic structs by their fields, and a fold by their operator.
//!
//! kernels: 1 (reduce)
//! shapes: xs n

accelerate! {
    struct Moments<T, C> {
        total: T,
        squares: T,
        count: C,
    }

    fn moments<T: Float>(x: T) -> Moments<T, u32> {
        Moments { total: x, squares: x * x, count: 1 }
    }

    pub fn spread(xs: &Vector<f32>) -> (f32, f32) {
        let all = xs.map(|x| moments(x)).sum();
        let n = all.count.max(1) as f32;
        let mean = all.total / n;
        (mean, all.squares / n - mean * mean)
    }
}
