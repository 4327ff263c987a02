//! Arithmetic of integers that says whether it is exact, wraps or stops at the ends.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n, ys n
//! values: xs -128..128, ys 0..256

accelerate! {
    pub fn exact(xs: &Vector<i8>, ys: &Vector<u8>) -> Vector<([i8; 9], [u8; 6], [bool; 4])> {
        xs.zip(ys).map(|(x, y)| {
            let shift = y as u32 % 11;
            let signed = [
                x.wrapping_div(x | 1), x.wrapping_rem(x | 1), x.wrapping_shl(shift), x.wrapping_shr(shift),
                x.wrapping_add_unsigned(y), x.saturating_sub_unsigned(y), x.checked_rem(x).unwrap_or(3),
                x.checked_shl(shift).unwrap_or(-1), x.checked_div(x / 2).unwrap_or(7),
            ];
            let unsigned = [
                y.wrapping_add_signed(x), y.saturating_sub_signed(x), y.checked_add_signed(x).unwrap_or(9),
                y.checked_sub_signed(x).unwrap_or(8), y.checked_shr(shift).unwrap_or(6), y.saturating_div(shift as u8 + 1),
            ];
            let (_, added) = y.overflowing_add_signed(x);
            let (_, multiplied) = x.overflowing_mul(shift as i8);
            let difference = y.checked_signed_diff(x as u8);
            (signed, unsigned, [added, multiplied, difference.is_none(), x.checked_abs().is_some_and(|a| a > 5)])
        })
    }
}
