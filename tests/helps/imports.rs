//! Helps about names of other blocks and of Rust's library.

// help: write `use crate::shapes::{Point, norm};`
accelerate! {
    use crate::shapes::{Point, norm};

    pub fn f(points: &Vector<Point>) -> Vector<f32> {
        points.map(|p| norm(p))
    }
}

// help: write `use crate::shapes::Point;`
// help: a block imports items of other blocks of its package: `use crate::shapes::Point;`
accelerate! {
    use crate::shapes::Point;

    pub fn f(points: &Vector<Point>) -> Vector<f32> {
        points.map(|p| p.x)
    }
}

// help: it has `Cloud`, `ORIGIN`, `Point`, `Segment`, `Shape`, `areas`
accelerate! {
    use crate::programs::imports::geometry::{Cloud, ORIGIN, Point, Segment, Shape, areas};

    fn start(segment: Segment) -> Point {
        segment.0
    }

    pub fn f(cloud: &Cloud, shapes: &Vector<Shape>) -> f32 {
        start((ORIGIN, ORIGIN)).x + areas(shapes).sum() + cloud.weights.sum()
    }
}

// help: write `pub` before it
accelerate! {
    pub fn sum_of_squares(x: f32, y: f32) -> f32 {
        x * x + y * y
    }
}

// help: write `use crate::programs::imports::geometry::Shape as ..`
accelerate! {
    use crate::programs::imports::geometry::Shape as Figure;

    enum Shape {
        One,
        Two,
    }

    pub fn f(figures: &Vector<Figure>) -> Vector<f32> {
        let shape = Shape::One;
        figures.map(|figure| match shape {
            Shape::One => figure.area(),
            Shape::Two => 0.0,
        })
    }
}

// help: write `f64::consts::PI` or `f32::consts::PI`, or `use std::f64::consts::PI;` in the block
accelerate! {
    use std::f64::consts::PI;

    pub fn imported(xs: &Vector<f64>) -> Vector<f64> {
        xs.map(|x| 2.0 * PI * x)
    }

    pub fn double(xs: &Vector<f64>) -> Vector<f64> {
        xs.map(|x| 2.0 * f64::consts::PI * x)
    }

    pub fn single(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| 2.0 * f32::consts::PI * x)
    }
}
