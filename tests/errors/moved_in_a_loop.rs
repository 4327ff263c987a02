accelerate! {
    fn doubled(xs: Vector<f32>) -> Vector<f32> {
        xs.map(|x| x * 2.0)
    }

    pub fn f(xs: Vector<f32>, n: usize) -> f32 {
        let mut total = 0.0;
        for _ in 0..n {
            total += doubled(xs).sum();
        }
        total
    }
}
