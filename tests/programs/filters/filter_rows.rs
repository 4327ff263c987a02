//! A fold of what is kept of each row.
//!
//! kernels: 1 (reduce)
//! bytes: 4m n + 16m
//! shapes: m (m, n)
//! values: m -9..9

accelerate! {
    pub fn rows(m: &Matrix<i32>) -> Vector<(i32, usize, i32)> {
        m.rows().map(|row| {
            let mean = row.sum() / 8;
            let kept = row.filter(|x| x > mean);
            (kept.sum(), kept.len(), kept.map(|x| x * 2).fold(1, |a, x| if x > a { x } else { a }))
        })
    }
}
