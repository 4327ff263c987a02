//! The first two axes of a cube as one.
//!
//! kernels: 1 (elementwise)
//! bytes: 8a b c
//! shapes: cube (a, b, c)

accelerate! {
    pub fn joined(cube: &Cube<f32>) -> Matrix<f32> {
        cube.map(|x| -x).join()
    }
}
