accelerate! {
    struct Point {
        x: f32,
        y: f32,
    }

    pub fn f(xs: &Vector<f32>) -> Vector<Point> {
        xs.map(|x| Point { x, z: 1.0 })
    }
}
