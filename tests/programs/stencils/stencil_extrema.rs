//! Dilation and erosion: extrema of wide windows by loops over offsets.
//!
//! kernels: 1 (stencil)
//! bytes: 8m n
//! shapes: image (m, n)
//! sizes: m 48 n 144

accelerate! {
    pub fn contrast(image: &Matrix<f32>) -> Matrix<f32> {
        image.stencil(Clamp, |w| {
            let (mut most, mut least) = (w[(0, 0)], w[(0, 0)]);
            for dy in -8..=8 {
                for dx in -8..=8 {
                    most = most.max(w[(dy, dx)]);
                    least = least.min(w[(dy, dx)]);
                }
            }
            most - least
        })
    }
}
