//! A helper generic over the rank.
//!
//! kernels: 2 (reduce, elementwise)
//! shapes: a n, b (m, n)

accelerate! {
    fn doubled<T: Number, const N: usize>(xs: &Array<T, N>) -> Array<T, N> {
        xs.map(|x| x + x)
    }

    pub fn both(a: &Vector<i32>, b: &Matrix<f32>) -> Matrix<f32> {
        let k = doubled(a).sum() as f32;
        doubled(b).map(|x| x * k)
    }
}
