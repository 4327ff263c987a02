accelerate! {
    pub fn f(xs: &Vector<i32>) -> i32 {
        xs.mean()
    }
}
