//! A loop that ends by what its state comes to: a round computes all of its state, and what it comes to, in one kernel.
//!
//! kernels: 2 (reduce, reduce)
//! bytes: 20n + 8
//! shapes: x n, v n
//! values: x -1.0..1.0, v -1.0..1.0, most 0..6

accelerate! {
    pub fn damped(x: &Vector<f32>, v: &Vector<f32>, most: usize) -> (Vector<f32>, Vector<f32>, f32) {
        let (mut x, mut v) = (x, v);
        let mut energy = v.dot(&v);
        let mut rounds = 0usize;
        while energy > 0.01 && rounds < most {
            v = v * 0.9 - x * 0.1;
            x = x + v * 0.1;
            energy = v.dot(&v);
            rounds += 1;
        }
        (x, v, energy)
    }
}
