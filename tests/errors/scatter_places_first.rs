accelerate! {
    pub fn f(totals: &Vector<f32>, places: &Vector<usize>, keys: &Vector<u32>, values: &Vector<f32>) -> Vector<f32> {
        let a = totals.scatter(places, values, |x, y| x + y);
        let b = totals.scatter_unique(&keys, &values);
        let c = totals.scatter(keys.map(|k| k as usize % 8), values, |x, y| x.max(y));
        a
    }
}
