accelerate! {
    const BIG: i32 = 1 << 20;
    const BIGGER: i32 = BIG * BIG;

    pub fn f(xs: &Vector<i32>) -> Vector<i32> {
        xs.map(|x| x + BIGGER)
    }
}
