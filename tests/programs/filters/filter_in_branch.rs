//! Branches that leave arrays of other lengths.
//!
//! shapes: xs n
//! values: xs -20..20, how 0..3

accelerate! {
    pub fn chosen(xs: &Vector<i32>, how: u32) -> Vector<i32> {
        if how == 0 {
            xs.filter(|x| x > 0)
        } else if xs.filter(|x| x < 0).len() > 3 {
            xs.map(|x| x + 1)
        } else {
            xs.filter(|x| x < 0).map(|x| -x)
        }
    }
}
