//! Every row goes through a few rounds, then is summed.
//!
//! kernels: 3 (elementwise, elementwise, reduce)
//! shapes: m (m, n)

accelerate! {
    pub fn rows_summed(m: &Matrix<f32>) -> Vector<f32> {
        m.rows().map(|row| {
            let mut r = row.map(|x| x + 1.0);
            for _ in 0..3 {
                r = r.map(|x| x * 0.5);
            }
            r.sum()
        })
    }
}
