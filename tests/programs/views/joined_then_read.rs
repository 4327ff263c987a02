//! A joined array that is read at places of the reader's own: in a gather, a window and a fold, elements are chosen as ever.
//!
//! kernels: 2 (elementwise, reduce)
//! shapes: xs n, ys m

accelerate! {
    pub fn read(xs: &Vector<i32>, ys: &Vector<i32>) -> (Vector<i32>, Vector<i32>, i32) {
        let joined = xs.concat(ys);
        let n = joined.len();
        let turned = joined.gather(n, |i| (7 * i) % n);
        let summed = joined.stencil(Constant(0), |w| w[-1] + w[0] + w[1]);
        (turned, summed, joined.sum())
    }
}
