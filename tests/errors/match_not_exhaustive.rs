accelerate! {
    pub fn f(xs: &Vector<(u8, bool)>) -> Vector<i32> {
        xs.map(|x| match x {
            (0..=9, _) => 1,
            (10.., true) => 2,
            (10..=199, false) => 3,
        })
    }
}
