//! A parameter and locals called as tiles call theirs.
//!
//! kernels: 1 (contraction)
//! shapes: a (n, k), b (m, k)

accelerate! {
    pub fn h(a: &Matrix<f32>, b: &Matrix<f32>, c: f32) -> Matrix<f32> {
        a.outer().map(|x| {
            b.outer().map(|y| {
                x.zip_with(y, |part, q| {
                    let r = part - q;
                    r.abs() * c + 1.0
                })
                .sum()
            })
        })
    }
}
