accelerate! {
    pub fn f(n: usize) -> Vector<f32> {
        let root = |x| x.sqrt();
        fill(n, 1.0)
    }
}
