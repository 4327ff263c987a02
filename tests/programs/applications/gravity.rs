//! Forces of all on all.
//!
//! kernels: 1 (contraction)
//! shapes: bodies n

accelerate! {
    pub fn forces(bodies: &Vector<(f64, f64, f64)>) -> Vector<(f64, f64)> {
        bodies.map(|(x, y, _)| {
            let pulls = bodies.map(|(a, b, mass)| {
                let (dx, dy) = (a - x, b - y);
                let d = dx * dx + dy * dy + 0.01;
                let s = mass / (d * d.sqrt());
                (s * dx, s * dy)
            });
            pulls.fold((0.0, 0.0), |(p, q), (r, s)| (p + r, q + s))
        })
    }
}
