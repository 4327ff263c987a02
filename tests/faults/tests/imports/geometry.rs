//! Types and functions for blocks and for the host.

use accelerate::accelerate;

accelerate! {
    pub struct Point {
        pub x: f32,
        pub y: f32,
    }

    impl Point {
        pub const UNIT: Point = Point { x: 1.0, y: 0.0 };

        pub fn norm(self) -> f32 {
            self.x.hypot(self.y)
        }
    }

    impl Add for Point {
        type Output = Point;

        fn add(self, other: Point) -> Point {
            Point { x: self.x + other.x, y: self.y + other.y }
        }
    }

    pub enum Shape {
        Dot,
        Disc { centre: Point, radius: f32 },
    }

    pub fn inverse(x: i32) -> i32 {
        12 / x
    }
}
