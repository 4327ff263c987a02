//! Components of the elements around a place: what the components of one element have in common is computed once.
//!
//! kernels: 4 (elementwise, elementwise, elementwise, elementwise)
//! shapes: xs n, m (a, b)
//! values: xs 0.5..2.0, m 0.5..2.0

accelerate! {
    fn dear(x: f64) -> f64 {
        let mut sum = x;
        for k in 1..6 {
            sum = (sum.sin() + x / (k as f64)).exp().ln_1p();
        }
        sum
    }

    pub fn around(xs: &Vector<f64>, m: &Matrix<f64>) -> (Vector<f64>, Matrix<f64>) {
        let quarters = xs.map(|x| {
            let s = dear(x);
            [s + 1.0, s * 0.5, s.sqrt(), 3.0 - s]
        });
        let n = xs.len();
        let sums = generate(n, |i| {
            let mut sum = 0.0;
            for k in 0..4 {
                if i + k < n {
                    sum += quarters[i + k][k];
                }
            }
            sum
        });
        let pairs = m.map(|x| (dear(x), dear(x) * x));
        let turned = pairs.map_indexed(|(i, j), (here, _)| if i > 0 { here + pairs[(i - 1, j)].1 } else { here });
        (sums, turned)
    }
}
