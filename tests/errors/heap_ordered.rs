accelerate! {
    fn g(x: BTreeMap<u32, f32>) -> f32 {
        0.0
    }

    pub fn f(xs: &Vector<f32>) -> f32 {
        let seen = BTreeSet::new();
        xs.sum()
    }
}
