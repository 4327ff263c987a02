//! Every scan of two axes: of computed tuples in order, from both sides.
//!
//! shapes: m (h, w)

accelerate! {
    fn then(f: (i32, i32), g: (i32, i32)) -> (i32, i32) {
        (f.0 * g.0, f.1 * g.0 + g.1)
    }

    pub fn planes(m: &Matrix<(i32, i32)>) -> (Matrix<(i32, i32)>, Matrix<i32>, Vector<i32>) {
        let xs = m.map(|(a, b)| (a, b + 1));
        let numbers = xs.map(|(a, b)| a ^ b);
        let (before, totals) = xs.scan_exclusive((2, 5), |f, g| then(f, g));
        let (behind, ends) = xs.rscan_exclusive((2, 5), |f, g| then(f, g));
        let around = zip((before, behind, xs.scan1(|f, g| then(f, g)), numbers.cumsum()));
        (
            xs.scan((2, 5), |_, b| b).map(|(a, b)| (b, a)),
            around.map(|(f, g, h, x)| f.0 ^ g.1 ^ h.1 ^ x),
            totals.zip_with(&ends, |f, g| f.1 - g.1),
        )
    }
}
