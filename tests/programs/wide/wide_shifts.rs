//! Shifts by any counts, and bits.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n, ns n
//! values: ns 0..300

accelerate! {
    pub fn shifts(xs: &Vector<u64>, ns: &Vector<u32>) -> Vector<(u64, u64, i64, u64, u32, u32)> {
        xs.zip(ns).map(|(x, n)| {
            let wide = x as u128 * 0xFEDC_BA98_7654_3210_0123;
            let left = wide << n;
            let right = (wide as i128) >> n;
            let turned = wide.rotate_left(n) ^ wide.unbounded_shr(n).reverse_bits();
            (
                (left >> 64) as u64,
                left as u64,
                (right >> 3) as i64,
                (turned >> 40) as u64,
                left.leading_zeros() + left.trailing_zeros(),
                right.count_ones(),
            )
        })
    }
}
