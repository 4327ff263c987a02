//! Products modulo a number that may be zero: an error then.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n, ys n, ms n
//! values: ms 0..100
//! work: ms 1..100

accelerate! {
    pub fn products(xs: &Vector<u64>, ys: &Vector<u64>, ms: &Vector<u64>) -> Vector<(u64, i64)> {
        zip((xs, ys, ms)).map(|(x, y, m)| {
            let rest = x as u128 * y as u128 % m as u128;
            let signed = (x as i64 as i128 - y as i64 as i128) * 1_000_000_007 / (m as i128 - 100);
            (rest as u64, signed as i64)
        })
    }
}
