//! Two filters: of one condition, and of two, whose lengths may differ.
//!
//! shapes: xs n, ys n
//! values: xs -3..3, ys -3..3, how 0..2

accelerate! {
    pub fn zipped(xs: &Vector<i32>, ys: &Vector<i32>, how: u32) -> Vector<i32> {
        let both = xs.zip(ys);
        let a = both.filter(|(x, _)| x > 0).map(|(x, _)| x);
        let b = both.filter(|(x, _)| x > 0).map(|(_, y)| y);
        if how == 0 {
            a.zip(b).map(|(a, b)| a * b)
        } else {
            a.zip(xs.filter(|x| x < 0)).map(|(a, b)| a * b)
        }
    }
}
