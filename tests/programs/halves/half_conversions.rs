//! From and to every other type of numbers; an `f64` is rounded once.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n, is n, ws n

accelerate! {
    pub fn half_conversions(xs: &Vector<f64>, is: &Vector<i64>, ws: &Vector<u8>) -> Vector<(f16, bf16, f64, i32, u8, f16, u16)> {
        zip((xs, is, ws)).map(|(x, i, w)| {
            let (h, b) = (x as f16, f64::sqrt(x.abs()) as bf16);
            let exact = f16::from_f32(w as f32 / 16.0);
            (h + exact + f16::ONE, (i as bf16) + b - bf16::from_f64(x), h.to_f64() * f64::from(b), h as i32, b as u8, b as f16, (i as f16).to_bits())
        })
    }
}
