//! Reading at computed places, checked.
//!
//! kernels: 1 (elementwise)
//! shapes: src k
//! values: n 0..300
//! work: fails

accelerate! {
    pub fn strided(src: &Vector<f32>, n: usize) -> Vector<f32> {
        src.gather(n, |i| i * 7 % 31)
    }
}
