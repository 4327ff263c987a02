//! A stencil of a single one is its coefficients, turned around.
//!
//! kernels: 1 (elementwise)

accelerate! {
    pub fn response(n: usize) -> Vector<i32> {
        let impulse = generate(2 * n + 5, |i| (i == n + 2) as i32);
        impulse.stencil(Constant(0), |w| w[-2] + 3 * w[-1] + 5 * w[0] + 7 * w[1] + 11 * w[2])
    }
}
