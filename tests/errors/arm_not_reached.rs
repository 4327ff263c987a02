accelerate! {
    pub fn f(xs: &Vector<i32>) -> Vector<i32> {
        xs.map(|x| match x {
            0..=9 => 1,
            i32::MIN..=-1 => 2,
            3 | 4 => 3,
            _ => 4,
        })
    }
}
