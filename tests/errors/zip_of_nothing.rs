accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        let pairs = zip(());
        zip_with((), |x| x * 2.0)
    }
}
