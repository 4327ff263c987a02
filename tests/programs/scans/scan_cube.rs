//! Running maxima along the last axis of three.
//!
//! kernels: 1 (scan)
//! bytes: 8a b c
//! shapes: xs (a, b, c)

accelerate! {
    pub fn cube(xs: &Array<f32, 3>) -> Array<f32, 3> {
        xs.cummax()
    }
}
