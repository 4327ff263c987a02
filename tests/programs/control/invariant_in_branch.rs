//! A reduction that can fail, in a branch that no element need take.
//!
//! shapes: xs n, ys m
//! values: xs 0..6, ys 0..4
//! work: ys 1..4

accelerate! {
    pub fn rarely(xs: &Vector<i32>, ys: &Vector<i32>) -> Vector<i32> {
        xs.map(|x| if x > 4 { ys.map(|y| 100 / y).sum() } else { x })
    }
}
