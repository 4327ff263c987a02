//! An operator without an identity, which does not commute, over what is kept.
//!
//! kernels: 1 (reduce)
//! bytes: 8n + 12
//! shapes: xs n

accelerate! {
    pub fn last_negative(xs: &Vector<i64>) -> (i64, u32) {
        let kept = xs.filter(|x| x < 0);
        (kept.fold(5, |_, x| x), kept.map(|x| (x as u32) | 1).fold(3, |a, x| a * x))
    }
}
