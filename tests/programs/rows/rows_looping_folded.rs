//! A row's own loop, which may not end by what is known, in what is summed of the row.
//!
//! kernels: 1 (reduce)
//! bytes: 4l m n + 4l m
//! shapes: c (l, m, n)
//! values: c 0..50

accelerate! {
    pub fn rows_looping_folded(c: &Cube<u32>) -> Matrix<u32> {
        c.rows().map(|row| {
            let mut low = row.fold(40, |a, b| a.min(b));
            while low > 3 {
                low = low / 2 + 1;
            }
            row.map(|x| x % low.max(1)).sum()
        })
    }
}
