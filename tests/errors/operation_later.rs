accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        let found = xs.find(|x| x < 1.0);
        let by = xs.binary_search_by(|x| x.total_cmp(&1.0));
        xs.skip(1)
    }
}
