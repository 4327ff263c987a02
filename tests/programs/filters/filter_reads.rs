//! A condition that reads other arrays, at any place.
//!
//! shapes: xs n, table 10
//! values: xs 0..10
//! work: xs 0..1

accelerate! {
    pub fn marked(xs: &Vector<usize>, table: &Vector<i32>) -> Vector<(usize, i32)> {
        xs.filter(|x| table[x] > table[(x * 7 + 1) % 10]).map(|x| (x, table[x]))
    }
}
