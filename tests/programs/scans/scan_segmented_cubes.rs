//! Scans by segments of three axes: of computed tuples in order, from both sides.
//!
//! shapes: at k, c (a, b, n)
//! offsets: at n

accelerate! {
    fn then(f: (i32, i32), g: (i32, i32)) -> (i32, i32) {
        (f.0 * g.0, f.1 * g.0 + g.1)
    }

    pub fn cubes(at: &Vector<u32>, c: &Cube<(i32, i32)>) -> (Cube<i32>, Cube<i32>) {
        let segments = Offsets::new(&at);
        let xs = c.map(|(a, b)| (a, b + 1));
        let (behind, ends) = xs.rscan_exclusive_segmented(segments, (2, 5), |f, g| then(f, g));
        let right = xs.rscan1_segmented(segments, |a, _| a).zip_with(&behind, |f, g| f.0 - g.1);
        let left = zip((xs.scan1_segmented(segments, |f, g| then(f, g)), xs.map(|(a, b)| a ^ b).cumprod_segmented(segments)));
        (
            zip((right, left)).map(|(x, (f, y))| x ^ f.1 ^ y),
            ends.map(|(a, b)| a - b),
        )
    }
}
