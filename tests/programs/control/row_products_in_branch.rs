//! A product for each row, which a branch in the elements of the row reads, in rounds before which its lengths are checked.
//!
//! kernels: 2 (reduce, elementwise)
//! shapes: m (h, w), v w
//! values: m -1.0..1.0, v -0.1..0.1

accelerate! {
    pub fn deflated(m: &Matrix<f32>, v: &Vector<f32>, steps: u8) -> Matrix<f32> {
        let mut m = m.clone();
        for k in 0..steps as usize % 4 {
            let p = m.rows().map(|row| row.dot(v));
            m = m.map_indexed(|(i, j), x| if j < k { x } else { x - p[i] });
        }
        m
    }
}
