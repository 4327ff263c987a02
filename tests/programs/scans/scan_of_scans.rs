//! Means of boxes by a table of the sums of all corners. Rows of the table are read at distances: they are stored, not summed again
//! for each element.
//!
//! kernels: 3 (scan, scan, elementwise)
//! shapes: image (h, w)
//! values: r 0..2

accelerate! {
    pub fn boxes(image: &Matrix<i32>, r: usize) -> Matrix<i32> {
        let rows = image.rows().map(|row| row.cumsum());
        let sums = rows.transpose().rows().map(|column| column.cumsum()).transpose();
        let (h, w) = image.shape();
        generate((h - r.min(h), w - r.min(w)), |(i, j)| {
            sums[(i + r, j + r)] - sums[(i, j + r)] - sums[(i + r, j)] + sums[(i, j)]
        })
    }
}
