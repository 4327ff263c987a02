//! The mean of what is kept, and how far the kept ones are from it.
//!
//! shapes: xs n
//! values: xs -20..20

accelerate! {
    pub fn centred(xs: &Vector<i32>) -> Vector<f64> {
        let kept = xs.filter(|x| x > -10).map(|x| x as f64);
        let mean = kept.sum() / kept.len() as f64;
        kept.map(|x| x - mean)
    }
}
