accelerate! {
    pub fn f(xs: &Vector<i32>) -> Vector<i32> {
        xs.map(|x| x.sqrt())
    }
}
