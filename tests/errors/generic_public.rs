accelerate! {
    pub fn f<T: Number>(xs: &Vector<T>) -> T {
        xs.sum()
    }
}
