//! Conjugate gradients: the products of a round are numbers, computed once, although shapes are checked in the loop.
//!
//! shapes: a (n, n), b n
//! values: a 0.0..0.01, b -1.0..1.0

accelerate! {
    pub fn solved(a: &Matrix<f64>, b: &Vector<f64>) -> Vector<f64> {
        let mut x = b.map(|_| 0.0);
        let mut r = b;
        let mut p = b;
        let mut rr = b.dot(&b);
        while rr > 0.001 {
            let ap = a.matvec(&p) + 2.0 * p;
            let alpha = rr / p.dot(&ap);
            x = x + alpha * p;
            r = r - alpha * ap;
            let next = r.dot(&r);
            p = r + (next / rr) * p;
            rr = next;
        }
        x
    }
}
