//! A loop over arrays whose other component nobody reads, in what both sides of a branch read: it is not computed there.
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
