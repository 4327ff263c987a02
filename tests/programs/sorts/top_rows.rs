//! The places of the greatest in each row, the first of equals; of pairs, which compare field by field, the pairs.
//!
//! kernels: 2 (rowwise, rowwise)
//! shapes: m (h, w), pairs (h, w)
//! values: m -3..3, pairs 0..3

accelerate! {
    pub fn greatest(m: &Matrix<i32>, pairs: &Matrix<(bool, u8)>) -> (Matrix<usize>, Matrix<(bool, u8)>) {
        (m.argtop_k(3), pairs.top_k(2))
    }
}
