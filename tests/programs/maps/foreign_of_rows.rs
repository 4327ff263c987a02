//! A foreign function of the elements of rows, which are reduced and then used again.
//!
//! kernels: 1 (rowwise)
//! shapes: m (n, k)
//! values: m -2.0..2.0

accelerate! {
    #[foreign(cuda = "../programs/maps/foreign_functions.cuh")]
    fn squashed(x: f32, y: f32) -> f32 {
        let t = x * x * 2.0 + y;
        t / (1.0 + t.abs())
    }

    pub fn of_rows(m: &Matrix<f32>) -> Matrix<f32> {
        m.rows().map(|row| {
            let weights = row.map(|x| squashed(x, 3.0));
            let most = weights.fold(0.0, f32::max);
            weights.map(|w| w / most)
        })
    }
}
