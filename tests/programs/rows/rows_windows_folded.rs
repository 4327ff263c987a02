//! Reductions of windows of rows that stand in a branch: what a window reads is of its own index too, so it is of no row that all
//! could ask for beforehand.
//!
//! shapes: xs n

accelerate! {
    pub fn least(xs: &Vector<f64>) -> (Matrix<f64>, Matrix<f64>) {
        let lines = xs.chunks_exact(3).map(|row| {
            row.windows(2).map(|w| {
                if w.map(|x| x > 0.0).all() { w.fold1(|a, b| if b < a { b } else { a }) } else { 0.25 }
            })
        });
        let turned = lines.transpose();
        (turned.stencil(Clamp, |w| w[(-1, -1)] + w[(1, 1)]), lines)
    }
}
