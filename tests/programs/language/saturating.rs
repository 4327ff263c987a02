//! Saturating, wrapping, overflowing, checked.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n, ys n

accelerate! {
    pub fn careful(xs: &Vector<i16>, ys: &Vector<i16>) -> Vector<(i16, i16, bool, i16)> {
        xs.zip(ys).map(|(x, y)| {
            let (sum, over) = x.overflowing_add(y);
            let product = match x.checked_mul(y) {
                Some(p) => p,
                None => -1,
            };
            (x.saturating_sub(y), sum.wrapping_neg(), over, product)
        })
    }
}
