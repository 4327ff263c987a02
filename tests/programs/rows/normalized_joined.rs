//! Rows of a cube with their sums, joined with what was made of them along the axis of rows: a row's fold is computed once, not for
//! each element of the branch that reads it.
//!
//! kernels: 2 (reduce, elementwise)
//! bytes: 32l m n + 16l m
//! shapes: c (l, m, n)
//! values: c -2.0..2.0

accelerate! {
    pub fn joined(c: &Cube<f64>) -> Cube<f64> {
        let marked = c.rows().map(|row| {
            let total = row.sum();
            row.map(|x| x + total)
        });
        marked.concat_axis(1, marked.map(|x| -x))
    }
}
