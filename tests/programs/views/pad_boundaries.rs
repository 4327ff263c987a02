//! Every boundary at once, wider than small matrices are long.
//!
//! kernels: 1 (elementwise)
//! shapes: m (r, c)

accelerate! {
    pub fn padded(m: &Matrix<i32>) -> Matrix<i32> {
        let clamped = m.pad(2, 3, Clamp);
        let mirrored = m.pad(2, 3, Mirror);
        let reflected = m.pad(2, 3, Boundary::Reflect);
        let constant = m.pad(2, 3, Constant(7));
        let function = m.pad(2, 3, Function(|(i, j)| (10 * i - j) as i32));
        zip((clamped, mirrored, reflected, constant, function))
            .map(|(a, b, c, d, e)| a + 3 * b + 5 * c + 7 * d + 11 * e)
    }
}
