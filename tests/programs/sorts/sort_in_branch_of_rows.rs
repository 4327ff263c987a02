//! Sorts of some rows only, as their sums say, of elements that fail where one is zero; they are added up.
//!
//! kernels: 8 (reduce, scan, sort, reduce)
//! shapes: m (h, w)
//! values: m -2..40
//! work: m 1..40, limit 3..4

accelerate! {
    pub fn second(m: &Matrix<i32>, limit: i32) -> i32 {
        m.rows()
            .map(|row| if row.sum() > limit { row.map(|x| 100 / x).sort()[1] } else { 0 })
            .sum()
    }
}
