//! A sum that may fail, bound after a return: the rest of the function is a side of a branch, and computes it once.
//!
//! shapes: xs n, m (r, c)
//! values: xs 1..100, m 0..3

accelerate! {
    pub fn added(xs: &Vector<u32>, m: &Matrix<u32>) -> Vector<u32> {
        if xs[0] == 77 {
            return fill(m.shape().0, 0);
        }
        let s = xs.map(|x| 100 / x).sum();
        m.rows().map(|row| {
            let k = row.sum();
            let mut total = 0;
            let mut i = 0;
            while i < k {
                total += s;
                i += 1;
            }
            total
        })
    }
}
