accelerate! {
    pub fn f(xs: &Vector<i32>) -> Vector<i32> {
        xs.scatter(|old, new| if new == 0 { old } else { new }, xs, |i, _| Some(i / 2))
    }

    #[deterministic(atomics = false)]
    pub fn g(keys: &Vector<u32>, xs: &Vector<f32>) -> Vector<f32> {
        keys.reduce_by_index(xs, 8, 0.0, |a, b| a + b)
    }
}
