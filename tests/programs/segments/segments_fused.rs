//! What makes the elements and what is done with the sums is part of the fold's kernel.
//!
//! kernels: 1 (reduce)
//! shapes: at k, xs n, ys n
//! offsets: at n

accelerate! {
    pub fn norms(at: &Vector<u32>, xs: &Vector<f32>, ys: &Vector<f32>) -> Vector<f32> {
        let differences = xs.zip_with(&ys, |x, y| x - y);
        differences.map(|d| d * d).sum_segmented(Offsets::new(&at)).map(|s| s.sqrt())
    }
}
