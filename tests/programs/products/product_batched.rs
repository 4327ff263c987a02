//! Products of the planes of two cubes.
//!
//! kernels: 1 (contraction)
//! bytes: 4k l m + 4k l n + 4l m n
//! shapes: a (l, m, k), b (l, k, n)

accelerate! {
    pub fn products(a: &Cube<f32>, b: &Cube<f32>) -> Cube<f32> {
        a.outer().zip(b.outer()).map(|(x, y)| x.matmul(y))
    }
}
