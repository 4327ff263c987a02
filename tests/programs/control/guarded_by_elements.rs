//! A fold of as many elements as an array says, that some elements of another array ask for.
//!
//! shapes: a n, f m
//! values: a -1.0..1.0, f 0..5, k 0..9

accelerate! {
    pub fn chosen(a: &Vector<f64>, f: &Vector<usize>, k: usize) -> Vector<f64> {
        let sums = f.map(|r| (0..r).map(|i| { assert!(i < 9, "few"); (i as f64).sqrt() }).fold(0.0, |a, b| a + b));
        a.map(|x| if x > 0.0 { sums[k] } else { x })
    }
}
