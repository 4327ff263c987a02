//! Any order of the axes.
//!
//! kernels: 1 (elementwise)
//! shapes: c (l, m, n)

accelerate! {
    pub fn turned(c: &Cube<i16>) -> Cube<i16> {
        c.permute_axes((2, 0, 1)).map(|x| x - 1)
    }
}
