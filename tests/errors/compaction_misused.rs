accelerate! {
    pub fn f(xs: &Vector<i32>, m: &Matrix<i32>) -> Vector<i32> {
        let a = xs.filter(|x| x);
        let b = xs.filter_map(|x| x + 1);
        let c = xs.filter_map(|x| if x > 0 { Some(x) } else { None });
        let d = m.filter(|x| x > 0);
        let (e, f) = xs.partition(|x, y| x > y);
        let g = xs.dedup(|x| x);
        let h = xs.indices_of();
        c
    }
}
