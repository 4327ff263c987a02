accelerate! {
    enum Shape {
        Empty,
        Circle(f32),
        Rectangle { width: f32, height: f32 },
    }

    fn area(shape: Shape) -> f32 {
        match shape {
            Shape::Empty => 0.0,
            Shape::Rectangle { width, .. } => width,
        }
    }

    fn made(x: f32) -> Shape {
        let a = Shape::Circle;
        let b = Shape::Circl(x);
        let c = Shape::Rectangle { width: x };
        let d = Shape::Circle(x).0;
        Shape::Circle(1)
    }

    fn tested(shape: Shape) -> i32 {
        match shape {
            Shape::Circle => 1,
            Shape::Rectangle { size, .. } => 2,
            _ => shape as i32,
        }
    }

    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| area(made(x)))
    }
}
