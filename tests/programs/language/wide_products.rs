//! Sums and products of integers of twice the width, from their halves.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n, ys n

accelerate! {
    fn mixed(x: u64, y: u64) -> u64 {
        let (low, high) = x.carrying_mul(0x9E37_79B9_7F4A_7C15, y);
        low ^ high
    }

    pub fn wide(xs: &Vector<u64>, ys: &Vector<u64>) -> Vector<(u64, u64, u64, u32)> {
        xs.zip(ys).map(|(x, y)| {
            let (low, carry) = x.overflowing_add(y);
            let (high, _) = x.carrying_add(y, carry);
            let (rest, borrow) = y.borrowing_sub(high, carry);
            let (narrow, up) = (x as u32).carrying_mul_add(y as u32, low as u32, borrow as u32);
            (mixed(low, high), rest, low.cast_signed().unsigned_abs(), narrow.unbounded_shl(up))
        })
    }
}
