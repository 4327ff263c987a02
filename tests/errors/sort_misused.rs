accelerate! {
    enum Side { Left, Right(f32) }

    pub fn f(xs: &Vector<f32>, sides: &Vector<Side>, m: &Matrix<f32>) -> Vector<f32> {
        let a = xs.sort_by(|a, b| a < b);
        let b = sides.sort();
        let c = m.sort_by_key(|x| m.row(0));
        let d = m.binary_search(1.0);
        let e = xs.argsort(|x| x);
        let g = xs.binary_search(true);
        let h = xs.is_sorted_by(|a, b| a.total_cmp(&b));
        let i = sides.argsort();
        let j = sides.is_sorted();
        let k = xs.argsort_by_key(|x| -x);
        let l = xs.argsort_by(|x| x);
        xs
    }
}
