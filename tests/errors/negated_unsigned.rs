accelerate! {
    pub fn f(xs: &Vector<u32>) -> Vector<u32> {
        xs.map(|x| -x)
    }
}
