//! What integers of 128 bits are, and the words that a generator is known to give.
//!
//! kernels: 1 (elementwise)
//! law: quotients and rests make the dividend, roots enclose, signs and halves come apart, words are those of the reference
//! shapes: xs n, ys n

accelerate! {
    fn of(high: u64, low: u64) -> u128 {
        (high as u128) << 64 | low as u128
    }

    fn halves(x: u128) -> (u64, u64) {
        ((x >> 64) as u64, x as u64)
    }

    fn divides(x: u128, y: u128) -> bool {
        let (quotient, rest) = (x / y, x % y);
        rest < y && quotient * y + rest == x && quotient.checked_mul(y).is_some_and(|product| x - product == rest)
    }

    fn divides_signed(x: i128, y: i128) -> bool {
        let (quotient, rest) = (x.div_euclid(y), x.rem_euclid(y));
        let (short, signed) = (x / y, x % y);
        rest >= 0 && rest.unsigned_abs() < y.unsigned_abs() && quotient * y + rest == x
            && short * y + signed == x && (signed == 0 || (signed < 0) == (x < 0))
    }

    fn word(state: u128) -> u64 {
        ((state >> 64) as u64 ^ state as u64).rotate_right((state >> 122) as u32)
    }

    pub fn hold(xs: &Vector<u64>, ys: &Vector<u64>) -> (Vector<(bool, bool, bool)>, Vector<bool>) {
        let laws = xs.zip(ys).map(|(a, b)| {
            let (x, y) = (of(a, halves(of(a, b)).1), of(b >> (a & 63), a ^ 5) | 1);
            let root = x.isqrt();
            let signed = x as i128 >> (b as u32 & 127);
            (
                divides(x, y) && divides(x, a as u128 | 1) && divides_signed(x as i128, y as i128) && divides_signed(signed, b as i64 as i128 | 1),
                root * root <= x && (root == u64::MAX as u128 || x < (root + 1) * (root + 1)),
                signed.signum() * signed.saturating_abs() == signed.max(-i128::MAX)
                    && signed.rotate_left(a as u32) == signed.rotate_right(256 - (a as u32 & 127))
                    && x.to_be_bytes()[3] == (a >> 32) as u8,
            )
        });
        let increment = 54 << 1 | 1_u128;
        let mut state = 0u128;
        let multiplier = 0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645;
        state = (state * multiplier + increment + 42) * multiplier + increment;
        let mut found = [0_u64; 6];
        for k in 0..6 {
            state = state * multiplier + increment;
            found[k] = word(state);
        }
        let known = [
            0x86b1_da1d_7206_2b68, 0x1304_aa46_c985_3d39, 0xa367_0e9e_0dd5_0358,
            0xf909_0e52_9a7d_ae00, 0xc85b_9fd8_3799_6f2c, 0x6061_21f8_e391_9196,
        ];
        (laws, generate(6, |k| found[k] == known[k]))
    }
}
