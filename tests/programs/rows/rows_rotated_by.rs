//! Rows turned by what a vector says: each row's check is no part of its shape.
//!
//! kernels: 1 (elementwise)
//! bytes: 8h w + 8h
//! shapes: m (h, w), by h
//! values: by 0..9
//! work: by 2..9

accelerate! {
    pub fn rows_rotated_by(m: &Matrix<i32>, by: &Vector<usize>) -> Matrix<i32> {
        m.rows().zip(by).map(|(row, by)| row.rotate_right(6 / by))
    }
}
