//! A blur whose weights are a formula of the offset, given as a function: they are numbers of the launch, and not computed again
//! for each point.
//!
//! kernels: 1 (elementwise)
//! shapes: image (m, n)

accelerate! {
    fn gauss(d: isize, sigma: f32) -> f32 {
        let r = d as f32;
        (-r * r / (2.0 * sigma * sigma)).exp()
    }

    fn along(image: &Matrix<f32>, weight: impl Fn(isize) -> f32) -> Matrix<f32> {
        image.stencil(Clamp, |w| {
            let mut sum = 0.0;
            let mut all = 0.0;
            for d in -3..=3 {
                sum += weight(d) * w[(0, d)];
                all += weight(d);
            }
            sum / all
        })
    }

    pub fn blurred(image: &Matrix<f32>) -> Matrix<f32> {
        along(image, |d| gauss(d, 1.5))
    }
}
