//! Scans by segments of two axes: of computed tuples in order.
//!
//! shapes: at k, m (h, n)
//! offsets: at n

accelerate! {
    fn then(f: (i32, i32), g: (i32, i32)) -> (i32, i32) {
        (f.0 * g.0, f.1 * g.0 + g.1)
    }

    pub fn planes(at: &Vector<u16>, m: &Matrix<(i32, i32)>) -> (Matrix<i32>, Matrix<i32>, Matrix<i32>) {
        let segments = Offsets::new(&at);
        let xs = m.map(|(a, b)| (a, b + 1));
        let (before, totals) = xs.scan_exclusive_segmented(segments, (2, 5), |f, g| then(f, g));
        let around = zip((before, xs.scan1_segmented(segments, |_, b| b), xs.map(|(a, b)| a ^ b).cumsum_segmented(segments)));
        (
            xs.scan_segmented(segments, (2, 5), |f, g| then(f, g)).map(|(a, b)| a - b),
            around.map(|(f, g, x)| f.0 ^ g.1 ^ x),
            totals.map(|(a, b)| a ^ b),
        )
    }
}
