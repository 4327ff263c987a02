//! The high words of products of integers, as Rust writes them: one instruction each.
//!
//! kernels: 1 (elementwise)
//! choices: 0
//! bytes: 48n
//! shapes: xs n, ys n

accelerate! {
    pub fn high(xs: &Vector<u64>, ys: &Vector<u64>) -> (Vector<u64>, Vector<i64>, Vector<u64>, Vector<i64>) {
        let unsigned = xs.zip(ys).map(|(x, y)| (x as u128 * y as u128 >> 64) as u64);
        let signed = ys.map(|y| (y as i64 as i128 * 0x7F4A_7C15_9E37_79B9 >> 64) as i64);
        let middle = xs.zip(ys).map(|(x, y)| (x as u128 * y as u128 >> 32) as u64);
        let mean = ys.map(|y| ((y as i64 as i128 + y.rotate_left(9) as i64 as i128) >> 1) as i64);
        (unsigned, signed, middle, mean)
    }
}
