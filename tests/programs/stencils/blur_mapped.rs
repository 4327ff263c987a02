//! A blur of an expensive map: the map is stored.
//!
//! kernels: 2 (elementwise, stencil)
//! shapes: image (m, n)
//! values: image 0.1..1.0

accelerate! {
    pub fn blur(image: &Matrix<f32>) -> Matrix<f32> {
        let (height, width) = image.shape();
        let curved = image.map(|x| x.powf(2.2).ln_1p().sin().exp());
        generate((height, width), |(y, x)| {
            let mut sum = 0.0;
            for dy in 0..5 {
                for dx in 0..5 {
                    let i = (y + dy).max(2).min(height + 1) - 2;
                    let j = (x + dx).max(2).min(width + 1) - 2;
                    sum += curved[(i, j)];
                }
            }
            sum / 25.0
        })
    }
}
