//! A product whose left operand is looked up in a table; a code may have no entry.
//!
//! kernels: 1 (contraction)
//! shapes: codes (m, k), table t, b (k, n)
//! values: codes 0..9
//! work: codes 0..t

accelerate! {
    pub fn product(codes: &Matrix<u32>, table: &Vector<f32>, b: &Matrix<f32>) -> Matrix<f32> {
        codes.map(|code| table[code as usize]).matmul(b)
    }
}
