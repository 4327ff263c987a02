//! For each point of each batch the nearest centre of many: products that rows of a batch fold.
//!
//! kernels: 1 (reduce)
//! shapes: points (b, n, k), centres (m, k)
//! sizes: b 2 n 13 k 9 m 33, b 1 n 100 k 8 m 600, b 3 n 6 k 131 m 32, b 2 n 200 k 10 m 40, b 2 n 7 k 8 m 31, b 1 n 7 k 0 m 40

accelerate! {
    pub fn least(points: &Cube<i32>, centres: &Matrix<i32>) -> Matrix<usize> {
        points.outer().map(|points| {
            points.rows().map(|p| {
                centres.rows().map(|c| p.zip_with(c, |a, b| a.wrapping_sub(b).wrapping_mul(a.wrapping_sub(b))).sum()).argmin()
            })
        })
    }
}
