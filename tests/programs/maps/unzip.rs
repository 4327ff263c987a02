//! One component of an array of tuples; the other is never read.
//!
//! kernels: 1 (elementwise)
//! bytes: 8n
//! shapes: pairs n

accelerate! {
    pub fn firsts(pairs: &Vector<(f32, i64)>) -> Vector<f32> {
        let (xs, _) = pairs.unzip();
        xs.map(|x| x + 0.5)
    }
}
