//! Floats of 16 bits in order, and the three greatest.
//!
//! shapes: xs n

accelerate! {
    pub fn half_sort(xs: &Vector<f16>, k: usize) -> (Vector<f16>, Vector<usize>, Vector<f16>) {
        (xs.sort(), xs.argsort(), xs.top_k(k % (xs.len() + 1)))
    }
}
