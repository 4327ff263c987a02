//! A loop that ends by what the data say.
//!
//! shapes: start n
//! values: start 0.0..1.0

accelerate! {
    pub fn settle(start: Vector<f64>) -> (Vector<f64>, u32) {
        let mut xs = start;
        let mut rounds = 0;
        while rounds < 20 && xs.map(|x| (x - 0.5).abs()).fold(0.0, |a, b| a.max(b)) > 0.01 {
            xs = xs.map(|x| 0.5 * (x + 0.5));
            rounds += 1;
        }
        (xs, rounds)
    }
}
