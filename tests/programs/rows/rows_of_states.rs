//! Folds of a row, one after the other, whose states take more words and fewer: the slots of a block's warps are those of the
//! largest, so that a fold writes none that slow warps still read.
//!
//! kernels: 1 (reduce)
//! shapes: m (m, n)

accelerate! {
    pub fn summaries(m: &Matrix<i64>) -> Vector<(i64, i64, i64)> {
        m.rows().map(|r| {
            let s = r.sum() + r.map(|x| x * x).sum() + r.max() + r.min() + r.map(|x| x & 255).max();
            let far = r.map(|x| x ^ s).max();
            (s, far, r.map(|x| x ^ far).min())
        })
    }
}
