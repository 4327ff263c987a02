//! A sum that may fail in the body of a loop over arrays: it is computed once a round.
//!
//! shapes: xs n, m (r, c)
//! values: xs 1..100, m 0..3

accelerate! {
    pub fn added(xs: &Vector<u32>, m: &Matrix<u32>) -> Vector<u32> {
        let mut totals = fill(m.shape().0, 0u32);
        for round in 0..3 {
            let s = xs.map(|x| 100 / (x + round)).sum();
            totals = m.rows().zip(totals).map(|(row, before)| {
                let k = row.sum();
                let mut total = before;
                let mut i = 0;
                while i < k {
                    total += s;
                    i += 1;
                }
                total
            });
        }
        totals
    }
}
