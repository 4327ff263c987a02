//! Logarithms and strict arithmetic fail where Rust panics.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n
//! values: xs 0..11
//! work: xs 1..10

accelerate! {
    pub fn strict(xs: &Vector<u8>) -> Vector<(u32, u8)> {
        xs.map(|x| (x.ilog10(), x.strict_mul(25).strict_add(5)))
    }
}
