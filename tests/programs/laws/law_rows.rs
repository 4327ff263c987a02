//! Rows of a batch, and sorts.
//!
//! kernels: 13
//! law: a row has the results that it has by itself; a sort is a permutation in order, and again changes nothing
//! shapes: m (h, w)

accelerate! {
    fn same(xs: &Vector<i16>, ys: &Vector<i16>) -> bool {
        xs.zip_with(ys, |x, y| x == y).all()
    }

    pub fn hold(m: &Matrix<i16>) -> (bool, bool, bool, bool, bool) {
        let scans = m.rows().map(|row| row.cumsum()).materialize();
        let sorted = m.sort();
        let mut each = true;
        for i in 0..m.shape().0.min(3) {
            let row = m.row(i);
            each = each && same(row.cumsum(), scans.row(i));
        }
        let places = m.argsort();
        let (h, w) = m.shape();
        let taken = generate((h, w), |(i, j)| m[(i, places[(i, j)])]);
        let counts = fill((h, w), 0).scatter(|a, b| a + b, places.map(|_| 1), |(i, j), _| Some((i, places[(i, j)])));
        (
            each,
            sorted.is_sorted().all(),
            counts.map(|n| n == 1).all_all(),
            same(taken.flatten(), sorted.flatten()),
            same(sorted.sort().flatten(), sorted.flatten()),
        )
    }
}
