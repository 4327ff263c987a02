//! Defaults that nobody else has are changed where they are, and kept where somebody has.
//!
//! kernels: 2 (scatter, scatter)
//! shapes: table k, keys n
//! values: keys -2..90

accelerate! {
    pub fn twice(table: Vector<i64>, keys: &Vector<i32>) -> (Vector<i64>, Vector<i64>) {
        let size = table.len();
        let once = table.scatter(|a, b| a + b as i64, keys, |_, key| {
            if key >= 0 && (key as usize) < size { Some(key as usize) } else { None }
        });
        let more = once.scatter(|a, b| a.max(b), keys.map(|k| k as i64 * 2), |i, _| {
            if i < size { Some(size - 1 - i) } else { None }
        });
        (once, more)
    }
}
