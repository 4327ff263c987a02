//! A scatter into the pairs that there are: without one, nobody asks where an element goes, which could not be told.
//!
//! kernels: 2 (elementwise, scatter)
//! shapes: xs n

accelerate! {
    pub fn scatter_into_nothing(xs: &Vector<i32>) -> Matrix<i32> {
        let pairs = xs.chunks_exact(2).map(|pair| pair.map(|x| x + 1));
        pairs.scatter(|a, b| a + b, xs, |i, _| Some((i % pairs.shape().0, i % 2)))
    }
}
