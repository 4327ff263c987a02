//! Forces of all bodies on each other, with a reciprocal root of the device and sums of products.
//!
//! kernels: 1 (contraction)
//! bytes: 16n
//! shapes: at n
//! values: at -1.0..1.0

accelerate! {
    #[fast_math]
    pub fn fast_forces(at: &Vector<(f32, f32)>) -> Vector<(f32, f32)> {
        at.map(|(x, y)| {
            let pulls = at.map(|(u, v)| {
                let (dx, dy) = (u - x, v - y);
                let near = 1.0 / (dx * dx + dy * dy + 0.01).sqrt();
                let strength = near * near * near;
                (dx * strength, dy * strength)
            });
            pulls.fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1))
        })
    }
}
