accelerate! {
    pub fn f(xs: &Vector<f32>, keys: &Vector<u32>, m: &Matrix<i32>) -> Vector<f32> {
        let a = xs.histogram(10);
        let b = xs.scatter(|a, b| a + b, keys, |i, _| Some(i));
        let c = m.scatter_unique(m, |ix, _| Some(0));
        let d = xs.scatter_unique_unchecked(xs, |i, _| Some(i));
        let e = xs.scatter_unique(keys, |i, _| Some(i));
        let g = keys.reduce_by_index(m, 10, 0, |a, b| a + b);
        let h = xs.scatter(xs, |i, _| Some(i));
        xs
    }
}
