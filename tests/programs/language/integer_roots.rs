//! Roots, logarithms, powers and multiples of integers, none of which can fail here.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n, ys n

accelerate! {
    use std::cmp::max;

    pub fn powers(xs: &Vector<u64>, ys: &Vector<i32>) -> Vector<(u64, u32, i32, u64, i32, bool)> {
        xs.zip(ys).map(|(x, y)| {
            let logarithm = max(x, 1).ilog10() + x.checked_ilog2().unwrap_or(99);
            let power = y.saturating_pow(3).midpoint(y.checked_pow(2).unwrap_or(-1));
            let rounded = x.checked_next_multiple_of(24).unwrap_or(u64::MAX);
            let moved = y.saturating_add_unsigned(x as u32).wrapping_sub_unsigned(7);
            (x.isqrt(), logarithm, power, rounded, moved, x.is_multiple_of(y.unsigned_abs() as u64))
        })
    }
}
