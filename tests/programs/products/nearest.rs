//! For each point the nearest centre: an all-pairs program.
//!
//! kernels: 1 (contraction)
//! shapes: points n, centres k

accelerate! {
    pub fn nearest(points: &Vector<(f32, f32)>, centres: &Vector<(f32, f32)>) -> Vector<usize> {
        points.map(|(x, y)| centres.map(|(a, b)| (x - a) * (x - a) + (y - b) * (y - b)).argmin())
    }
}
