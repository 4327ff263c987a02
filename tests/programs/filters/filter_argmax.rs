//! Where the greatest of what is kept is, among the others that are.
//!
//! shapes: xs n
//! values: xs -9..9

accelerate! {
    pub fn place(xs: &Vector<i32>) -> (usize, f32) {
        let kept = xs.filter(|x| x > -5);
        (kept.argmax(), kept.map(|x| x as f32 * 0.5).sum())
    }
}
