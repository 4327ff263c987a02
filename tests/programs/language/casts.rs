//! Every kind of cast.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n

accelerate! {
    pub fn convert(xs: &Vector<f64>) -> Vector<(i8, u16, i64, f32, u32, bool)> {
        xs.map(|x| {
            let n = (x * 1000.0) as i64;
            ((x * 100.0) as i8, x as u16, n, x as f32, n as u32, (n as u8 as i8) < 0)
        })
    }
}
