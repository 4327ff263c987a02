//! Bit tricks of Rust's integers.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n

accelerate! {
    pub fn fingerprint(xs: &Vector<u32>) -> Vector<(u32, u32, u64)> {
        xs.map(|x| {
            let mixed = x.rotate_left(7) ^ x.swap_bytes() ^ x.reverse_bits();
            (mixed.count_ones() + x.leading_zeros(), x.trailing_zeros(), (x as u64) << 17 | mixed as u64)
        })
    }
}
