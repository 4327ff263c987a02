//! The median of each row, and the spread of its middle half.
//!
//! shapes: m (h, w)

accelerate! {
    pub fn medians(m: &Matrix<f32>) -> (Vector<f32>, Vector<f32>) {
        let n = m.shape().1;
        let middle = m.rows().map(|row| row.sort()[n / 2]);
        let spread = m.rows().map(|row| {
            let row = row.sort();
            row[3 * n / 4] - row[n / 4]
        });
        (middle, spread)
    }
}
