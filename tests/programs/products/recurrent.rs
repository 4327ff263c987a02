//! A recurrent network: two products a step, of what comes in and of what was there, each in tiles.
//!
//! kernels: 2 (contraction, contraction)
//! shapes: xs (t, n, k), w (k, m), u (m, m), h (n, m)

accelerate! {
    pub fn recurrent(xs: &Cube<f32>, w: &Matrix<f32>, u: &Matrix<f32>, h: Matrix<f32>) -> Matrix<f32> {
        let mut h = h;
        for x in xs.outer() {
            h = (x.matmul(w) + h.matmul(u)).map(|v| v.clamp(-1.0, 1.0));
        }
        h
    }
}
