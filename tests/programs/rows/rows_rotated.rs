//! Rows turned by a checked number, then round by round: what a round checks is no part of a row's shape.
//!
//! kernels: 2 (elementwise, elementwise)
//! shapes: m (h, w)
//! values: s 0..4

accelerate! {
    pub fn rows_rotated(m: &Matrix<i32>, s: usize) -> Matrix<i32> {
        m.rows().map(|row| {
            let mut turned = row.rotate_left(5 % s);
            for _ in 0..2_usize {
                turned = turned.rotate_left(1);
            }
            turned
        })
    }
}
