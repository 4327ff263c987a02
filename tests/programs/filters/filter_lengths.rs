//! Arrays of the length of what is kept, and the length itself.
//!
//! shapes: xs n
//! values: xs -20..20

accelerate! {
    pub fn lengths(xs: &Vector<i32>) -> (Vector<(usize, i32)>, usize, Vector<i32>, Vector<i32>) {
        let kept = xs.filter(|x| x > 0);
        let n = kept.len();
        (kept.map_indexed(|i, x| (i, x)), n, kept.concat(&xs), kept.reverse().map(|x| x * n as i32))
    }
}
