//! A wide window with weights of another array, whose size is checked before the loops.
//!
//! kernels: 1 (stencil)
//! bytes: 8m n + 4k l
//! shapes: image (m, n), weights (k, l)
//! sizes: m 40 n 144 k 17 l 17, m 40 n 144 k 17 l 16, m 40 n 70 k 3 l 18
//! work: fails

accelerate! {
    pub fn convolved(image: &Matrix<f32>, weights: &Matrix<f32>) -> Matrix<f32> {
        image.stencil(Clamp, |w| {
            let mut sum = 0.0;
            for dy in -8..=8 {
                for dx in -8..=8 {
                    sum += weights[((dy + 8) as usize, (dx + 8) as usize)] * w[(dy, dx)];
                }
            }
            sum
        })
    }
}
