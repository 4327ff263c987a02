//! Relaxation until little changes: a round's values and by how much they have changed are one kernel.
//!
//! kernels: 1 (reduce)
//! shapes: u (h, w)
//! values: u 0.0..1.0, most 0..4

accelerate! {
    pub fn relaxed(u: &Matrix<f32>, most: usize) -> (Matrix<f32>, usize) {
        let mut u = u;
        let mut change = 1.0f32;
        let mut rounds = 0usize;
        while change > 1e-3 && rounds < most {
            let next = u.stencil(Clamp, |w| (w[(0, -1)] + w[(0, 1)] + w[(-1, 0)] + w[(1, 0)]) / 4.0);
            change = next.zip(u).map(|(a, b)| (a - b).abs()).max_all();
            u = next;
            rounds += 1;
        }
        (u, rounds)
    }
}
