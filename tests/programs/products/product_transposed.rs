//! A product of two matrices that both lie transposed, of small integers.
//!
//! kernels: 1 (contraction)
//! bytes: k m + 2k n + 4m n
//! shapes: a (k, m), b (n, k)

accelerate! {
    pub fn product(a: &Matrix<u8>, b: &Matrix<i16>) -> Matrix<i32> {
        a.transpose().map(|x| x as i32).matmul(b.transpose().map(|y| y as i32))
    }
}
