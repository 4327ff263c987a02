//! A foreign function between maps: what it takes and gives is in memory, on both sides all is fused.
//!
//! kernels: 3 (elementwise, elementwise, elementwise)
//! bytes: 28n
//! shapes: xs n
//! values: xs -2.0..2.0

accelerate! {
    #[foreign(rust = crate::foreign::doubled)]
    fn doubled(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| x + x)
    }

    pub fn foreign_between(xs: &Vector<f32>) -> Vector<f32> {
        let shifted = xs.map(|x| x - 0.5).map(|x| x * 3.0);
        doubled(&shifted).map(f32::abs).map(|x| x + 1.0)
    }
}
