//! Conjugate gradients for a sparse matrix by rows: its product with a direction is stored, and taken once in each round, although
//! each index may be out of range before the shapes of the round are known to agree.
//!
//! shapes: offsets n, columns m, values m, given n
//! offsets: offsets m
//! values: columns 0..n, values 0.0..0.01, given -1.0..1.0

accelerate! {
    pub fn solved(
        offsets: &Vector<u32>,
        columns: &Vector<u32>,
        values: &Vector<f64>,
        given: &Vector<f64>,
    ) -> Vector<f64> {
        let b = given.take(given.len() - 1);
        let mut x = b.map(|_| 0.0);
        let mut r = b;
        let mut p = b;
        let mut rr = b.dot(&b);
        while rr > 0.001 {
            let terms = columns.zip_with(values, |column, value| value * p[column as usize % p.len()]);
            let ap = terms.sum_segmented(Offsets::new(offsets)) + 2.0 * p;
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
