//! Structs are kept whole; a field that nobody asks for is not read.
//!
//! kernels: 1 (scan)
//! bytes: 32n + 8
//! shapes: points n
//! values: points -5..5

accelerate! {
    pub struct Point {
        x: i32,
        y: i32,
        weight: f64,
    }

    pub fn inside(points: &Vector<Point>, radius: i32) -> Vector<Point> {
        points.filter(|p| p.x * p.x + p.y * p.y <= radius * radius)
    }
}
