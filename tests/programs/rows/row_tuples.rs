//! A closure that returns a tuple of an array and a scalar.
//!
//! kernels: 1 (rowwise)
//! shapes: m (m, n)

accelerate! {
    pub fn centred(m: &Matrix<f32>) -> (Matrix<f32>, Vector<f32>) {
        m.rows().map(|row| {
            let mean = row.mean();
            (row.map(|x| x - mean), mean)
        })
    }
}
