//! A lookup that may fail, with a type of another block, which has methods and an operator here.
//!
//! kernels: 1 (elementwise)
//! bytes: 12
//! shapes: table k

#[allow(unused_imports, reason = "the types of the signature")]
pub use super::geometry::Point;

accelerate! {
    impl Point {
        fn shifted(self) -> Point {
            self - Point::DIAGONAL
        }
    }

    use crate::programs::imports::geometry::Point;

    impl Add for Point {
        type Output = Point;

        fn add(self, other: Point) -> Point {
            Point { x: self.x + other.x, y: self.y + other.y }
        }
    }

    pub fn found(table: &Vector<f32>, i: usize) -> f32 {
        let p = Point { x: table[i], y: table[0] };
        (p + p.shifted()).shifted().norm()
    }
}
