//! Steps along a direction until little is left: the product of a round is computed once, although shapes are checked in
//! the loop.
//!
//! shapes: xs n, ys n
//! values: xs 0.0..1.0, ys 0.05..0.06, least 5.0..6.0

accelerate! {
    pub fn descended(xs: &Vector<f64>, ys: &Vector<f64>, least: f64) -> Vector<f64> {
        let mut r = xs;
        let mut s = xs.sum();
        while s > least {
            r = r - ys * r.dot(&ys);
            s = r.sum();
        }
        r
    }
}
