//! A scatter in order into the pairs that there are: without one, nobody asks for the places that are sorted for it.
//!
//! shapes: xs n

accelerate! {
    #[deterministic]
    pub fn scatter_last_into_nothing(xs: &Vector<i32>) -> Matrix<i32> {
        let pairs = xs.chunks_exact(2).map(|pair| pair.map(|x| x + 1));
        pairs.scatter(|_, b| b, xs, |i, _| Some((i % pairs.shape().0, i % 2)))
    }
}
