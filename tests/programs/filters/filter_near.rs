//! A condition that is a reduction of its own for each element, and elements that are.
//!
//! shapes: xs n, ys m
//! values: xs -50..50, ys -50..50

accelerate! {
    pub fn near(xs: &Vector<i32>, ys: &Vector<i32>) -> (Vector<i32>, Vector<i32>, usize) {
        let distance = |x: i32| ys.map(|y| (x - y).abs()).fold(1000, |a, d| a.min(d));
        let near = xs.filter(|x| distance(x) < 3);
        (near, xs.filter(|x| x > 0).map(|x| distance(x)), near.len())
    }
}
