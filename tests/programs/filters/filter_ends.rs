//! Views of what is kept, which may be too short.
//!
//! shapes: xs n
//! values: xs -3..9

accelerate! {
    pub fn ends(xs: &Vector<i32>) -> (Vector<i32>, i32, i32) {
        let kept = xs.filter(|x| x > 0);
        let third = if kept.len() > 2 { kept[2] } else { -1 };
        (kept.skip(1).take(2), kept.last(), third)
    }
}
