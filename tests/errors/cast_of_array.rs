accelerate! {
    pub fn f(xs: &Vector<i32>) -> Vector<f32> {
        xs as Vector<f32>
    }
}
