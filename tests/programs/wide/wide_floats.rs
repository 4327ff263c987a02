//! Conversions from floats, which saturate, and to floats, which are rounded once.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n, ys n

accelerate! {
    pub fn convert(xs: &Vector<f64>, ys: &Vector<u64>) -> Vector<(u64, u64, i64, f32, f64, f32)> {
        xs.zip(ys).map(|(x, y)| {
            let large = x * 1.0e33;
            let (unsigned, signed) = (large as u128, (large * 40.0) as i128);
            let wide = (y as u128) << (y & 63) | 1;
            ((unsigned >> 64) as u64, unsigned as u64, (signed >> 50) as i64, wide as f32, signed as f64, -(wide as i128) as f32)
        })
    }
}
