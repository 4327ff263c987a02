//! Folds of both sides of each row, and of a filter within a filter.
//!
//! shapes: m (m, n)
//! values: m -9..9

accelerate! {
    pub fn balance(m: &Matrix<i64>) -> (Vector<i64>, Vector<i64>, usize) {
        let sides = m.rows().map(|row| {
            let (a, b) = row.partition(|x| x % 2 == 0);
            a.sum() - b.map(|x| x * x).sum()
        });
        let last = m.rows().map(|row| row.filter(|x| x > 0).filter(|x| x < 7).fold(0, |_, x| x));
        (sides, last, m.flatten().filter(|x| x == 0).len())
    }
}
