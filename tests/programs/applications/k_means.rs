//! Rounds of Lloyd's algorithm in the plane; a centre without points stays.
//!
//! kernels: 3 (contraction, scatter, elementwise)
//! shapes: points n, start k
//! values: rounds 0..2

accelerate! {
    pub fn k_means(points: &Vector<(f32, f32)>, start: &Vector<(f32, f32)>, rounds: usize) -> Vector<(f32, f32)> {
        let mut centres = start;
        for _ in 0..rounds {
            let nearest = points.map(|(x, y)| centres.map(|(a, b)| (x - a) * (x - a) + (y - b) * (y - b)).argmin());
            let terms = points.map(|(x, y)| (x, y, 1.0));
            let sums = nearest.reduce_by_index(
                terms, centres.len(), (0.0, 0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1, a.2 + b.2),
            );
            centres = sums.zip_with(centres, |(x, y, count), old| {
                if count > 0.0 { (x / count, y / count) } else { old }
            });
        }
        centres
    }
}
