//! The extremes of segments and where they are, counted from the segments' starts; empty ones fail.
//!
//! shapes: xs n

accelerate! {
    pub fn some(xs: &Vector<f32>) -> (Vector<f32>, Vector<f32>, Vector<usize>, Vector<usize>) {
        let n = xs.len();
        let offsets = generate((n + 4) / 5 + 1, |k| min(5 * k, n));
        let segments = Offsets::new(&offsets);
        (
            xs.min_segmented(segments),
            xs.max_segmented(segments),
            xs.argmin_segmented(segments),
            xs.argmax_segmented(segments),
        )
    }
}
