//! What neighbours compute of their own places, reads that may fail, and reads in branches that stay.
//!
//! kernels: 1 (elementwise)
//! shapes: image (m, n)
//! values: far 0..40

accelerate! {
    pub fn waves(image: &Matrix<f32>, far: usize) -> Matrix<f32> {
        let (rows, columns) = image.shape();
        let tilted = image.map_indexed(|(i, j), x| (x + (i as f32) * 0.5 - (j as f32) * 0.25).abs().sqrt());
        tilted.map_indexed(|(i, j), c| {
            let up = tilted[(if i == 0 { 0 } else { i - 1 }, j)];
            let down = tilted[((i + 1).min(rows - 1), j)];
            let left = tilted[(i, if j == 0 { columns - 1 } else { j - 1 })];
            let right = tilted[(i, (j + 1) % columns)];
            let other = if up > down { image[(i, (j + far) % columns)] } else { image[((i + far) % rows, j)] };
            up + down + left + right - 4.0 * c + other
        })
    }
}
