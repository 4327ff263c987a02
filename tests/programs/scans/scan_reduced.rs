//! Compositions of affine maps before each element along the last axis of three, reduced as pairs.
//!
//! kernels: 1 (scan)
//! bytes: 8a b c + 8a b
//! shapes: xs (a, b, c)

accelerate! {
    pub fn reduced(xs: &Array<(i32, i32), 3>) -> Matrix<(i32, i32)> {
        let before = xs.scan_exclusive((1, 2), |(a, b), (c, d)| (a * c, b * c + d)).0;
        before.fold((0, 1), |(a, b), (c, d)| (a ^ c, b + d))
    }
}
