//! Folds of a gathered row, one within another: neither reads it where its check fails, nor fails where nobody asks.
//!
//! shapes: a (n, m), w k

accelerate! {
    pub fn gathered_rows_of_folds(a: &Matrix<f64>, w: &Vector<usize>) -> Vector<f64> {
        let v = a.rows().map(|row| {
            let t = row.fold(-0.5, |x, y| x + y);
            let u = row.map(|_| t).fold(3.0, |x, y| x + y);
            row.map(|x| x * t - u)
        });
        let k = w.fold(0_usize, |x, y| x.max(y));
        v.gather(w.shape(), |i| (k % v.shape().0, i % v.shape().1))
    }
}
