//! Largest and second largest: a custom operator on tuples.
//!
//! kernels: 1 (reduce)
//! shapes: xs n

accelerate! {
    pub fn top_two(xs: &Vector<i32>) -> (i32, i32) {
        xs.map(|x| (x, i32::MIN)).fold((i32::MIN, i32::MIN), |(a, b), (c, d)| {
            if a >= c { (a, b.max(c)) } else { (c, a.max(d)) }
        })
    }
}
