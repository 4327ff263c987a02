//! A fold of what another one gives, in a branch of which nothing tells beforehand whether any element takes it: no check
//! of either is made where none does.
//!
//! shapes: a (n, m), b k, w l

accelerate! {
    pub fn folds_of_a_branch(a: &Matrix<f64>, b: &Vector<i64>, w: &Vector<usize>) -> Vector<f64> {
        let k = w.fold(0_usize, |x, y| x.max(y));
        b.map(|x| {
            let mut n = x;
            while n > 100 {
                n = n / 2;
            }
            if n & 3 == 3 {
                let t = a.row(k % 3).sum();
                a.row(0).map(|_| t).fold(0.5, |x, y| x + y)
            } else {
                0.0
            }
        })
    }
}
