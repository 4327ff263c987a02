accelerate! {
    fn doubled(xs: Vector<f32>) -> Vector<f32> {
        xs.map(|x| x * 2.0)
    }

    pub fn f(xs: Vector<f32>) -> Vector<f32> {
        let ys = doubled(xs);
        ys.zip(xs).map(|(y, x)| y - x)
    }
}
