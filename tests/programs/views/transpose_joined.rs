//! Transposes side by side: parts of one result, each read from another array.
//!
//! kernels: 1 (elementwise)
//! shapes: a (m, n), b (l, n)

accelerate! {
    pub fn beside(a: &Matrix<i32>, b: &Matrix<i32>) -> Matrix<i32> {
        a.transpose().map(|x| x * 3).concat_axis(1, &b.transpose())
    }
}
