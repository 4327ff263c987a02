//! Parts of three pairs, the remainder left out; each part gives three results.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n

accelerate! {
    pub fn parts(xs: &Vector<(f32, f32)>) -> Matrix<f32> {
        xs.chunks_exact(3).map(|part| part.reverse().map(|(a, b)| a - b))
    }
}
