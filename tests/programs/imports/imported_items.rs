//! Structs, enums, operators, constants and functions of another block, under other names and beside items of the same names.
//!
//! kernels: 2 (elementwise, reduce)
//! bytes: 9m + 4 + 8n
//! shapes: shapes m, points n
//! values: shapes 0..3

#[allow(unused_imports, reason = "the types of the signature")]
pub use super::geometry::{Point, Shape};

accelerate! {
    use crate::programs::imports::geometry::{ORIGIN, Point, Shape, areas as surfaces};

    fn square(x: f32) -> f32 {
        x + 1.0
    }

    pub fn measured(shapes: &Vector<Shape>, points: &Vector<Point>, from: Point) -> (Vector<f32>, f32) {
        let lengths = points.map(|p| (p - from - ORIGIN - Point::DIAGONAL / 2.0 % 3.0).scaled(2.0).norm());
        (surfaces(shapes).map(square), lengths.sum())
    }
}
