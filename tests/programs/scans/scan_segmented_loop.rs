//! In a loop: neighbours add up, segment by segment, until all are great enough or the rounds are over.
//!
//! shapes: lengths s, xs n
//! lengths: lengths n
//! values: xs 1..4

accelerate! {
    pub fn grown(lengths: &Vector<u32>, xs: &Vector<i32>) -> (Vector<i32>, usize) {
        let mut state = xs.map(|x| x);
        let mut rounds = 0;
        while rounds < 3 && state.map(|x| x < 9).any() {
            state = state.scan1_segmented(&lengths, |a, b| a + b);
            rounds += 1;
        }
        (state, rounds)
    }
}
