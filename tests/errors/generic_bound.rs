accelerate! {
    fn half<T: Float>(x: T) -> T {
        x * 0.5
    }

    pub fn f(xs: &Vector<i32>) -> Vector<i32> {
        xs.map(|x| half(x))
    }
}
