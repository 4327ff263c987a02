accelerate! {
    pub fn f(a: &Vector<bool>, b: &Vector<bool>) -> Vector<bool> {
        a && b
    }
}
