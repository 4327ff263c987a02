//! A loop over arrays with a dead component, read by both sides of a branch: the component is not computed there.
//!
//! shapes: a n

accelerate! {
    pub fn carried(a: &Vector<i64>) -> Matrix<i64> {
        let scaled = a.map(|x| {
            let mut v = fill(2, 3_i64);
            let mut s = 1_i64;
            for _ in 0..3 {
                v = v.map(|y| y + y);
                s = s + s;
            }
            v.map(|y| y * x)
        });
        scaled.concat_axis(1, scaled.map(|x| x * 5))
    }
}
