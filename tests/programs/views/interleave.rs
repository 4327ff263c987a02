//! Alternating, and apart again.
//!
//! kernels: 1 (elementwise)
//! choices: 0
//! bytes: 16n
//! shapes: xs n, ys n

accelerate! {
    pub fn there_and_back(xs: &Vector<f32>, ys: &Vector<f32>) -> (Vector<f32>, Vector<f32>) {
        let (evens, odds) = xs.interleave(ys).deinterleave();
        (evens.map(|x| x + 1.0), odds)
    }
}
