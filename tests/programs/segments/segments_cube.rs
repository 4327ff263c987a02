//! Means of segments of the last axis of three; none is NaN.
//!
//! kernels: 1 (reduce)
//! shapes: at k, m (h, w, n)
//! offsets: at n

accelerate! {
    pub fn means(at: &Vector<u32>, m: &Cube<f64>) -> Cube<f64> {
        m.mean_segmented(&Offsets::new(&at))
    }
}
