//! Types, constants and functions that other programs import.
//!
//! kernels: 1 (elementwise)
//! bytes: 9n
//! shapes: shapes n
//! values: shapes 0..3

accelerate! {
    use std::f32::consts::PI;

    pub struct Point {
        pub x: f32,
        pub y: f32,
    }

    pub enum Shape {
        Circle(f32),
        Square { side: f32 },
        Empty,
    }

    pub struct Cloud {
        pub points: Vector<Point>,
        pub weights: Vector<f32>,
    }

    pub type Segment = (Point, Point);

    pub const ORIGIN: Point = Point { x: HALF - 0.5, y: 0.0 };

    const HALF: f32 = 0.5;

    impl Point {
        pub const DIAGONAL: Point = Point { x: 1.0, y: 1.0 };

        pub fn norm(self) -> f32 {
            sum_of_squares(self).sqrt()
        }

        pub fn scaled(self, by: f32) -> Point {
            Point { x: self.x * by, y: self.y * by }
        }
    }

    impl Sub for Point {
        type Output = Point;

        fn sub(self, other: Point) -> Point {
            Point { x: self.x - other.x, y: self.y - other.y }
        }
    }

    impl Div<f32> for Point {
        type Output = Point;

        fn div(self, by: f32) -> Point {
            Point { x: self.x / by, y: self.y / by }
        }
    }

    impl Rem<f32> for Point {
        type Output = Point;

        fn rem(self, by: f32) -> Point {
            Point { x: self.x % by, y: self.y % by }
        }
    }

    fn sum_of_squares(p: Point) -> f32 {
        fn square(x: f32) -> f32 {
            x * x
        }
        square(p.x) + square(p.y)
    }

    impl Shape {
        pub fn area(self) -> f32 {
            match self {
                Shape::Circle(radius) => PI * radius * radius,
                Shape::Square { side } => side * side,
                Shape::Empty => 0.0,
            }
        }
    }

    pub fn areas(shapes: &Vector<Shape>) -> Vector<f32> {
        shapes.map(|shape| shape.area())
    }
}
