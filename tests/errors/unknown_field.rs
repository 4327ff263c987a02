accelerate! {
    struct Point {
        x: f32,
        height: f32,
    }

    pub fn f(ps: &Vector<Point>) -> Vector<f32> {
        ps.map(|p| p.hieght + p.y)
    }
}
