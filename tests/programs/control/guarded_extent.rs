//! A fold of as many elements as an array says, asked for in rounds: that is not read where the index is out of
//! range.
//!
//! shapes: a n, f m
//! values: f 0..5, k 0..9, rounds 0..3

accelerate! {
    pub fn rounds(a: &Vector<f64>, f: &Vector<usize>, k: usize, rounds: i32) -> Vector<f64> {
        let sums = f.map(|r| (0..r).map(|i| { assert!(i < 9, "few"); (i as f64).sqrt() }).fold(0.0, |a, b| a + b));
        let mut s = a.clone();
        for _ in 0..rounds {
            s = s.map(|x| x + sums[k]);
        }
        s
    }
}
