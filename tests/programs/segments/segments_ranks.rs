//! Scans and folds by segments of two and three axes: of computed tuples in order, from both sides.
//!
//! kernels: 7 (scatter, scan, scan, scatter, scan, reduce, reduce)
//! shapes: at k, m (h, n), c (a, b, n)
//! offsets: at n
//! values: m -9..9, c -9..9

accelerate! {
    fn then(f: (i32, i32), g: (i32, i32)) -> (i32, i32) {
        (f.0 * g.0, f.1 * g.0 + g.1)
    }

    pub fn ranks(
        at: &Vector<u32>, m: &Matrix<i32>, c: &Cube<(i32, i32)>,
    ) -> (Cube<(i32, i32)>, Cube<i32>, Cube<i32>, Matrix<i32>) {
        let segments = Offsets::new(&at);
        let xs = c.map(|(a, b)| (a, b ^ 3));
        let numbers = xs.map(|(a, b)| a + b);
        let (before, totals) = xs.scan_exclusive_segmented(segments, (1, 2), |f, g| then(f, g));
        let folds = zip((
            totals,
            xs.fold_segmented(segments, (3, 1), |f, g| then(f, g)),
            numbers.dot_segmented(segments, &numbers),
            numbers.product_segmented(segments),
            numbers.map(|x| x > 0).any_segmented(segments),
            numbers.map(|x| x > -9).all_segmented(segments),
        ));
        (
            xs.rscan_segmented(segments, (1, 2), |f, g| then(f, g)).map(|(a, b)| (b, a)),
            before.zip_with(numbers.cummin_segmented(segments), |f, x| f.0 ^ f.1 ^ x),
            folds.map(|(f, g, x, y, p, q)| if p != q { f.0 ^ g.1 } else { x - y }),
            m.map(|x| x + 1).dot_segmented(segments, m),
        )
    }
}
