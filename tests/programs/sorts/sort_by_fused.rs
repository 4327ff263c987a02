//! What is sorted is computed where it is first read; what comes of it is a kernel of its own. A NaN is no number to compare.
//!
//! kernels: 4 (sort, elementwise)
//! bytes: 24n
//! shapes: xs n

accelerate! {
    pub fn steps(xs: &Vector<f32>) -> Vector<f32> {
        let halves = xs.map(|x| x * 0.5);
        halves.sort_by(|a, b| a.partial_cmp(b).unwrap()).map(|x| x + 1.0)
    }
}
