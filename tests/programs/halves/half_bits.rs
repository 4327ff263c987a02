//! Floats of 16 bits as bits, as bytes and in the order of `total_cmp`.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n

accelerate! {
    pub fn half_bits(xs: &Vector<f16>) -> Vector<(f16, u8, bool, i16)> {
        xs.map(|x| {
            let next = f16::from_bits((-x).abs().to_bits() + 1);
            let order = if x.total_cmp(&next).is_lt() { -1i16 } else { 1i16 };
            (next.next_down(), bf16::from_f32_const(x as f32).to_be_bytes()[0], x.max(f16::NEG_ZERO) <= bf16::from_f64_const(0.5) as f16 && !x.is_normal(), order)
        })
    }
}
