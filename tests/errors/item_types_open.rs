accelerate! {
    struct Pair {
        a: f32,
        b: _,
    }

    enum Shape {
        Point,
        Circle { radius: length },
    }

    const LIMIT: _ = 3;

    pub fn f(xs: &Vector<_>) -> Vector<f32> {
        xs
    }

    pub fn g(xs: &Vector<f32>) -> Vector {
        xs
    }

    pub fn h(self: Vector<f32>) -> f32 {
        1.0
    }
}
