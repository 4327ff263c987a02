accelerate! {
    enum Sign { Plus, Minus }
    pub fn f(xs: &Vector<i32>, m: &Matrix<i32>) -> (Vector<i32>, Vector<usize>) {
        let a = xs.unique(|x| x);
        let b = m.unique();
        let c = xs.map(|x| if x < 0 { Sign::Minus } else { Sign::Plus }).unique();
        (xs.unique(), xs.map(|x| x as usize))
    }
}
