accelerate! {
    pub fn f(xs: &Vector<i32>) -> Vector<i32> {
        xs / 0 + (xs << 32)
    }
}
