//! Squares of the distances between the points of two sets.
//!
//! kernels: 1 (contraction)
//! bytes: 4k m + 4k n + 4m n
//! shapes: points (m, k), centers (n, k)

accelerate! {
    pub fn distances(points: &Matrix<f32>, centers: &Matrix<f32>) -> Matrix<f32> {
        points.rows().map(|p| {
            centers.rows().map(|c| p.zip(c).map(|(x, y)| (x - y) * (x - y)).sum())
        })
    }
}
