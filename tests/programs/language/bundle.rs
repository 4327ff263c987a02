//! Bundles: structs of arrays, nested, as parameter and as result, with scalars beside the arrays.
//!
//! kernels: 2 (contraction, contraction)
//! shapes: x (b, n), p.first.w (n, h), p.first.b h, p.second.w (h, k), p.second.b k

accelerate! {
    /// A layer of a network.
    pub struct Layer {
        pub w: Matrix<f32>,
        pub b: Vector<f32>,
    }

    pub struct Parameters {
        pub first: Layer,
        pub second: Layer,
        pub slope: f32,
    }

    impl Layer {
        fn of(&self, x: &Matrix<f32>) -> Matrix<f32> {
            let (rows, columns) = (x.shape().0, self.b.len());
            x.matmul(&self.w) + self.b.broadcast_to((rows, columns))
        }
    }

    fn rectified(x: f32, slope: f32) -> f32 {
        if x < 0.0 { slope * x } else { x }
    }

    pub fn forward(p: &Parameters, x: &Matrix<f32>) -> Matrix<f32> {
        let hidden = p.first.of(x).map(|x| rectified(x, p.slope));
        p.second.of(&hidden)
    }
}
