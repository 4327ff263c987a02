//! Rows in which few digits differ, or none: in order, turned around, all equal.
//!
//! shapes: xs n

accelerate! {
    pub fn alike(xs: &Vector<u64>) -> (Vector<usize>, Vector<usize>, Vector<u64>, Vector<usize>) {
        let n = xs.len();
        let few = xs.map(|x| x & 0xff00_0000_00ff_0000);
        (iota(n).sort(), iota(n).reverse().sort(), few.sort(), fill(n, 7.0f32).argsort())
    }
}
