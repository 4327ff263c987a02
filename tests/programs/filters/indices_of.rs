//! Where a condition holds, and what is there.
//!
//! shapes: xs n, ys n
//! values: xs -5..5

accelerate! {
    pub fn found(xs: &Vector<i32>, ys: &Vector<f32>) -> (Vector<usize>, Vector<f32>) {
        let at = xs.indices_of(|x| x == 0);
        (at, ys.select(&at))
    }
}
