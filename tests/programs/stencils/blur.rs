//! A 5x5 blur by clamped index reads.
//!
//! kernels: 1 (stencil)
//! bytes: 8m n
//! shapes: image (m, n)

accelerate! {
    pub fn blur(image: &Matrix<f32>) -> Matrix<f32> {
        let (height, width) = image.shape();
        generate((height, width), |(y, x)| {
            let mut sum = 0.0;
            for dy in 0..5 {
                for dx in 0..5 {
                    let i = (y + dy).max(2).min(height + 1) - 2;
                    let j = (x + dx).max(2).min(width + 1) - 2;
                    sum += image[(i, j)];
                }
            }
            sum / 25.0
        })
    }
}
