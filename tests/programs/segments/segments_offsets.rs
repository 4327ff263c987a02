//! Segments by offsets: no kernel but the one.
//!
//! kernels: 1 (reduce)
//! shapes: at k, xs n
//! offsets: at n

accelerate! {
    pub fn products(at: &Vector<usize>, xs: &Vector<i64>) -> Vector<i64> {
        let segments = Offsets::new(&at);
        xs.product_segmented(segments)
    }
}
