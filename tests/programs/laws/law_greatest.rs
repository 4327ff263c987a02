//! The greatest elements of every row, of a number that is known and of one that is not, before and behind a whole sort; each
//! element as often as a count says, by hand.
//!
//! law: the greatest are what a falling order begins with
//! shapes: m (h, w), counts h
//! values: m -4..4, counts 0..4

accelerate! {
    fn same(a: &Matrix<i16>, b: &Matrix<i16>) -> bool {
        a.zip_with(b, |x, y| x == y).all_all()
    }

    pub fn hold(m: &Matrix<i16>, counts: &Vector<u32>) -> (bool, bool, bool, bool) {
        let (h, w) = m.shape();
        let m = m.concat(fill((h, 7), 1));
        let falling = m.sort_by(|a, b| b.cmp(a));
        let places = m.argsort_by(|a, b| b.cmp(a)).take(5);
        let first = m.column(0);
        let repeated = first.repeat_each(counts);
        let flat = zip((first, counts)).flat_map(|(x, n)| fill(n as usize, x));
        (
            same(&m.top_k(7), &falling.take(7)),
            same(&m.top_k(w + 7), &falling),
            m.argtop_k(5).zip_with(&places, |a, b| a == b).all_all(),
            repeated.len() == flat.len() && repeated.zip_with(&flat, |a, b| a == b).all(),
        )
    }
}
