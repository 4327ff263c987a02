use accelerate::accelerate;

accelerate! {
    static LIMIT: usize = 3;

    const WEIGHTS: [f32; 2] = [1.0 2.0];

    trait Shape {}

    use crate::other::{Point, norm as length};

    pub fn reads(xs: &Vector<f32>) -> f32 {
        let n = LIMIT + LIMIT;
        xs.take(LIMIT).sum() + WEIGHTS[0] * WEIGHTS[1] + n as f32
    }

    pub fn calls(xs: &Vector<Point>, shape: Shape) -> f32 {
        xs.map(length).sum() + length(Point { x: 1.0 }) + Point::ORIGIN.x
    }

    pub fn wide(xs: &Vector<f128>, by: u128) -> Vector<f32> {
        xs.map(|x| x * by).map(|x| x as f32)
    }
}
