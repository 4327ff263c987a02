//! Powers, logarithms and multiples of integers, and their bits.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n, ys n

accelerate! {
    pub fn powers(xs: &Vector<u16>, ys: &Vector<i32>) -> Vector<([u32; 12], [i32; 4], [bool; 3])> {
        xs.zip(ys).map(|(x, y)| {
            let one = x.max(1);
            let counted = [
                one.ilog2(), one.ilog(3), x.checked_ilog(7).unwrap_or(90), x.checked_ilog10().unwrap_or(91),
                x.count_zeros(), x.leading_ones(), y.trailing_ones(), (x as u32 % 40).pow(3),
                x.to_be() as u32, u16::from_le(x) as u32, x.div_ceil(24) as u32, u16::BITS,
            ];
            let multiples = [
                (x / 8).next_power_of_two() as u32, x.checked_next_power_of_two().unwrap_or(5) as u32,
                (x / 2).next_multiple_of(24) as u32, x.wrapping_pow(5) as u32,
            ];
            let signed = [
                y.checked_isqrt().unwrap_or(-1), y.unsigned_abs().cast_signed(), (y % 9).pow(2), multiples[0] as i32,
            ];
            let bytes = u16::from_ne_bytes(x.to_ne_bytes());
            ([
                counted[0], counted[1], counted[2], counted[3], counted[4], counted[5], counted[6], counted[7],
                counted[8] ^ counted[9], counted[10] + multiples[1], multiples[2] ^ multiples[3], y.cast_unsigned(),
            ], signed, [x.is_power_of_two() || bytes == x, y.is_positive(), y.is_negative()])
        })
    }
}
