//! The nearest centre and how far it is: what is read where the least element stands is that element.
//!
//! kernels: 1 (reduce)
//! shapes: points (m, k), centers (n, k)

accelerate! {
    pub fn assigned(points: &Matrix<f32>, centers: &Matrix<f32>) -> Vector<(usize, f32)> {
        points.rows().map(|p| {
            let distances = centers.rows().map(|c| p.zip(c).map(|(a, b)| (a - b) * (a - b)).sum());
            let best = distances.argmin();
            (best, distances[best])
        })
    }
}
