//! Two arrays, each with its boundary: a wave from two time steps.
//!
//! kernels: 1 (elementwise)
//! bytes: 12n
//! shapes: now n, before n

accelerate! {
    const SPEED: f32 = 0.25;

    pub fn wave(now: &Vector<f32>, before: &Vector<f32>) -> Vector<f32> {
        now.stencil2(Wrap, before, Constant(0.0), |u, v| {
            2.0 * u[0] - v[0] + SPEED * (u[-1] - 2.0 * u[0] + u[1]) + 0.0 * v[1]
        })
    }
}
