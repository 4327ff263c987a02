//! Loops over the offsets of a window, with weights from another array; offsets as arguments of a closure; counters that are
//! unsigned, go down, or go in steps.
//!
//! kernels: 1 (stencil)
//! shapes: image (m, n), weights (k, l)

accelerate! {
    const R: isize = 2;

    pub fn stencil_loops(image: &Matrix<f32>, weights: &Matrix<f32>) -> Matrix<f32> {
        image.stencil2(Clamp, &image, Constant(1.0), |w, v| {
            let mut sum = 0.0;
            for dy in -R..=R {
                for dx in -R..=R {
                    let by = weights.get(((dy + R) as usize, (dx + R) as usize));
                    sum += by.unwrap_or(0.5) * w[(dy, dx)];
                }
            }
            for i in (0..3).rev() {
                sum += v[(i as isize - 1, 0)];
            }
            for dx in (1..=5).step_by(2) {
                sum += v[(0, 2 * dx - 4)] * dx as f32;
            }
            let beside = |dy, dx| w[(dy, dx)] - v[(-dy, dx + 1)];
            sum + beside(1, 3) + beside(-4, 0)
        })
    }
}
