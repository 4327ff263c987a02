//! A fold for each element of one part of a joined array: where the other part is, its operand is out of bounds.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n, ys m

accelerate! {
    pub fn repeated(xs: &Vector<i32>, ys: &Vector<u32>) -> Vector<u32> {
        let turned = ys.reverse();
        let folded = turned.map(|y| xs.map(|_| y).sum().min(xs.map(|_| y).sum() + y.wrapping_add(1)));
        folded.concat(turned)
    }
}
