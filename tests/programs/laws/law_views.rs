//! Views and scatters, stored in between, so that nothing cancels out.
//!
//! kernels: 8
//! law: there and back is the identity
//! shapes: m (h, w)
//! values: k 1..4

accelerate! {
    fn same(a: &Matrix<i32>, b: &Matrix<i32>) -> bool {
        a.zip_with(b, |x, y| x == y).all_all()
    }

    pub fn hold(m: &Matrix<i32>, k: usize) -> (bool, bool, bool, bool, bool, bool, bool) {
        let (h, w) = m.shape();
        let (left, right) = m.halve();
        let (evens, odds) = m.interleave(&m.reverse().materialize()).materialize().deinterleave();
        (
            same(&m.transpose().materialize().transpose(), m),
            same(&fill((h, w), 0).scatter(|a, b| a + b, m, |ix, _| Some(ix)), m),
            same(&m.scatter_unique(m, |ix, _| Some(ix)), m),
            same(&m.slice(s![0..h / k * k, ..]).split(k).materialize().join(), &m.slice(s![0..h / k * k, ..])),
            same(&left.concat(&right).materialize(), m),
            same(&evens, &m) && same(&odds.reverse(), &m),
            same(&m.rotate_left(w / k).materialize().rotate_right(w / k), m),
        )
    }
}
