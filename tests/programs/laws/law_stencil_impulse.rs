//! What a stencil makes of a single one.
//!
//! law: the weights, turned around
//! kernels: 1 (reduce)

accelerate! {
    pub fn agree(n: usize) -> bool {
        let impulse = generate(2 * n + 5, |i| (i == n + 2) as i32);
        let response = impulse.stencil(Constant(0), |w| w[-2] + 3 * w[-1] + 5 * w[0] + 7 * w[1] + 11 * w[2]);
        let weights = response.map_indexed(|i, _| match i - n {
            0 => 11,
            1 => 7,
            2 => 5,
            3 => 3,
            4 => 1,
            _ => 0,
        });
        response.zip_with(&weights, |a, b| a == b).all()
    }
}
