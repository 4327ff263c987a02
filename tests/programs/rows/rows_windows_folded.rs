//! Reductions over windows of rows, in a branch: their reads depend on the reduction's own index, so they are no reductions of one
//! row, and are not speculated for all of it.
//!
//! shapes: xs n

accelerate! {
    pub fn least(xs: &Vector<f64>) -> Matrix<f64> {
        let lines = xs.chunks_exact(3).map(|row| {
            row.windows(2).map(|w| {
                if w.map(|x| x > 0.0).all() { w.fold1(|a, b| if b < a { b } else { a }) } else { 0.25 }
            })
        });
        let turned = lines.transpose();
        turned.stencil(Clamp, |w| w[(-1, -1)] + w[(1, 1)])
    }
}
