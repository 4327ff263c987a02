//! Normalized rows of a cube behind the cube itself: a row's fold is computed once, not for each of its elements.
//!
//! kernels: 2 (rowwise, elementwise)
//! bytes: 48l m n
//! shapes: c (l, m, n)
//! values: c -2.0..2.0

accelerate! {
    pub fn behind(c: &Cube<f64>) -> Cube<f64> {
        let normalized = c.rows().map(|row| {
            let powers = row.map(|x| x.exp());
            let total = powers.sum();
            powers.map(|x| x / total)
        });
        c.concat_axis(1, normalized)
    }
}
