//! A matrix by its elements.
//!
//! kernels: 1 (elementwise)
//! values: rows 0..40, columns 0..70

accelerate! {
    pub fn checkerboard(rows: usize, columns: usize) -> Matrix<u8> {
        generate((rows, columns), |(i, j)| if (i / 3 + j / 5) % 2 == 0 { 255u8 } else { 0 })
    }
}
