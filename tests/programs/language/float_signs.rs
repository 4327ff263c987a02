//! Signs as bits, those of NaN among them.
//!
//! kernels: 1 (elementwise)
//! bytes: 25n
//! shapes: xs n

accelerate! {
    pub fn signs(xs: &Vector<f64>) -> Vector<(u64, u64, bool)> {
        xs.map(|x| ((-x).to_bits(), x.abs().copysign(-x).to_bits(), (-x.abs()).is_sign_negative()))
    }
}
