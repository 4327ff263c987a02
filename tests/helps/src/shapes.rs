//! Items that other blocks import.

accelerate! {
    pub struct Point {
        pub x: f32,
        pub y: f32,
    }

    pub fn norm(p: Point) -> f32 {
        (p.x * p.x + p.y * p.y).sqrt()
    }
}
