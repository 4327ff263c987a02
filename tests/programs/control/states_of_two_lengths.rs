//! Arrays of two lengths as the state of a loop: without a round they are results as they are, with one the lengths are compared.
//!
//! kernels: 1 (elementwise)
//! shapes: x n, v k
//! values: x -1.0..1.0, v -1.0..1.0, rounds 0..2

accelerate! {
    pub fn oscillate(x: &Vector<f32>, v: &Vector<f32>, rounds: usize) -> (Vector<f32>, Vector<f32>) {
        let (mut x, mut v) = (x, v);
        for _ in 0..rounds {
            v = v - x * 0.1;
            x = x + v * 0.1;
        }
        (x, v)
    }
}
