//! A search for tuples, floats among them.
//!
//! shapes: xs n, ys m
//! values: xs -4..4, ys -4..4

accelerate! {
    pub fn found(xs: &Vector<(i32, f32)>, ys: &Vector<(i32, f32)>) -> Vector<usize> {
        let table = xs.sort();
        ys.map(|y| match table.binary_search(y) {
            Some(at) => at + 1,
            None => 0,
        })
    }
}
