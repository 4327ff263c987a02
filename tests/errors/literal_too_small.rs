accelerate! {
    pub fn f(xs: &Vector<i8>) -> Vector<i8> {
        xs.map(|x| x.max(-129))
    }
}
