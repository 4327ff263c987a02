//! Arrays of two parameters as the state of a loop: their lengths are equal in a round, whether or not there is one, so a round is one
//! kernel.
//!
//! kernels: 1 (elementwise)
//! bytes: 16n
//! shapes: x n, v n
//! values: x -1.0..1.0, v -1.0..1.0, rounds 0..5

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
