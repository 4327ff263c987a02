//! Gravity between all pairs of bodies: a division by the third power of a root is the third power of a reciprocal root.
//!
//! kernels: 1 (contraction)
//! bytes: 28n
//! shapes: bodies n
//! values: bodies -1.0..1.0

accelerate! {
    #[fast_math]
    pub fn fast_bodies(bodies: &Vector<(f32, f32, f32, f32)>) -> Vector<(f32, f32, f32)> {
        bodies.map(|(x, y, z, _)| {
            let pulls = bodies.map(|(a, b, c, mass)| {
                let (dx, dy, dz) = (a - x, b - y, c - z);
                let d = dx * dx + dy * dy + dz * dz + 0.01;
                let pull = mass / (d * d.sqrt());
                (dx * pull, dy * pull, dz * pull)
            });
            pulls.fold((0.0, 0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1, a.2 + b.2))
        })
    }
}
