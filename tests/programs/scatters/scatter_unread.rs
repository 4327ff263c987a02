//! A scatter that divides by the rows of its target, all of which are summed: without rows nobody evaluates it.
//!
//! kernels: 3
//! shapes: xs (n, m)

accelerate! {
    pub fn scatter_unread(xs: &Matrix<i32>) -> Vector<i32> {
        let last = xs.chunks_exact(2).map(|pair| pair.fold_axis(0, 1, |_, x| x));
        last.scatter(|a, b| a + b, xs, |(i, j), _| Some((j % last.shape().0, j))).sum_axis(0)
    }
}
