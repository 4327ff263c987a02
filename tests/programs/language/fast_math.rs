//! Arithmetic as of real numbers, where it is asked for: products and sums become one instruction, divisions by a literal
//! products, others approximate ones of the device, and what cancels is gone.
//!
//! kernels: 2 (elementwise, elementwise)
//! bytes: 12n + 16m
//! shapes: xs n, ys n, zs m
//! values: xs -4.0..4.0, ys 0.5..4.0, zs -2.0..2.0

accelerate! {
    #[fast_math]
    pub fn fast_math(xs: &Vector<f32>, ys: &Vector<f32>, zs: &Vector<f64>) -> (Vector<f32>, Vector<f64>) {
        let halves = xs.map(|x| x * 0.5 / 3.0);
        let ratios = xs.zip(ys).map(|(x, y)| (x + 0.0) / y - x * y);
        let norms = ys.map(|y| 1.0 / (y * y + 1.0).sqrt());
        let mixed = halves.zip(ratios).zip(norms).map(|((h, r), s)| (h + s) - h + r * s + 2.5);
        (mixed, zs.map(|z| ((z * 1.5 + 0.25) * z - 0.75) * z + z / 7.0))
    }
}
