//! Ranks of pages until they stand: each is given shares of those that point to it. How many there are is what the offsets
//! say, which need not be as many as there were: the loop's arrays may change their length.
//!
//! shapes: offsets n, sources m, degrees n
//! offsets: offsets m
//! values: sources 0..n, degrees 1..9

accelerate! {
    pub fn ranks(offsets: &Vector<u32>, sources: &Vector<u32>, degrees: &Vector<u32>) -> Vector<f64> {
        let degrees = degrees.take(degrees.len() - 1);
        let n = degrees.len() as f64;
        let mut rank = degrees.map(|_| 1.0 / n);
        let mut change = 1.0;
        while change > 0.000001 {
            let shares = rank.zip(&degrees).map(|(r, d)| r / d as f64);
            let sums = sources.map(|s| shares[(s as usize).min(shares.len() - 1)]).sum_segmented(Offsets::new(offsets));
            let next = sums.map(|s| 0.15 / n + 0.5 * s);
            change = next.zip(&rank).map(|(a, b)| (a - b).abs()).sum();
            rank = next;
        }
        rank
    }
}
