//! An operator that no device has: by compare and swap, with values from outside.
//!
//! kernels: 2 (elementwise, scatter)
//! shapes: xs n
//! values: least 3..99

accelerate! {
    #[associative]
    pub fn modular(xs: &Vector<u16>, least: u16) -> Vector<u16> {
        fill(9, 1).scatter(|a, b| (a * b) % (least | 1), xs.map(|x| x % (least | 1)), |i, _| Some(i * i % 9))
    }
}
