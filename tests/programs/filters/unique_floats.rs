//! Floats are equal where `total_cmp` says so: a NaN to the same NaN, and no zero to the one of the other sign.
//!
//! shapes: ks n
//! values: ks 0..8

accelerate! {
    pub fn floats(ks: &Vector<u8>) -> (Vector<u32>, Vector<i64>) {
        let singles = ks.map(|k| match k {
            0 => 0.0f32,
            1 => -0.0,
            2 => f32::from_bits(0x7fc0_0000),
            3 => f32::from_bits(0xffc0_0000),
            4 => f32::INFINITY,
            k => k as f32 / 2.0,
        });
        let doubles = ks.map(|k| if k % 3 == 0 { -0.0 } else { (k % 3) as f64 - 1.0 });
        let doubles = doubles.unique().map(|x| x.to_bits() as i64);
        (singles.unique().map(|x| x.to_bits()), doubles)
    }
}
