//! Minimum and maximum, then a stretch.
//!
//! kernels: 2 (reduce, elementwise)
//! bytes: 12m n + 16
//! shapes: image (m, n)

accelerate! {
    pub fn stretch(image: &Matrix<f32>) -> Matrix<f32> {
        let low = image.min_all();
        let high = image.max_all();
        let scale = if high > low { 1.0 / (high - low) } else { 0.0 };
        image.map(|x| (x - low) * scale)
    }
}
