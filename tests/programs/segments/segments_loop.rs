//! In a loop whose segments grow: pairs, then pairs of pairs, until one is left.
//!
//! shapes: xs n

accelerate! {
    pub fn tree(xs: &Vector<i32>) -> (Vector<i32>, usize) {
        let mut sums = xs.map(|x| x);
        let mut rounds = 0;
        while sums.len() > 1 {
            let n = sums.len();
            let offsets = generate((n + 1) / 2 + 1, |k| min(2 * k, n));
            sums = sums.sum_segmented(Offsets::new(&offsets));
            rounds += 1;
        }
        (sums, rounds)
    }
}
