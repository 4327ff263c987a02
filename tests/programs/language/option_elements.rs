//! Options as elements, as a parameter and as a result: each is a flag and what it holds, zeros where it holds nothing.
//!
//! shapes: xs n
//! values: xs -9..9, limit -9..9

accelerate! {
    pub fn above(xs: &Vector<Option<i32>>, limit: Option<i32>) -> (Vector<Option<i32>>, Option<i32>, usize) {
        let kept = xs.map(|x| x.filter(|x| Some(x) > limit));
        let least = kept.fold(None, |a, b| match (a, b) {
            (Some(x), Some(y)) => Some(x.min(y)),
            (None, b) => b,
            (a, None) => a,
        });
        (kept, least, kept.map(|x| x == None).map(|x| x as usize).sum())
    }
}
