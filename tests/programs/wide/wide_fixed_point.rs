//! Exponentials in fixed point, with 96 bits behind the point.
//!
//! kernels: 1 (elementwise)
//! bytes: 24n
//! shapes: xs n
//! values: xs -4.0..4.0

accelerate! {
    const ONE: i128 = 1 << 96;

    fn times(x: i128, y: i128) -> i128 {
        // Of 192 bits behind the point, those above the last 96.
        let (a, b) = (x >> 48, x & 0xFFFF_FFFF_FFFF);
        let (c, d) = (y >> 48, y & 0xFFFF_FFFF_FFFF);
        a * c + (a * d >> 48) + (b * c >> 48)
    }

    pub fn exponentials(xs: &Vector<f64>) -> Vector<(f64, i64)> {
        xs.map(|x| {
            // The eighth part, eight times: no product is too large.
            let small = (x * (ONE / 8) as f64) as i128;
            let (mut sum, mut term) = (ONE, ONE);
            for k in 1..24 {
                term = times(term, small) / k;
                sum += term;
            }
            for _ in 0..2 {
                sum = times(sum, sum);
            }
            (sum as f64 / ONE as f64, (sum >> 33) as i64)
        })
    }
}
