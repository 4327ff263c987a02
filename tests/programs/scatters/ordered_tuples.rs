//! Ranks and elements of several leaves, larger than what moves with its key: one leaf by another operator each, one of
//! which rounds.
//!
//! kernels: 13 (elementwise, sort, elementwise, elementwise, scatter)
//! shapes: c (a, b, d)

accelerate! {
    #[deterministic]
    pub fn tuples(c: &Cube<f64>) -> Matrix<(f64, i64, f32, f32)> {
        let (a, _, d) = c.shape();
        let start = generate((a, d), |(i, j)| (i as f64 / 3.0, j as i64, 1.0, 9.0));
        let source = c.map_indexed(|(i, j, k), x| (x / 3.0, (i + j) as i64, 1.0 + x as f32 / 64.0, x as f32));
        start.scatter(
            |s, x| (s.0 + x.0, s.1 + x.1, s.2 * x.2, s.3.min(x.3)),
            source,
            |(i, j, k), x| if x.1 % 5 == 0 { None } else { Some((i, (k + j) % d)) },
        )
    }
}
