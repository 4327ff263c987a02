//! The largest fall of each row from its highest value before, and how many elements are such highest values.
//!
//! kernels: 1 (scan)
//! bytes: 4m n + 8m
//! shapes: m (m, n)

accelerate! {
    pub fn drawdown(m: &Matrix<f32>) -> (Vector<f32>, Vector<u32>) {
        let highest = m.cummax();
        let falls = highest.zip(m).map(|(high, x)| high - x);
        (falls.fold(0.0, |a, x| a.max(x)), falls.map(|fall| (fall == 0.0) as u32).sum())
    }
}
