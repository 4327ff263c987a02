//! Indices as values, mapped in the same kernel.
//!
//! kernels: 1 (elementwise)
//! bytes: 8n
//! values: n 0..2000

accelerate! {
    pub fn squares(n: usize) -> Vector<usize> {
        iota(n).map(|i| i * i)
    }
}
