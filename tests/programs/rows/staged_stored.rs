//! Rows of an array that is computed first, each in a loop of its own in one kernel.
//!
//! shapes: xs n, m (n, k)

accelerate! {
    pub fn doubled(xs: &Vector<i32>, m: &Matrix<i32>) -> (Matrix<i32>, Matrix<usize>) {
        let last = m.fold_axis(0, 1, |_, b| b);
        let rows = last.chunks_exact(4).map(|row| {
            let mut row = row;
            for _ in 0..2_usize {
                row = row.map_indexed(|i, x| x + row[3 - i]);
            }
            row
        });
        let places = xs.argsort();
        let both = places.scan1(|_, b| b).concat(places);
        let more = both.chunks_exact(4).map(|row| {
            let mut row = row;
            for round in 0..1_usize {
                row = row.map(|x| x + round);
            }
            row
        });
        (rows, more)
    }
}
