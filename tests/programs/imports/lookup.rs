//! A lookup that may fail, with a type of another block.
//!
//! kernels: 1 (elementwise)
//! bytes: 12
//! shapes: table k

#[allow(unused_imports, reason = "the types of the signature")]
pub use super::geometry::Point;

accelerate! {
    use crate::programs::imports::geometry::Point;

    pub fn found(table: &Vector<f32>, i: usize) -> f32 {
        let p = Point { x: table[i], y: table[0] };
        (p - Point::DIAGONAL).norm()
    }
}
