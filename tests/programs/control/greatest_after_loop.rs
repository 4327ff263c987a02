//! The greatest of what a loop leaves: one kernel, which checks that there is anything; and a loop whose rounds read what a check of
//! a length keeps in bounds, and a place that data say.
//!
//! kernels: 4 (elementwise, reduce, elementwise, reduce)
//! shapes: xs n, start k, step (k, k), emit (k, m), seen l
//! values: rounds 0..4
//! work: seen 0..m

accelerate! {
    pub fn greatest_after_loop(
        xs: &Vector<f32>,
        start: &Vector<f32>,
        step: &Matrix<f32>,
        emit: &Matrix<f32>,
        seen: &Vector<u32>,
        rounds: usize,
    ) -> (f32, f32) {
        let mut s = xs;
        for _ in 0..rounds {
            s = s.map(|x| x * 0.5 + 1.0).take(s.len().div_ceil(2));
        }
        let mut best = start;
        for t in 1..seen.len() {
            let e = emit.column(seen[t] as usize);
            best = step.columns().map(|c| c.zip_with(&best, |a, b| a + b).max()).zip_with(e, |a, b| a + b);
        }
        (best.max(), s.max())
    }
}
