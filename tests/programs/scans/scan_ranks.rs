//! Every scan of three axes: of computed tuples in order, from both sides; thirteen numbers in one state.
//!
//! kernels: 3 (scan, scan, elementwise)
//! shapes: c (a, b, n)

accelerate! {
    fn then(f: (i32, i32), g: (i32, i32)) -> (i32, i32) {
        (f.0 * g.0, f.1 * g.0 + g.1)
    }

    pub fn ranks(c: &Cube<(i32, i32)>) -> (Cube<(i32, i32)>, Cube<i32>, Cube<i32>) {
        let xs = c.map(|(a, b)| (a, b + 1));
        let numbers = xs.map(|(a, b)| a ^ b);
        let (before, _) = xs.scan_exclusive((2, 5), |f, g| then(f, g));
        let (behind, _) = xs.rscan_exclusive((2, 5), |f, g| then(f, g));
        let right = xs.rscan1(|f, g| then(f, g)).zip_with(&behind, |f, g| f.0 - g.1);
        let left = zip((before, xs.scan1(|_, b| b), numbers.cumprod(), numbers.cummax(), numbers.cummin(), numbers.cumsum()));
        let bits = zip((numbers.scan1(|a, b| a ^ b), numbers.scan1(|a, b| a & b), numbers.scan1(|a, b| a | b)));
        (
            xs.scan((2, 5), |f, g| then(f, g)).map(|(a, b)| (b, a)),
            xs.rscan((2, 5), |f, g| then(f, g)).map(|(a, b)| a - b),
            zip((left, right, bits)).map(|((f, b, c, d, e, g), h, (p, q, r))| f.0 ^ b.1 ^ c ^ d ^ e ^ g ^ h ^ (p + q - r)),
        )
    }
}
