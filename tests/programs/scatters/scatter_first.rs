//! Tuples as one value: the least with its place, under locks.
//!
//! kernels: 1 (scatter)
//! shapes: defaults k, xs n

accelerate! {
    pub fn least(defaults: &Vector<(i32, usize)>, xs: &Vector<i32>) -> Vector<(i32, usize)> {
        let k = defaults.len();
        defaults.scatter(
            |a, b| if b.0 < a.0 || (b.0 == a.0 && b.1 < a.1) { b } else { a },
            xs.map_indexed(|i, x| (x, i)),
            |i, _| if k > 0 { Some(i * 7 % k) } else { None },
        )
    }
}
