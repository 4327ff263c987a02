accelerate! {
    pub fn f(xs: &Vector<i32>) -> Vector<i32> {
        xs.map(|x| if x { 1 } else { 0 })
    }
}
