//! Rows whose length is the count of a filter that keeps everything: each is still folded once.
//!
//! kernels: 3 (scan, elementwise, rowwise)
//! shapes: a n
//! values: a -1.0..1.0

accelerate! {
    pub fn counted(a: &Vector<f64>) -> Matrix<f64> {
        let kept = a.filter(|_| true);
        let products = kept.outer_product(kept).materialize();
        products.rows().map(|row| {
            let total = row.map(|x| x.exp()).sum();
            row.map(|x| x / total)
        })
    }
}
