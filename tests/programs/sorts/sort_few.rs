//! Sorts of a few elements, known in number, of which single ones are read: medians, ranges, places, by keys and by several.
//!
//! kernels: 5 (elementwise, elementwise, elementwise, elementwise, elementwise)
//! shapes: xs n, m (h, w)
//! values: m -3..4

accelerate! {
    pub fn few(
        xs: &Vector<f32>,
        m: &Matrix<i16>,
    ) -> (Vector<f32>, Vector<i16>, Vector<usize>, Vector<(i16, i16)>, Vector<bool>) {
        let pairs = m.flatten();
        (
            xs.windows(7).map(|w| w.sort()[3]),
            pairs.chunks_exact(5).map(|c| {
                let sorted = c.sort();
                sorted[4] - sorted[0] + sorted[2] / 4
            }),
            pairs.windows(6).map(|w| w.argsort()[2] * 10 + (w.sort_by_key(|x| x % 2)[1] & 7) as usize),
            pairs.windows(4).map(|w| w.zip(w.reverse()).sort()[1]),
            xs.windows(3).map(|w| w.map(|x| x > 0.0).sort()[1]),
        )
    }
}
