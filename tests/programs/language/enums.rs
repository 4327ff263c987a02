//! An enum as an element: its variants share leaves. Made, moved and matched.
//!
//! kernels: 1 (elementwise)
//! bytes: 22n
//! shapes: sizes n
//! values: sizes -4..9

accelerate! {
    pub enum Shape {
        Empty,
        Circle(f32),
        Rectangle { width: f32, height: f32 },
        Marked(bool, i32),
    }

    impl Shape {
        fn of(size: i32) -> Self {
            match size {
                ..=0 => Self::Empty,
                1..=3 => Self::Circle(size as f32),
                4..=6 => Shape::Rectangle { height: size as f32, width: 2.0 },
                _ => Shape::Marked(size % 2 == 0, size),
            }
        }

        fn grown(self) -> Shape {
            match self {
                Shape::Circle(radius) => Shape::Circle(radius + 0.5),
                Shape::Rectangle { width, height } if width < height => {
                    Shape::Rectangle { width: height, height: width }
                }
                Shape::Marked(_, count @ 7) => Shape::Marked(true, count + 1),
                other => other,
            }
        }

        fn area(&self) -> f32 {
            match self {
                Shape::Empty => 0.0,
                Shape::Circle(radius) => 3.0 * radius * radius,
                Shape::Rectangle { width, height } => width * height,
                Shape::Marked(true, count) => count as f32,
                Shape::Marked(false, _) => -1.0,
            }
        }
    }

    pub fn grown(sizes: &Vector<i32>) -> (Vector<Shape>, Vector<f32>) {
        let shapes = sizes.map(Shape::of).map(|shape| shape.grown());
        (shapes, shapes.map(|shape| shape.area()))
    }
}
