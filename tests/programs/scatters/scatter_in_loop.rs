//! The state of a loop, changed in place each round.
//!
//! shapes: xs n
//! values: rounds 0..5

accelerate! {
    pub fn rounds(xs: &Vector<i32>, rounds: u32) -> (Vector<i32>, i32) {
        let mut table = fill(13, 0);
        let mut last = 0;
        for round in 0..rounds {
            table = table.scatter(|a, b| a + b, xs, |i, _| Some((i * 5 + round as usize) % 13));
            last = xs.map(|x| ((x % 8 + 8) % 8) as u32).reduce_by_index(xs, 9, round as i32, |a, b| a ^ b)[3];
        }
        (table, last)
    }
}
